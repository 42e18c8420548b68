# msci_llvm: Clang and LLVM 22 from Debian's archive, linked dynamically.
find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)
find_library(CLANG_CPP clang-cpp HINTS ${LLVM_LIBRARY_DIRS} REQUIRED)

add_library(msci_llvm INTERFACE)
target_include_directories(msci_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(LLVM_DEFINITIONS)
target_compile_definitions(msci_llvm INTERFACE ${LLVM_DEFINITIONS})
# LLVM is built without run-time type information, so classes derived from its own must be too.
target_compile_options(msci_llvm INTERFACE -fno-rtti)
target_link_libraries(msci_llvm INTERFACE ${CLANG_CPP} LLVM)
