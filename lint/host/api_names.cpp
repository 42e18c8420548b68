#include "lint/host/api_names.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace msci::host {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

constexpr std::array<std::string_view, 52> math = {
    "sqrt",  "sqrtf",      "rsqrt",  "exp",          "expf",   "exp2",  "log",      "logf",
    "log2",  "sin",        "sinf",   "cos",          "cosf",   "tan",   "tanf",     "tanh",
    "tanhf", "pow",        "powf",   "fma",          "fmaf",   "fabs",  "fabsf",    "abs",
    "max",   "min",        "fmax",   "fmaxf",        "fmin",   "fminf", "hypot",    "atan",
    "atan2", "asin",       "acos",   "sinh",         "cosh",   "cbrt",  "erf",      "fmod",
    "clamp", "lerp",       "dot",    "normalize",    "length", "cross", "simd_dot", "simd_length",
    "mix",   "accumulate", "reduce", "inner_product"};

constexpr std::array<std::string_view, 56> harmless = {"printf",
                                                       "fprintf",
                                                       "NSLog",
                                                       "puts",
                                                       "snprintf",
                                                       "sprintf",
                                                       "print",
                                                       "println",
                                                       "format",
                                                       "assert",
                                                       "release",
                                                       "retain",
                                                       "CFRelease",
                                                       "exit",
                                                       "abort",
                                                       "clReleaseKernel",
                                                       "clRetainKernel",
                                                       "clGetKernelWorkGroupInfo",
                                                       "clReleaseProgram",
                                                       "clGetProgramBuildInfo",
                                                       "clBuildProgram",
                                                       "clReleaseMemObject",
                                                       "fwrite",
                                                       "write",
                                                       "free",
                                                       "newComputePipelineState",
                                                       "setLabel",
                                                       "useResource",
                                                       "runtime_error",
                                                       "waitForFence",
                                                       "updateFence",
                                                       "size",
                                                       "label",
                                                       "addResidentResource",
                                                       "swap",
                                                       "getWorkGroupInfo",
                                                       "getInfo",
                                                       "static_assert",
                                                       "initWithFunction",
                                                       "initWithDevice",
                                                       "functionNames",
                                                       "setComputeFunction",
                                                       "commit",
                                                       "didModifyRange",
                                                       "reset",
                                                       "autorelease",
                                                       "clFinish",
                                                       "clFlush",
                                                       "clReleaseCommandQueue",
                                                       "clReleaseContext",
                                                       "getBuildInfo",
                                                       "build",
                                                       "memoryBarrier",
                                                       "setPurgeableState",
                                                       "createKernels"};

constexpr std::array<std::string_view, 35> passing = {"move",
                                                      "forward",
                                                      "TransferPtr",
                                                      "RetainPtr",
                                                      "c_str",
                                                      "data",
                                                      "begin",
                                                      "end",
                                                      "cbegin",
                                                      "cend",
                                                      "get",
                                                      "retain",
                                                      "autorelease",
                                                      "string",
                                                      "UTF8String",
                                                      "utf8String",
                                                      "MTLSTR",
                                                      "value",
                                                      "front",
                                                      "back",
                                                      "at",
                                                      "ref",
                                                      "cref",
                                                      "span",
                                                      "make_span",
                                                      "string_view",
                                                      "make_pair",
                                                      "addressof",
                                                      "next",
                                                      "advance",
                                                      "back_inserter",
                                                      "mutableBytes",
                                                      "bytes",
                                                      "initWithUTF8String",
                                                      "stringWithCString"};

}  // namespace

std::string canonical_name(std::string_view selector) {
  selector = selector.substr(0, selector.find(':'));
  const auto with = selector.find("With");
  return std::string(with == 0 ? selector : selector.substr(0, with));
}

bool is_math(std::string_view function) { return is_one_of(function, math); }

bool is_bulk_math(std::string_view function) {
  return function.starts_with("cblas_") || function.starts_with("catlas_") ||
         function.starts_with("vDSP_") || function.starts_with("BNNS") ||
         (function.starts_with("vv") && function.size() > 4 &&
          std::islower(static_cast<unsigned char>(function[2])));
}

bool is_bulk_sum(std::string_view function) {
  if (function.starts_with("cblas_"))
    return contains(function, "dot") || contains(function, "nrm2") || contains(function, "asum") ||
           contains(function, "amax");
  return function == "vDSP_dotpr" || function.starts_with("vDSP_sve") ||
         function.starts_with("vDSP_meanv") || function.starts_with("vDSP_maxv") ||
         function.starts_with("vDSP_minv") || function.starts_with("vDSP_rmsqv") ||
         function.starts_with("vDSP_maxmgv");
}

bool puts_result_first(std::string_view function) { return function.starts_with("vv"); }

bool only_moves(std::string_view function) {
  return contains(function, "copy") || contains(function, "swap") || contains(function, "vfill") ||
         contains(function, "vclr") || contains(function, "vramp") || contains(function, "vgen") ||
         contains(function, "mmov") || contains(function, "create_") ||
         contains(function, "Create") || contains(function, "destroy") ||
         contains(function, "ctoz") || contains(function, "ztoc") ||
         contains(function, "hamm_window") || contains(function, "hann_window") ||
         contains(function, "vflt") || contains(function, "vfix") || contains(function, "vdpsp") ||
         contains(function, "vspdp");
}

bool is_harmless(std::string_view function) {
  const bool is_macro = std::none_of(function.begin(), function.end(), [](char c) {
    return std::islower(static_cast<unsigned char>(c));
  });
  return is_macro || is_one_of(function, harmless) || function.starts_with("NSAssert") ||
         function.ends_with("SIZE") || function.starts_with("check") ||
         function.starts_with("Check");
}

bool passes_through(std::string_view function) { return is_one_of(function, passing); }

bool is_conversion(std::string_view function) {
  const auto lower = lower_case(function);
  return contains(lower, "half") || contains(lower, "f16") || contains(lower, "bfloat");
}

bool is_buffer_type(std::string_view type) {
  return contains(type, "MTL::Buffer") || contains(type, "MTLBuffer") || contains(type, "cl_mem") ||
         contains(type, "cl::Buffer");
}

bool is_encoder_type(std::string_view type) { return contains(type, "ComputeCommandEncoder"); }

bool is_kernel_type(std::string_view type) {
  return contains(type, "ComputePipelineState") || contains(type, "MTL::Function") ||
         contains(type, "MTLFunction") || contains(type, "cl_kernel") ||
         contains(type, "cl::Kernel");
}

bool is_library_type(std::string_view type) {
  return contains(type, "MTL::Library") || contains(type, "MTLLibrary") ||
         contains(type, "cl_program") || contains(type, "cl::Program");
}

bool is_map_type(std::string_view type) {
  return contains(type, "map<") || contains(type, "Dictionary");
}

bool is_container_type(std::string_view type) {
  return is_map_type(type) || contains(type, "vector<") || contains(type, "[]") ||
         contains(type, "array<");
}

bool is_memory_type(std::string_view type) {
  if (is_map_type(type) || contains(type, "string") || contains(type, "void*")) return false;
  return contains(type, "vector<") || contains(type, "array<") || contains(type, "span<") ||
         contains(type, "valarray<") || contains(type, "[]") || contains(type, "float*") ||
         contains(type, "double*") || contains(type, "int*") || contains(type, "_t*") ||
         contains(type, "float4*") || contains(type, "float2*") || contains(type, "uint*");
}

}  // namespace msci::host
