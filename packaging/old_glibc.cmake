# MSCI_GLIBC=2.31 links the programs so that they run with that glibc and all later ones; without it, they need that of
# the machine that builds them. The objects are the same: only the link differs. Stubs take the place of glibc's
# libraries (old_glibc/stub.py), and what 2.31 lacks is linked into the programs (old_glibc/newer_glibc.cpp).
set(MSCI_GLIBC "" CACHE STRING "The oldest glibc that the programs run with, such as 2.31; empty: that of this machine")

if(MSCI_GLIBC)
  if(NOT MSCI_STATIC OR NOT LLD)
    message(FATAL_ERROR "MSCI_GLIBC needs MSCI_STATIC and lld (the package lld-22)")
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  find_program(READELF llvm-readelf HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
  find_program(STUB_CLANG clang HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED)
  set(old_glibc ${CMAKE_BINARY_DIR}/old_glibc)
  set(old_glibc_sources ${CMAKE_SOURCE_DIR}/packaging/old_glibc)
  add_library(msci_newer_glibc STATIC ${old_glibc_sources}/newer_glibc.cpp)
  target_link_libraries(msci_newer_glibc PRIVATE msci_options)
  target_compile_options(msci_newer_glibc PRIVATE -fno-exceptions)  # a program in C has no libstdc++
  set_target_properties(msci_newer_glibc PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${old_glibc} POSITION_INDEPENDENT_CODE ON)
  add_custom_command(OUTPUT ${old_glibc}/libc.so
    COMMAND Python3::Interpreter ${old_glibc_sources}/stub.py ${MSCI_GLIBC} ${old_glibc} ${STUB_CLANG} ${READELF}
    DEPENDS ${old_glibc_sources}/stub.py)
  add_custom_target(msci_old_glibc DEPENDS ${old_glibc}/libc.so)
endif()

# The linker finds the stubs before this machine's libraries. A library without them, such as libcurl, may need newer
# symbols.
function(msci_link_to_old_glibc target)
  if(MSCI_GLIBC)
    add_dependencies(${target} msci_old_glibc msci_newer_glibc)
    target_link_options(${target} PRIVATE -L${old_glibc} -Wl,--wrap=__libc_start_main -Wl,--allow-shlib-undefined
                        -fuse-ld=lld -B${LLVM_TOOLS_BINARY_DIR} $<$<LINK_LANGUAGE:CXX>:-static-libstdc++>
                        -static-libgcc)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${old_glibc}/libc.so)
  endif()
endfunction()
