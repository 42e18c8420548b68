// What hosts call: the functions and types of Metal, OpenCL, Accelerate and the standard library
// that matter here.
#pragma once

#include <string>
#include <string_view>

namespace msci::host {

// "newFunctionWithName:constantValues:error:" → "newFunction": metal-cpp's word for an Objective-C
// message.
std::string plain_word(std::string_view selector);

// Computes arithmetic on what it is given: "sqrt", "fma".
bool is_math(std::string_view function);
// Computes in bulk with the processor, into one of its arguments: "cblas_saxpy", "vDSP_vadd".
bool is_bulk_math(std::string_view function);
// Such a function that returns, or stores, a single number: "cblas_sdot", "vDSP_sve".
bool is_bulk_sum(std::string_view function);
// Such a function whose result comes first: "vvsqrtf".
bool puts_result_first(std::string_view function);
// Moves or makes data without arithmetic, though named as the others: "vDSP_vclr", "cblas_scopy".
bool only_moves(std::string_view function);
// Neither dispatches nor keeps what it is given: "printf", "CHECK".
bool is_harmless(std::string_view function);
// Gives the argument back in another form: "move", "TransferPtr", "c_str".
bool passes_through(std::string_view function);
// Turns bits into numbers and back, which is no arithmetic of the task's: "half_to_float".
bool is_conversion(std::string_view function);

// A type whose variables hold memory that can be indexed: "std::vector<float>", "float*".
bool is_memory_type(std::string_view type);
bool is_buffer_type(std::string_view type);
bool is_encoder_type(std::string_view type);
bool is_kernel_type(std::string_view type);
bool is_library_type(std::string_view type);
bool is_map_type(std::string_view type);

}  // namespace msci::host
