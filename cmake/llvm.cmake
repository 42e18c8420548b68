# msci_llvm: Clang and LLVM 22 from Debian's archive. Libraries and tests take the shared ones, which link
# in no time. A program of which MSCI_STATIC_LLVM is set has them inside: a shared Clang takes 20 ms to load,
# as long as a kernel takes to lint; a program that need not be moved saves 3 ms more, and one that loads nothing but
# the C library another 1.
find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)
find_library(CLANG_CPP clang-cpp HINTS ${LLVM_LIBRARY_DIRS} REQUIRED)

option(MSCI_STATIC "Link Clang and LLVM into the programs" ON)
set(static_llvm OFF)
if(MSCI_STATIC)
  find_library(ZLIB_ARCHIVE libz.a REQUIRED)
  find_library(ZSTD_ARCHIVE libzstd.a REQUIRED)
  # Debian has fmt as a shared library only.
  add_library(msci_fmt OBJECT cmake/fmt.cpp)
  target_include_directories(msci_fmt PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
  # Debian's targets for Clang's archives ask for the shared LLVM, so the archives are named here. The linker
  # takes what is needed of them, and their order is its business.
  file(GLOB archives ${LLVM_LIBRARY_DIRS}/libclang[A-Z]*.a ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
  list(FILTER archives EXCLUDE REGEX "libclang(Daemon|Tidy|d).*\\.a$")
  set(static_llvm -no-pie -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--as-needed $<TARGET_OBJECTS:msci_fmt>
      -Wl,--start-group ${archives} -Wl,--end-group ${ZLIB_ARCHIVE} ${ZSTD_ARCHIVE} ${CMAKE_DL_LIBS})
endif()

add_library(msci_llvm INTERFACE)
target_include_directories(msci_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(LLVM_DEFINITIONS)
target_compile_definitions(msci_llvm INTERFACE ${LLVM_DEFINITIONS})
set(wants_static $<AND:$<BOOL:${MSCI_STATIC}>,$<BOOL:$<TARGET_PROPERTY:MSCI_STATIC_LLVM>>>)
target_link_libraries(msci_llvm INTERFACE "$<${wants_static}:${static_llvm}>"
                                          "$<$<NOT:${wants_static}>:${CLANG_CPP};LLVM>")
