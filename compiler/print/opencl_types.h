// How OpenCL C spells LLVM's types and the constants that hold no address. A name exists for every
// type that first_unsupported() lets through.
#pragma once

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APInt.h>
#include <llvm/IR/DerivedTypes.h>

#include <string>

namespace msci {

// The width of the OpenCL integer that holds so many bits: 8, 16, 32 or 64.
unsigned container_bits(unsigned bits);
const char* unsigned_type(unsigned bits);  // "uint"
const char* signed_type(unsigned bits);    // "int"

// A vector of bits. OpenCL compares vectors to a vector of integers, each 0 or -1.
bool is_mask(const llvm::Type* type);
bool is_small_float(const llvm::Type* type);  // half or bfloat; held as a float
bool is_opencl_width(unsigned elements);      // 2, 3, 4, 8 or 16
unsigned element_count(const llvm::Type* type);

std::string type_name(const llvm::Type* type);           // "uint4", "__global uchar*"
std::string signed_vector_name(const llvm::Type* type);  // "int4"
const char* space_qualifier(unsigned space);             // "__global ", empty for private memory
const char* element_of_size(const llvm::APInt& bytes);   // a type of that size, or null
llvm::Type* ushort_vector(const llvm::Type* halves);     // of as many elements

std::string integer_text(const llvm::APInt& value);  // "7u"
std::string real_text(const llvm::APFloat& value);   // "0x1p+0f", exact
std::string zero_text(const llvm::Type* type);

// Keeps the unused bits of an integer of odd width zero.
std::string trimmed(std::string expression, const llvm::Type* type);
// Turns a vector of signed integers into the unsigned ones that variables hold.
std::string as_unsigned(const std::string& expression, const llvm::Type* type);

}  // namespace msci
