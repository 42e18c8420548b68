# msci_llvm: Clang and LLVM 22 from Debian's archive. Libraries and tests link the shared ones, which takes no time.
# A program with the property MSCI_STATIC_LLVM contains them: a shared Clang takes 20 ms to load, as long as linting a
# kernel. Loading no library but the C one saves another 1 ms.
find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)
find_library(CLANG_CPP clang-cpp HINTS ${LLVM_LIBRARY_DIRS} REQUIRED)

# lld links a test in a seventh of GNU ld's time, and msci in seconds instead of minutes.
find_program(LLD ld.lld HINTS ${LLVM_TOOLS_BINARY_DIR})
if(LLD)
  add_link_options(-fuse-ld=lld -B${LLVM_TOOLS_BINARY_DIR})
  set(merge_functions -Wl,--icf=all)  # saves 6 MB of msci
  # What runs at each start lies together: a page fault brings 64 KB of code.
  set(order_functions -Wl,-z,keep-text-section-prefix -Wl,-T,${CMAKE_SOURCE_DIR}/packaging/options_of_llvm.ld)
endif()

option(MSCI_STATIC "Link Clang and LLVM into the programs" ON)
set(static_llvm OFF)
if(MSCI_STATIC)
  find_library(ZLIB_ARCHIVE libz.a REQUIRED)
  find_library(ZSTD_ARCHIVE libzstd.a REQUIRED)
  # Debian packages fmt only as a shared library.
  add_library(msci_fmt OBJECT packaging/fmt.cpp)
  target_include_directories(msci_fmt PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
  # Debian's targets for Clang's archives link the shared LLVM, so the archives are listed here. The linker takes
  # only what the program needs of them, and finds their order itself.
  file(GLOB archives ${LLVM_LIBRARY_DIRS}/libclang[A-Z]*.a ${LLVM_LIBRARY_DIRS}/libLLVM*.a)
  list(FILTER archives EXCLUDE REGEX "libclang(Daemon|Tidy|d).*\\.a$")
  set(static_llvm -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--strip-debug
      $<TARGET_OBJECTS:msci_fmt> ${merge_functions} ${order_functions} -Wl,--start-group ${archives} -Wl,--end-group ${ZLIB_ARCHIVE} ${ZSTD_ARCHIVE} ${CMAKE_DL_LIBS})
endif()

add_library(msci_llvm INTERFACE)
target_include_directories(msci_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(LLVM_DEFINITIONS)
target_compile_definitions(msci_llvm INTERFACE ${LLVM_DEFINITIONS})
set(wants_static $<AND:$<BOOL:${MSCI_STATIC}>,$<BOOL:$<TARGET_PROPERTY:MSCI_STATIC_LLVM>>>)
# An option, because it only acts on libraries behind it: fmt's shared one brings libstdc++'s along.
target_link_options(msci_llvm INTERFACE "$<${wants_static}:-Wl,--as-needed>")
target_link_libraries(msci_llvm INTERFACE "$<${wants_static}:${static_llvm}>"
                                          "$<$<NOT:${wants_static}>:${CLANG_CPP};LLVM>")
