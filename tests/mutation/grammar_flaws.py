"""Flaws that keep a source from compiling, or from being built to a pipeline."""

import re

from flaws import each_kernel, edits, inserted_first, plants, prepended
from kernels import body_of, functions_in, replaced, with_body, without_comments

BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup)"


def instantiates(source):
    """Whether a change to a parameter would first of all break an explicit instantiation."""
    return "template [[host_name" in source


@plants("metal.address_space")
def pointer_without_a_space(source):
    if instantiates(source):
        return
    yield from edits(source, r"\b(?:device|constant|threadgroup) ((?:const )?[\w]+[*&] ?(?:const )?\w+)",
                     r"\1", inside_heads=True)


@plants("metal.address_space")
def local_pointer_to_the_wrong_space(source):
    for kernel in each_kernel(source):
        for each in kernel.parameters:
            if each.is_input:
                yield f"{kernel.name}: {each.name}", inserted_first(
                    source, kernel, f"  constant const {each.element}* other = {each.name};\n")


@plants("metal.address_space")
def cast_between_spaces(source):
    for kernel in each_kernel(source):
        for each in kernel.parameters:
            if each.is_input:
                yield f"{kernel.name}: {each.name}", inserted_first(
                    source, kernel, f"  threadgroup const float* other = "
                    f"(threadgroup const float*){each.name};\n")


@plants("metal.allocation")
def memory_from_new(source):
    for kernel in each_kernel(source):
        yield kernel.name, inserted_first(source, kernel, "  thread float* scratch = new float[8];\n")


@plants("metal.allocation")
def deleted_pointer(source):
    for kernel in each_kernel(source):
        yield kernel.name, inserted_first(source, kernel,
                                          "  float one = 1.0f;\n  thread float* scratch = &one;\n"
                                          "  delete scratch;\n")


@plants("metal.atomics")
def atomic_functions_on_plain_numbers(source):
    # In one place: a function that gets the buffer, or the kernel itself, uses it atomically.
    yield from edits(source, r"\batomic_uint(?=[*&]? \w)", "uint")


@plants("metal.atomics")
def memory_order_of_cpp(source):
    for order in ("memory_order_acquire", "memory_order_acq_rel"):
        yield from edits(source, r"\bmemory_order_relaxed\b", order)


@plants("metal.atomics")
def operators_on_atomic_objects(source):
    yield from edits(source, r"^( *)(?:if \(i < count\)\n *)?atomic_fetch_add_explicit\(&(\w+\[[^;]*?\]), 1, "
                     r"memory_order_relaxed\);", r"\1\2++;")
    yield from edits(source, r"^( *)(?:if \(i < count\)\n *)?atomic_fetch_add_explicit\(&(\w+\[[^;]*?\]), 1, "
                     r"memory_order_relaxed\);", r"\1\2 += 1;")


@plants("metal.barrier_form")
def barrier_without_known_flags(source):
    for flags in ("", "mem_flags::mem_shared", "mem_threadgroup", "CLK_LOCAL_MEM_FENCE", "0"):
        yield from edits(source, re.escape(BARRIER), f"threadgroup_barrier({flags})")
    yield from edits(source, re.escape(BARRIER), "barrier(CLK_LOCAL_MEM_FENCE)")


@plants("metal.compile_error")
def semicolon_left_out(source):
    yield from edits(source, r"^(  +(?:const )?(?:uint|float|int|float3) \w+ = [^;\n]*);$", r"\1",
                     most=3)


@plants("metal.compile_error")
def name_declared_twice(source):
    yield from edits(source, r"^(  +(?:const )?(?:uint|float|int) (\w+) = [^;\n]*;)$", r"\1 int \2 = 1;",
                     most=2)


@plants("metal.compile_error")
def remainder_of_a_float(source):
    for kernel in each_kernel(source):
        yield kernel.name, inserted_first(source, kernel, "  const float rest = 7.0f % 2.0f;\n")


@plants("metal.double_type")
def double_for_float(source):
    yield from edits(source, r"^(  +(?:const )?)float (\w+ = )", r"\1double \2", most=4)


@plants("metal.double_type")
def cast_to_double(source):
    yield from edits(source, r"\bfloat\((?=\w+\))", "double(", most=2)


@plants("metal.exception")
def thrown_error(source):
    for kernel in each_kernel(source):
        yield kernel.name, inserted_first(source, kernel, "  if (false) throw 1;\n")


@plants("metal.exception")
def tried_body(source):
    for kernel in each_kernel(source):
        body = body_of(source, kernel)
        yield kernel.name, with_body(source, kernel, f"\n  try {{{body}  }} catch (...) {{\n  }}\n")


@plants("metal.function_pointer")
def function_as_an_argument(source):
    yield "", prepended(source, "static float twice_of(float x) { return 2.0f * x; }\n"
                        "static float applied(float (*f)(float), float x) { return f(x); }\n"
                        "static float by_pointer(float x) { return applied(twice_of, x); }\n")


@plants("metal.function_pointer")
def function_in_a_variable(source):
    with_twice = prepended(source, "static float twice_of(float x) { return 2.0f * x; }\n")
    for kernel in each_kernel(with_twice):
        yield kernel.name, inserted_first(with_twice, kernel,
                                          "  float (*f)(float) = twice_of;\n"
                                          "  const float four = f(2.0f);\n")


@plants("metal.goto_statement")
def jump_to_the_end(source):
    for kernel in each_kernel(source):
        body = body_of(source, kernel)
        yield kernel.name, with_body(source, kernel, f"\n  if (false) goto end;\n  {{{body}  }}\nend:\n  return;\n")


@plants("metal.kernel_signature")
def two_buffers_of_one_index(source):
    for kernel in each_kernel(source):
        buffers = [each for each in kernel.parameters if each.attribute.startswith("buffer(")]
        if len(buffers) > 1 and "," not in buffers[1].attribute:
            second = buffers[1]
            yield kernel.name, replaced(source, second.start, second.end,
                                        second.text.replace(second.attribute, buffers[0].attribute))


@plants("metal.kernel_signature")
def index_beyond_the_last(source):
    yield from edits(source, r"\[\[buffer\(\d+\)\]\]", "[[buffer(31)]]", most=2)


@plants("metal.kernel_signature")
def misspelled_attribute(source):
    yield from edits(source, r"thread_position_in_grid\b", "thread_position_in_gird")
    yield from edits(source, r"threadgroup_position_in_grid\b", "threadgroup_id")
    yield from edits(source, r"thread_index_in_threadgroup\b", "thread_id_in_threadgroup")


@plants("metal.kernel_signature")
def missing_attribute(source):
    yield from edits(source, r" \[\[thread_(?:position|index)_in_\w+\]\]", "")


@plants("metal.kernel_signature")
def kernel_that_returns(source):
    if instantiates(source):
        return
    yield from edits(source, r"\bkernel void\b", "kernel float")


@plants("metal.kernel_signature")
def signed_position(source):
    if instantiates(source):
        return
    yield from edits(source, r"\buint( \w+ \[\[thread(?:group)?_)", r"int\1")


@plants("metal.kernel_signature")
def number_by_value(source):
    if instantiates(source):
        return
    yield from edits(source, r"\bconstant (float|uint)& (\w+ \[\[buffer)", r"\1 \2")


@plants("metal.kernel_signature")
def dimensions_that_differ(source):
    for kernel in each_kernel(source):
        positions = [each for each in kernel.parameters
                     if re.fullmatch(r"(thread|threadgroup)s?_(position_in|per)_\w+", each.attribute)
                     and each.type == "uint2"]
        if len(positions) > 1:
            last = positions[-1]
            yield kernel.name, replaced(source, last.start, last.end,
                                        last.text.replace("uint2", "uint3", 1))


@plants("metal.lambda")
def lambda_in_a_kernel(source):
    for kernel in each_kernel(source):
        yield kernel.name, inserted_first(source, kernel,
                                          "  auto twice = [](float v) { return 2.0f * v; };\n"
                                          "  const float four = twice(2.0f);\n")
        yield kernel.name, inserted_first(source, kernel,
                                          "  float base = 1.0f;\n"
                                          "  const auto add = [&](float v) { base += v; };\n")


@plants("metal.misplaced_attribute")
def limit_behind_the_parameters(source):
    for kernel in each_kernel(source):
        start = source.rfind("\n", 0, kernel.start - 1) + 1
        limit = source[start:kernel.start]
        if limit.startswith("[[max_total"):
            yield kernel.name, (source[:start] + source[kernel.start:kernel.close + 1] + " " +
                                limit.strip() + source[kernel.close + 1:])
        else:
            yield kernel.name, (source[:kernel.close + 1] +
                                " [[max_total_threads_per_threadgroup(256)]]" +
                                source[kernel.close + 1:])


@plants("metal.misplaced_attribute")
def limit_behind_kernel(source):
    yield from edits(source, r"^kernel void ",
                     "kernel [[max_total_threads_per_threadgroup(256)]] void ")


@plants("metal.misplaced_attribute")
def limit_before_template(source):
    yield from edits(source, r"^template (?=<typename [^>]*>\nkernel)",
                     "[[max_total_threads_per_threadgroup(256)]]\ntemplate ")


@plants("metal.program_scope_constant")
def constants_in_no_space(source):
    for space in ("constexpr", "const", "static const"):
        yield from edits(source, r"^constant (?=\w+ \w+ = )", space + " ")
    yield from edits(source, r"^constant (?=\w+ \w+ = )", "threadgroup ")


@plants("metal.recursion")
def function_that_calls_itself(source):
    yield "", prepended(source, "static uint bits_of(uint n) { return n < 2 ? n : bits_of(n / 2) + n % 2; }\n")


@plants("metal.recursion")
def functions_that_call_each_other(source):
    yield "", prepended(source, "static bool is_odd(uint n);\n"
                        "static bool is_even(uint n) { return n == 0 || is_odd(n - 1); }\n"
                        "static bool is_odd(uint n) { return n != 0 && is_even(n - 1); }\n")


@plants("metal.recursion")
def helper_that_calls_itself(source):
    for function in functions_in(source):
        body = body_of(source, function)
        last = body.rfind("return ")
        if function.is_kernel or last < 0 or not function.parameters:
            continue
        names = ", ".join(each.name for each in function.parameters)
        yield function.name, with_body(
            source, function, body[:last] + f"if (false) return {function.name}({names});\n  " + body[last:])


@plants("metal.reserved_name")
def variable_called_like_a_word_of_metals(source):
    for word in ("half", "kernel", "thread", "device", "fragment", "threadgroup", "constant"):
        for kernel in each_kernel(source)[:1]:
            local = re.search(r"^  (?:const )?(?:uint|float) (\w+) = ", body_of(source, kernel), re.M)
            if local and not re.search(rf"\b{word}\b", body_of(source, kernel)):
                body = re.sub(rf"(?<![.\w]){local.group(1)}\b", word, body_of(source, kernel))
                yield f"{kernel.name}: {word}", with_body(source, kernel, body)


@plants("metal.reserved_name")
def parameter_called_like_a_type(source):
    for function in functions_in(source):
        if function.is_kernel:
            continue
        for each in function.parameters[-1:]:
            head = replaced(source, each.start, each.end, f"{each.type} half")
            yield function.name, head


@plants("metal.restrict")
def restrict_of_c(source):
    yield from edits(source, r"(device (?:const )?\w+\*) (\w+)(?= \[\[)", r"\1 restrict \2")


@plants("metal.run_time_type")
def type_asked_for_while_running(source):
    for kernel in each_kernel(source):
        name = kernel.parameters[0].name
        yield kernel.name, inserted_first(source, kernel, f"  const auto& type = typeid({name});\n")


@plants("metal.run_time_type")
def dynamic_cast_of_a_pointer(source):
    with_shape = prepended(source, "struct Figure {\n  float side;\n};\nstruct Square : Figure {\n};\n")
    for kernel in each_kernel(with_shape):
        yield kernel.name, inserted_first(with_shape, kernel,
                                          "  Figure figure = {1.0f};\n  thread Square* square = "
                                          "dynamic_cast<thread Square*>(&figure);\n")


@plants("metal.static_local")
def static_variable(source):
    yield from edits(source, r"^(  +)(?=(?:const )?(?:float|uint) \w+ = )", r"\1static ", most=3)


@plants("metal.thread_local_storage")
def thread_local_variable(source):
    yield from edits(source, r"^(  +)(?=(?:float|uint) \w+ = )", r"\1thread_local ", most=3)


@plants("metal.threadgroup_variable")
def threadgroup_memory_with_a_value(source):
    yield from edits(source, r"^(  threadgroup (?!atomic)[^;*]*);", r"\1 = {};")


@plants("metal.threadgroup_variable")
def threadgroup_memory_of_a_helper(source):
    for function in functions_in(source):
        if not function.is_kernel:
            yield function.name, inserted_first(source, function,
                                                "  threadgroup float scratch[32];\n  scratch[0] = 0.0f;\n")


SPELLED_ELSEWHERE = [
    (re.escape(BARRIER), "__syncthreads()"),
    (r"\brsqrt\(", "rsqrtf("),
    (r"\bexp\(", "__expf("),
    (r"\bfma\(", "fmaf("),
    (r"\bmin\(", "fminf("),
    (r"\bmix\(", "lerp("),
    (r"\bmulhi\(", "__umulhi("),
    (r"\breverse_bits\(", "__brev("),
    (r"\bsimd_sum\(", "warpReduceSum("),
    (r"\bsimd_shuffle_xor\(", "__shfl_xor_sync(0xffffffff, "),
    (r"\bsimd_shuffle_down\(", "__shfl_down_sync(0xffffffff, "),
    (r"\bsimd_sum\(", "subgroupAdd("),
    (r"\batomic_fetch_add_explicit\((.*), memory_order_relaxed\)", r"atomicAdd(\1)"),
    (r"\bas_type<uint>\(", "__float_as_uint("),
    (r"\bconst uint (\w+) = [^;]*;", r"const uint \1 = threadIdx.x;"),
    (r"\bconst uint (\w+) = [^;]*;", r"const uint \1 = get_global_id(0);"),
    (r"\bconst uint (\w+) = [^;]*;", r"const uint \1 = blockIdx.x * blockDim.x;"),
]


@plants("metal.unknown_function")
def names_of_other_languages(source):
    for pattern, name in SPELLED_ELSEWHERE:
        yield from edits(source, pattern, name, most=1)


@plants("metal.unknown_function")
def namespace_left_out(source):
    # The library has to be needed by a name that has no other way in.
    needed = r"\b(threadgroup_barrier|fma|simd_sum|exp|clamp|dot|atomic_fetch_add_explicit)\("
    if re.search(needed, without_comments(source)):
        yield "", source.replace("using namespace metal;\n", "")


@plants("metal.variadic_function")
def function_of_any_arguments(source):
    yield "", prepended(source, "static float first_of(int n, ...) { return float(n); }\n")
    yield "", prepended(source, "static void log_values(constant char* format, ...);\n")


@plants("metal.vector")
def component_that_is_not_there(source):
    yield from edits(source, r"\bfloat2 (\w+) = ([^;{]*);", r"float2 \1 = \2; const float deep_\1 = \1.z;", most=2)
    yield from edits(source, r"\.xyz\b(?! =)", ".xyq", most=2)
    yield from edits(source, r"\bat\.y\b", "at.w", most=1)


@plants("metal.vector")
def length_that_does_not_match(source):
    yield from edits(source, r"(float3 \w+ = [^;]*)\.xyz\b", r"\1.xy", most=2)
    yield from edits(source, r"(?<=float3 )(\w+) = 0\.0f;", r"\1 = float4(0.0f);", most=2)
    yield from edits(source, r"(const uint2 \w+ = )uint2\(([^;]*)\);", r"\1uint3(\2, 0);", most=1)


@plants("metal.vector")
def comparison_of_vectors_as_a_condition(source):
    yield from edits(source, r"if \(at\.x >= (\w+) \|\| at\.y >= \w+\)", r"if (at >= uint2(\1))", most=2)
    yield from edits(source, r"\bany\((at >= size)\)", r"\1", most=1)


@plants("metal.virtual_function")
def member_that_is_virtual(source):
    yield from edits(source, r"^(struct \w+ \{\n)", r"\1  virtual float area() const { return 0.0f; }\n")
    yield "", prepended(source, "struct Shape {\n  virtual float area() const = 0;\n};\n")


@plants("resource.private_array")
def large_array_of_each_thread(source):
    for kernel in each_kernel(source):
        outputs = [each for each in kernel.parameters if each.is_output and each.element == "float"]
        if outputs:
            yield kernel.name, inserted_first(
                source, kernel, "  float history[256];\n"
                f"  for (uint step = 0; step < 256; ++step) history[step] = {outputs[0].name}[step];\n"
                f"  {outputs[0].name}[255] = history[17];\n")


@plants("resource.thread_limit")
def more_threads_than_there_are(source):
    yield from edits(source, r"max_total_threads_per_threadgroup\(\d+\)", "max_total_threads_per_threadgroup(2048)")
    yield from edits(source, r"(?<!\]\]\n)^kernel void", "[[max_total_threads_per_threadgroup(1056)]]\nkernel void")


@plants("resource.threadgroup_memory")
def more_threadgroup_memory_than_there_is(source):
    yield from edits(source, r"^(  threadgroup [\w ]+\[[^\]]*)\](?=[\[;])", r"\1 + 32769]")


@plants("security.include")
def other_headers(source):
    for line in ("#include <cmath>", "#include <cuda_runtime.h>", '#include "helpers.h"',
                 '#if __has_include("/etc/passwd")\n#endif'):
        yield line, source.replace("#include <metal_stdlib>\n", f"#include <metal_stdlib>\n{line}\n")


BOMBS = {
    "template": "template <int n>\nstruct Deep {\n  enum { value = Deep<n + 1>::value };\n};\n"
                "constant int deep = Deep<0>::value;\n",
    "constexpr": "constexpr int spin(int n) {\n  int sum = 0;\n  for (int i = 0; i < n; ++i) sum ^= i;\n"
                 "  return sum;\n}\nconstant constexpr int spun = spin(2000000000);\n",
    "brackets": "constant int deep = " + "(" * 3000 + "1" + ")" * 3000 + ";\n",
}


@plants("security.limit", files=2)
def bomb(source):
    for name, text in BOMBS.items():
        yield name, prepended(source, text)


@plants("lint.bad_suppression")
def suppression_without_what_belongs_to_it(source):
    for comment in ("// msci: allow(hazard.threadgroup_race)", "// msci: allow(hazard) it is fine",
                    "// msci: allow(hazard.thread_race) it is fine", "// msci: ignore hazard"):
        yield comment, source.replace("kernel void", comment + "\nkernel void", 1)


@plants("lint.unused_suppression")
def suppression_of_nothing(source):
    for rule in ("hazard.threadgroup_race", "slow.division_in_loop", "generalise.cube"):
        comment = f"// msci: allow({rule}) looked at"
        yield comment, source.replace("kernel void", comment + "\nkernel void", 1)
