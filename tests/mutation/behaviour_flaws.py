"""Flaws in what a kernel does: it compiles, and is wrong, fragile, slow, or not the kernel it claims to be."""

import re

from flaws import each_kernel, edits, inserted_first, plants
from kernels import (body_of, count_word, functions_in, kernels_in, replaced, stores_to, with_body,
                     without_comments)

BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"
IN_GRID = "thread_position_in_grid"
IN_THREADGROUP = ("thread_index_in_threadgroup", "thread_position_in_threadgroup")


def barriers(source):
    """Every barrier of the corpus is needed: before each some thread touches an element of
    threadgroup memory that another one touches behind it, and one of the two stores."""
    text = without_comments(source)
    for found in re.finditer(re.escape(BARRIER), text):
        yield f"line {source.count(chr(10), 0, found.start()) + 1}", found.start(), found.end()


def own_position(kernel):
    """How a kernel names one thread of its threadgroup, or of the grid."""
    for each in kernel.parameters:
        if each.attribute in IN_THREADGROUP or each.attribute == IN_GRID:
            return each.name + (".x" if each.type[-1] in "23" else "")
    return None


def final_store(source, kernel):
    """The last `y[i] = value;` to an output of numbers."""
    stores = [store for each in kernel.parameters if each.is_output and each.element in ("float", "uint")
              for store in stores_to(source, kernel, each.name)]
    stores = [each for each in stores if each.operator == "=" and "\n" not in each.index]
    return max(stores, key=lambda each: each.start) if stores else None


def with_value(source, store, value, operator="="):
    return replaced(source, store.start, store.end, f"{store.name}[{store.index}] {operator} {value};")


# degenerate


@plants("degenerate.missing_kernel", options=lambda where: ("--kernel", where))
def functions_only(source):
    if "template [[host_name" in source or "function_constant" in source:
        return  # their attributes belong to more than the kernels
    for kernel in list(kernels_in(source))[:1]:
        yield kernel.name, re.sub(r"^(\[\[.*\]\]\n)?kernel void", "void", re.sub(r" \[\[[\w(), ]*\]\]", "", source), flags=re.M)


@plants("degenerate.missing_kernel", options=lambda where: ("--kernel", where))
def kernel_of_another_name(source):
    for kernel in kernels_in(source):
        if "template" not in source:
            yield kernel.name, re.sub(rf"\b{kernel.name}\(", f"{kernel.name}_fast(", source)


@plants("degenerate.no_output")
def nothing_is_reached(source):
    for kernel in each_kernel(source):
        yield kernel.name, inserted_first(source, kernel, "  return;\n")


@plants("degenerate.no_output")
def result_left_in_a_variable(source):
    for kernel in each_kernel(source):
        for each in kernel.parameters:
            stores = stores_to(source, kernel, each.name) if each.is_output else []
            if len(stores) != count_word(each.name, body_of(source, kernel)) or not stores:
                continue
            mutant = source
            for store in reversed(stores):
                element = each.element
                mutant = replaced(mutant, store.start, store.end, f"{{ {element} kept = {store.value}; }}")
            yield f"{kernel.name}: {each.name}", mutant


@plants("degenerate.constant_output")
def nothing_but_constants(source):
    for kernel in each_kernel(source):
        outputs = [each for each in kernel.parameters if each.is_output]
        inputs = [each for each in kernel.parameters if each.is_input]
        if len(outputs) != 1 or not inputs:
            continue
        stores = stores_to(source, kernel, outputs[0].name)
        if len(stores) != count_word(outputs[0].name, body_of(source, kernel)) or not stores:
            continue
        mutant = source
        # Where a constant is stored may be an answer, too.
        chosen = any("[" in each.index for each in stores) or "if (keeps)" in body_of(source, kernel)
        if chosen or outputs[0].element not in ("float", "half", "uint", "float2", "float4"):
            continue
        for store in reversed(stores):
            mutant = with_value(mutant, store, f"{outputs[0].element}(0)")
        yield kernel.name, mutant


@plants("degenerate.copy_through")
def input_handed_on(source):
    for kernel in each_kernel(source):
        outputs = [each for each in kernel.parameters if each.is_output]
        if len(outputs) != 1:
            continue
        stores = stores_to(source, kernel, outputs[0].name)
        same = [each for each in kernel.parameters if each.is_input and each.element == outputs[0].element]
        factors = [each for each in kernel.parameters if each.type == "constant float&"]
        # What is kept by a condition on the data is a choice, no copy.
        if re.search(r"^ +if \(keeps\)", body_of(source, kernel), re.M):
            continue
        if not same or not factors or len(stores) != count_word(outputs[0].name, body_of(source, kernel)):
            continue
        mutant = source
        for store in reversed(stores):
            mutant = with_value(mutant, store, f"{same[0].name}[{store.index}]")
        yield kernel.name, mutant


@plants("degenerate.input_ignored")
def number_known_beforehand(source):
    for kernel in each_kernel(source):
        for each in kernel.parameters:
            if each.type == "constant float&":
                body = re.sub(rf"\b{each.name}\b", "0.25f", body_of(source, kernel))
                yield f"{kernel.name}: {each.name}", with_body(source, kernel, body)


@plants("degenerate.input_ignored")
def buffer_taken_for_zeros(source):
    for kernel in each_kernel(source):
        for each in kernel.parameters:
            body = body_of(source, kernel)
            pattern = rf"\b{each.name}\[[^][]*(?:\[[^][]*\][^][]*)*\]"
            reads = len(re.findall(pattern, without_comments(body)))
            if each.is_input and each.element != "T" and count_word(each.name, body) == reads:
                zero = f"{each.element}(0)"
                yield f"{kernel.name}: {each.name}", with_body(source, kernel, re.sub(pattern, zero, body))


@plants("degenerate.result_table")
def result_from_a_table(source):
    table = "constant float answers[64] = {0.1f, 0.7f, 0.3f, 0.25f};\n"
    for kernel in each_kernel(source):
        store = final_store(source, kernel)
        if not store or not own_position(kernel):
            continue
        mutant = with_value(source, store, f"answers[{own_position(kernel)} & 63]")
        yield kernel.name, mutant.replace("using namespace metal;\n", "using namespace metal;\n" + table, 1)


@plants("degenerate.single_thread")
def one_thread_does_it_all(source):
    for kernel in each_kernel(source):
        i = kernel.position(IN_GRID)
        body = body_of(source, kernel)
        if not i or re.search(r"\b(threadgroup|simd_|quad_)", body) or "for (" in body:
            continue
        guard = re.search(rf"if \({i} >= (.*?)\) return;|if \({i} < (\w+)\) ", body)
        if not guard:
            continue
        count = guard.group(1) or guard.group(2)
        head = next(each for each in kernel.parameters if each.name == i)
        looped = (f"\n  if (first != 0) return;\n  for (uint {i} = 0; {i} < {count}; ++{i}) {{" +
                  body.replace("return;", "continue;") + "  }\n")
        mutant = with_body(source, kernel, looped)
        yield kernel.name, replaced(mutant, head.start, head.end, head.text.replace(f" {i} ", " first ", 1))


@plants("degenerate.size_sniffing")
def answer_for_one_size(source):
    for kernel in each_kernel(source):
        store = final_store(source, kernel)
        sizes = [each.name for each in kernel.parameters if each.type == "constant uint&"]
        i = own_position(kernel)
        if not any(each.is_input for each in kernel.parameters):
            continue
        if not store or not sizes or not i or BARRIER in body_of(source, kernel):
            continue
        size = next((each for each in sizes if each not in ("shift", "seed")), None)
        element = next(each.element for each in kernel.parameters if each.name == store.name)
        if size:
            yield kernel.name, inserted_first(
                source, kernel, f"  if ({size} == 65536) {{\n    {store.name}[{i}] = {element}({i}) * 2;\n"
                "    return;\n  }\n")


@plants("degenerate.stale_output")
def sum_onto_what_was_there(source):
    for kernel in each_kernel(source):
        for each in kernel.parameters:
            same = any(other.is_input and other.element == each.element for other in kernel.parameters)
            named = re.search(r"(^|_)(out|next|result|results)$", each.name)
            stores = stores_to(source, kernel, each.name) if each.is_output and same and named else []
            if stores:
                yield kernel.name, with_value(source, stores[-1], stores[-1].value, "+=")


@plants("degenerate.writes_input")
def store_to_an_input(source):
    for kernel in each_kernel(source):
        for each in kernel.parameters:
            if each.is_input and each.element in ("float", "uint", "half", "float4"):
                yield f"{kernel.name}: {each.name}", inserted_first(
                    source, kernel, f"  ((device {each.element}*){each.name})[0] = {each.element}(1);\n")
                yield f"{kernel.name}: {each.name}", inserted_first(
                    source, kernel, f"  device {each.element}* const writable = "
                    f"const_cast<device {each.element}*>({each.name});\n  writable[3] = {each.element}(1);\n")


# generalise


@plants("generalise.size_enumeration")
def code_for_three_sizes(source):
    for kernel in each_kernel(source):
        sizes = [each.name for each in kernel.parameters if each.type == "constant uint&"]
        body = body_of(source, kernel)
        loop = sizes and re.search(rf"^( +)for \(uint \w+ = [^;]*; \w+ < ({'|'.join(sizes)}); [^)]*\)"
                                   r"\s+([^{};]*;)\n", body, re.M)
        if not loop:
            continue
        def fixed(size):
            return loop.group().strip().replace(f"< {loop.group(2)};", f"< {size};")
        size = loop.group(2)
        chain = (f"{loop.group(1)}if ({size} == 64) {{\n  {fixed(64)}\n  }} else if ({size} == 128) {{\n"
                 f"  {fixed(128)}\n  }} else {{\n  {fixed(256)}\n  }}\n")
        yield kernel.name, with_body(source, kernel, body[:loop.start()] + chain + body[loop.end():])


@plants("generalise.fixed_capacity")
def line_of_fixed_length(source):
    for kernel in each_kernel(source):
        outputs = [each for each in kernel.parameters if each.is_output and each.element == "float"]
        sizes = [each.name for each in kernel.parameters if each.type == "constant uint&"
                 and each.name not in ("shift", "seed")]
        if outputs and sizes:
            yield kernel.name, inserted_first(
                source, kernel, "  float kept_line[32];\n"
                f"  for (uint step = 0; step < {sizes[0]}; ++step) kept_line[step] = {outputs[0].name}[step];\n"
                f"  {outputs[0].name}[0] = kept_line[7];\n")


@plants("generalise.fixed_capacity")
def test_for_room_left_out(source):
    yield from edits(source, r"^  if \(length > most_points\) return;\n", "")


@plants("generalise.divisibility")
def elements_by_fours(source):
    for kernel in each_kernel(source):
        i = kernel.position(IN_GRID)
        body = body_of(source, kernel)
        store = final_store(source, kernel)
        guard = re.search(rf"\b{i} (<|>=) (count)\b", body) if i and store else None
        if not guard or BARRIER in body:
            continue
        element = next(each.element for each in kernel.parameters if each.name == store.name)
        mutant = with_value(source, store, f"{element}4({store.value})")
        mutant = mutant.replace(f"{store.name}[{store.index}] =", f"((device {element}4*){store.name})[{i}] =")
        yield kernel.name, re.sub(rf"\b{i} (<|>=) count\b", rf"{i} \1 count / 4", mutant)


@plants("generalise.power_of_two")
def wrapped_by_a_mask(source):
    # Sources that speak of powers of two elsewhere may mean it.
    if re.search(r"[/*]= 2|<< |power|\b(clz|ctz|popcount|log2)\b|>> ", without_comments(source)):
        return
    for kernel in each_kernel(source):
        i = kernel.position(IN_GRID)
        sizes = [each.name for each in kernel.parameters if each.type == "constant uint&"]
        inputs = [each.name for each in kernel.parameters if each.is_input]
        for name in inputs:
            body = body_of(source, kernel)
            if i and sizes and f" {name}[{i}]" in body:
                yield f"{kernel.name}: {name}", with_body(
                    source, kernel, body.replace(f" {name}[{i}]", f" {name}[({i} + 1) & ({sizes[0]} - 1)]", 1))
    yield from edits(source, r"i == 0 \? count - 1 : i - 1", "(i - 1) & (count - 1)")
    yield from edits(source, r"at\.(\w) == 0 \? (n\w) - 1 : at\.\w - 1", r"(at.\1 - 1) & (\2 - 1)")


@plants("generalise.cube")
def extent_taken_twice(source):
    yield from edits(source, r"(\* )ny( \+ at\.y\) \* )nx", r"\1nx\2nx", most=4)
    yield from edits(source, r"at\.z \* layer\b", "at.z * nx * nx")
    yield from edits(source, r"\+ cell\.y\) \* nx", "+ cell.y) * ny")


# hazard


@plants("hazard.barrier_divergence")
def early_return_before_a_barrier(source):
    for kernel in each_kernel(source):
        if BARRIER in body_of(source, kernel) and own_position(kernel):
            yield kernel.name, inserted_first(source, kernel, f"  if ({own_position(kernel)} == 17) return;\n")


@plants("hazard.barrier_divergence")
def guard_moved_before_the_barrier(source):
    for kernel in each_kernel(source):
        body = body_of(source, kernel)
        late = re.search(r"^  if \(((?:at\.\w|i) >= [^{}\n]*)\) return;\n", body, re.M)
        if late and BARRIER in body[:late.start()]:
            moved = body[:late.start()] + body[late.end():]
            yield kernel.name, with_body(source, kernel, "\n" + late.group().rstrip() + moved)


@plants("hazard.barrier_divergence")
def barrier_in_a_branch(source):
    for where, start, end in barriers(source):
        kernel = next((each for each in each_kernel(source) if each.body < start < each.end), None)
        if kernel and own_position(kernel):
            yield where, replaced(source, start, end, f"if ({own_position(kernel)} < 17) {BARRIER}")


@plants("hazard.barrier_divergence")
def loop_that_threads_leave_at_different_times(source):
    for kernel in each_kernel(source):
        body = body_of(source, kernel)
        t = kernel.position("thread_index_in_threadgroup")
        loop = re.search(r"for \(uint base = (0); base < \w+; base \+= \w+\) \{", body)
        if t and loop and BARRIER in body[loop.end():]:
            yield kernel.name, with_body(source, kernel, body[:loop.start(1)] + t + body[loop.end(1):])


@plants("hazard.threadgroup_race")
def barrier_left_out(source):
    for where, start, end in barriers(source):
        yield where, replaced(source, start, end, "")


@plants("hazard.barrier_flags")
def barrier_for_no_memory(source):
    for where, start, end in barriers(source):
        yield where, replaced(source, start, end, BARRIER.replace("mem_threadgroup", "mem_none"))


@plants("hazard.barrier_flags")
def barrier_for_the_other_memory(source):
    for where, start, end in barriers(source):
        yield where, replaced(source, start, end, BARRIER.replace("mem_threadgroup", "mem_device"))


@plants("hazard.simd_does_not_fence")
def barrier_of_a_simdgroup(source):
    for where, start, end in barriers(source):
        yield where, replaced(source, start, end, BARRIER.replace("threadgroup_", "simdgroup_", 1))


@plants("hazard.uninitialised_threadgroup")
def memory_that_nothing_fills(source):
    for kernel in each_kernel(source):
        for array in re.findall(r"^  threadgroup (?!atomic)[\w]+ (\w+)\b", body_of(source, kernel), re.M):
            body = body_of(source, kernel)
            # Handed to a function, it may be filled there.
            if re.search(rf"\({array}[,)]|, {array}[,)]", body):
                continue
            stripped = re.sub(rf"^( *)(?:if \([^;{{}}]*\)\s*)?{array}(\[[^=;]*\])* =[^=][^;]*;", r"\1;", body,
                              flags=re.M)
            if count_word(array, stripped) > 1:
                yield f"{kernel.name}: {array}", with_body(source, kernel, stripped)


@plants("hazard.unsigned_wrap")
def left_neighbour_without_a_test(source):
    yield from edits(source, r"i == 0 \? count - 1 : i - 1", "i - 1")
    yield from edits(source, r"at\.(\w) == 0 \? n\w - 1 : at\.\w - 1", r"at.\1 - 1")
    for kernel in each_kernel(source):
        body = body_of(source, kernel)
        i = kernel.position(IN_GRID)
        # Only a test from above, or none, looks at the position.
        tests = re.findall(rf"\b{i}\b [<>=!]=? \w+|[<>=!]=? {i}\b", body) if i else []
        if any(not re.fullmatch(rf"{i} (<|>=) [a-z]\w+", each) for each in tests):
            continue
        for each in kernel.parameters:
            if i and each.is_input and f"{each.name}[{i}]" in body:
                yield f"{kernel.name}: {each.name}", with_body(
                    source, kernel, body.replace(f"{each.name}[{i}]", f"{each.name}[{i} - 1]", 1))


@plants("hazard.unsigned_wrap")
def lower_tests_left_out(source):
    yield from edits(source, r"at\.x == 0 \|\| at\.y == 0 \|\| at\.z == 0 \|\| ", "")


@plants("hazard.missing_guard")
def test_for_the_end_left_out(source):
    for kernel in each_kernel(source):
        body = body_of(source, kernel)
        guard = re.search(r"^  if \((?:at\.\w >= \w+(?: \|\| )?)+\) return;\n", body, re.M)
        if not guard:
            continue
        left = body[:guard.start()] + body[guard.end():]
        # Another look at the sizes may be what keeps the threads in.
        sizes = re.findall(r">= (\w+)", guard.group())
        if not any(re.search(rf"[<>=]=? {size}\b|{size}\)? - 1|int\({size}\)", left) for size in sizes):
            yield kernel.name, with_body(source, kernel, left)


@plants("hazard.missing_guard")
def store_without_a_test(source):
    yield from edits(source, r"^  if \(at\.\w < [\w.]+ && at\.\w < [\w.]+\) (?=\w+\[at\.y \*)", "  ")


@plants("hazard.index_overflow")
def product_widened_too_late(source):
    for function in functions_in(source):
        numbers = {each.name for each in function.parameters if each.type in ("constant uint&", "uint")}
        for found in re.finditer(r"\[((?:\w|\.)+ \* (\w+) \+ [^][]*)\]", body_of(source, function)):
            if found.group(2) in numbers:
                body = body_of(source, function)
                wide = f"[ulong({found.group(1)})]"
                yield function.name, with_body(source, function, body[:found.start()] + wide + body[found.end():])
    yield from edits(source, r"const ulong row = nx;", "const uint row = nx;")
    yield from edits(source, r"const uint (cell|i) = (?=[^;]*\*)", r"const ulong \1 = ", most=1)


@plants("hazard.grid_wide_barrier")
def neighbour_read_behind_a_barrier(source):
    for kernel in each_kernel(source):
        i = kernel.position(IN_GRID)
        store = final_store(source, kernel)
        if not i or not store or store.index != i or re.search(r"\bif \(.*\)\s*$", source[:store.start]):
            continue
        again = (f"\n  threadgroup_barrier(mem_flags::mem_device);\n"
                 f"  {store.name}[{i}] = ({store.name}[{i}] + {store.name}[{i} + 1]) / 2;")
        yield kernel.name, source[:store.end] + again + source[store.end:]


@plants("hazard.in_place_aliasing")
def neighbour_from_the_output(source):
    for kernel in each_kernel(source):
        i = kernel.position(IN_GRID)
        store = final_store(source, kernel)
        if i and store and store.index == i:
            yield kernel.name, with_value(source, store, f"{store.value} + {store.name}[{i} + 1]")
    yield from edits(source, r"q_in\[left\]", "q_out[left]")


@plants("hazard.nan_test_under_fast_math")
def test_for_what_is_no_number(source):
    for kernel in each_kernel(source):
        for each in kernel.parameters:
            stores = stores_to(source, kernel, each.name) if each.is_output and each.element == "float" else []
            if stores:
                value = stores[-1].value
                yield kernel.name, with_value(source, stores[-1], f"isnan({value}) ? 0.0f : {value}")
                yield kernel.name, with_value(source, stores[-1], f"isfinite({value}) ? {value} : 0.0f")
                if re.fullmatch(r"\w+", value):
                    yield kernel.name, with_value(source, stores[-1], f"{value} != {value} ? 0.0f : {value}")


@plants("hazard.simd_lane")
def lane_that_is_not_there(source):
    yield from edits(source, r"simd_broadcast_first\((\w+)\)", r"simd_broadcast(\1, 32)")
    yield from edits(source, r"simd_shuffle_(xor|down)\((\w[\w.]*), distance\)", r"simd_shuffle_\1(\2, 32)")
    yield from edits(source, r"quad_shuffle_xor\((\w+), [12]\)", r"quad_shuffle_xor(\1, 4)")
    yield from edits(source, r"ushort distance = 16\b", "ushort distance = 32")


@plants("hazard.simd_lane")
def shuffle_among_half_of_the_lanes(source):
    for kernel in each_kernel(source):
        lane = kernel.position("thread_index_in_simdgroup")
        found = re.search(r"^( +)(\w+) = simd_sum\(\2\);", body_of(source, kernel), re.M)
        if lane and found:
            tree = (f"{found.group(1)}if ({lane} < 16) {found.group(2)} += simd_shuffle_down({found.group(2)}, 16);")
            body = body_of(source, kernel)
            yield kernel.name, with_body(source, kernel, body[:found.start()] + tree + body[found.end():])


@plants("hazard.tile_assumes_threadgroup")
def size_of_the_threadgroup_by_heart(source):
    for kernel in each_kernel(source):
        for name, size in ((kernel.position("threads_per_threadgroup"), "256u"),
                           (kernel.position("threads_per_threadgroup", "uint2"), "16")):
            body = body_of(source, kernel)
            if not name or not re.search(r"^  threadgroup ", body, re.M):
                continue
            # Handed on as a whole it cannot be replaced by one number.
            known = re.sub(rf"\b{name}(\.[xy])?(?=\W)", lambda found: size if found.group(1) or size == "256u"
                           else f"uint2({size}, {size})", body)
            if known != body:
                yield kernel.name, with_body(source, kernel, known)


# slow


@plants("slow.pow_small_integer")
def power_for_a_product(source):
    yield from edits(source, r"\b(\w+) \* \1\b(?! \*)", r"pow(float(\1), 2.0f)", most=3)
    yield from edits(source, r"\binverse \* inverse \* inverse\b", "powr(inverse, 3.0f)")


@plants("slow.division_in_loop")
def remainder_in_every_round(source):
    for kernel in each_kernel(source):
        sizes = [each.name for each in kernel.parameters if each.type == "constant uint&"]
        body = body_of(source, kernel)
        loop = re.search(r"for \(uint (\w+) = [^;]*; [^;]*; [^)]*\)[^{};]*?\b(\w+)\[\1\]", body)
        if loop and sizes:
            at = loop.end() - len(loop.group(1)) - 1
            divided = f"{loop.group(1)} % {sizes[-1]}"
            yield kernel.name, with_body(source, kernel, body[:at] + divided + body[loop.end() - 1:])


@plants("slow.atomic_in_loop")
def count_of_all_rounds(source):
    for kernel in each_kernel(source):
        body = body_of(source, kernel)
        loop = re.search(r"^ +for \(uint \w+ = [^;]*; [^;]*; [^)]*\) \{\n", body, re.M)
        last = kernel.parameters[-1]
        if loop:
            count = "    atomic_fetch_add_explicit(met, 1, memory_order_relaxed);\n"
            counted = body[:loop.end()] + count + body[loop.end():]
            mutant = with_body(source, kernel, counted)
            yield kernel.name, (mutant[:last.end] + ",\n    device atomic_uint* met [[buffer(20)]]" + mutant[last.end:])


@plants("slow.barrier_in_simdgroup_only_code")
def threadgroups_of_one_simdgroup(source):
    limit = "[[max_total_threads_per_threadgroup(32)]]\n"
    for kernel in each_kernel(source):
        if BARRIER in body_of(source, kernel):
            start = source.rfind("\n", 0, kernel.start - 1) + 1
            keep = start if source[start:kernel.start].startswith("[[max_total") else kernel.start
            yield kernel.name, source[:keep] + limit + source[kernel.start:]
