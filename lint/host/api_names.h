// Functions and types of Metal, OpenCL, Accelerate and the standard library, by name.
#pragma once

#include <string>
#include <string_view>

namespace msci::host {

// The name that metal-cpp gives an Objective-C message:
// "newFunctionWithName:constantValues:error:" → "newFunction".
std::string canonical_name(std::string_view selector);

// Computes a number from its arguments: "sqrt", "fma".
bool is_math(std::string_view function);
// Computes on arrays on the CPU, into one of its arguments: "cblas_saxpy", "vDSP_vadd".
bool is_bulk_math(std::string_view function);
// Such a function that returns, or stores, a single number: "cblas_sdot", "vDSP_sve".
bool is_bulk_sum(std::string_view function);
// Such a function whose result comes first: "vvsqrtf".
bool puts_result_first(std::string_view function);
// Has such a name, but copies or fills without arithmetic: "vDSP_vclr", "cblas_scopy".
bool only_moves(std::string_view function);
// Does not dispatch, and does not keep its arguments: "printf", "CHECK".
bool is_harmless(std::string_view function);
// Returns its argument in another form: "move", "TransferPtr", "c_str".
bool passes_through(std::string_view function);
// Converts between number formats, which does not count as arithmetic: "half_to_float".
bool is_conversion(std::string_view function);

// A type whose variables hold memory that can be indexed: "std::vector<float>", "float*".
bool is_memory_type(std::string_view type);
bool is_buffer_type(std::string_view type);
bool is_encoder_type(std::string_view type);
bool is_kernel_type(std::string_view type);
bool is_library_type(std::string_view type);
bool is_map_type(std::string_view type);
// A map or a type with elements: "std::vector<float>", "float[]".
bool is_container_type(std::string_view type);

}  // namespace msci::host
