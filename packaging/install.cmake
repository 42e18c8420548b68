# What `cmake --install` puts where, and the Debian package that `cpack -G DEB` makes of it.
set(separate_programs msci-report msci-search msci-generate)
# The packages run on any Linux with the C library of the build, or of MSCI_GLIBC, or a later one: fmt's shared library
# has another name in each release of Debian, and libstdc++ must be as new as the compiler.
if(MSCI_STATIC AND TARGET msci_fmt)
  foreach(program IN LISTS separate_programs ITEMS msci-worker)
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:msci_fmt>)
    target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc -Wl,--as-needed,-z,now)
  endforeach()
endif()
# Addresses that a start computes take a byte in place of 24, where the C library knows that form.
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("#include <features.h>
#if !__GLIBC_PREREQ(2, 36)
#error
#endif
int main() {}" glibc_unpacks_addresses)
if(LLD AND glibc_unpacks_addresses AND NOT MSCI_GLIBC)
  set(pack_addresses -Wl,-z,pack-relative-relocs)
endif()
# Each start has other addresses, and nothing that a program calls through can be replaced (tests/package/hardened.py).
foreach(program IN LISTS separate_programs ITEMS msci msci-worker msci-mesa)
  msci_link_to_old_glibc(${program})
  target_link_options(${program} PRIVATE -pie -Wl,-z,relro,-z,now -Wl,--gc-sections ${merge_functions} ${pack_addresses})
endforeach()
install(TARGETS msci ${separate_programs} RUNTIME)
foreach(tool IN LISTS MSCI_TOOLS MSCI_XCODE_NAMES)
  install(FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${tool} TYPE BIN)  # a symbolic link to msci
endforeach()
# Which users never start; and the script that gets Mesa's packages for msci-mesa.
install(TARGETS msci-worker msci-mesa RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/msci)
install(PROGRAMS compiler/mesa/make_mesa_root.sh DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/msci)
# The same for the device `cpu`: msci by another name.
file(RELATIVE_PATH msci_from_libexec /${CMAKE_INSTALL_LIBEXECDIR}/msci /${CMAKE_INSTALL_BINDIR}/msci)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/libexec_link)
file(CREATE_LINK ${msci_from_libexec} ${CMAKE_BINARY_DIR}/libexec_link/msci-engine-worker SYMBOLIC)
install(FILES ${CMAKE_BINARY_DIR}/libexec_link/msci-engine-worker DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/msci)

# Manual pages and shell completions, printed by the programs themselves.
set(share ${CMAKE_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${share}/man/man1 ${share}/bash-completion/completions ${share}/zsh/site-functions
                    ${share}/fish/vendor_completions.d)
foreach(program IN LISTS MSCI_TOOLS separate_programs)
  set(target ${program})
  if(program IN_LIST MSCI_TOOLS)
    set(target msci)
  endif()
  set(command $<TARGET_FILE_DIR:${target}>/${program})
  set(man ${share}/man/man1/${program}.1)
  set(bash ${share}/bash-completion/completions/${program})
  set(zsh ${share}/zsh/site-functions/_${program})
  set(fish ${share}/fish/vendor_completions.d/${program}.fish)
  add_custom_command(
    OUTPUT ${man}.gz ${bash} ${zsh} ${fish}
    COMMAND ${command} --print man > ${man}
    COMMAND gzip -9nf ${man}
    COMMAND ${command} --print bash > ${bash}
    COMMAND ${command} --print zsh > ${zsh}
    COMMAND ${command} --print fish > ${fish}
    DEPENDS ${target})
  list(APPEND self_descriptions ${man}.gz ${bash} ${zsh} ${fish})
endforeach()
# msci itself has no options, and those of the other two are Apple's.
configure_file(driver/msci.1 ${share}/man/man1/msci.1 COPYONLY)
configure_file(driver/metal.1 ${share}/man/man1/metal.1 COPYONLY)
configure_file(driver/metal.1 ${share}/man/man1/xcrun.1 COPYONLY)
foreach(page msci metal xcrun)
  execute_process(COMMAND gzip -9nf ${share}/man/man1/${page}.1 COMMAND_ERROR_IS_FATAL ANY)
endforeach()
add_custom_target(self_descriptions ALL DEPENDS ${self_descriptions})
install(DIRECTORY ${share}/ DESTINATION ${CMAKE_INSTALL_DATADIR} PATTERN doc EXCLUDE)

# The documentation keeps its layout, so that its links work.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY rules DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN *.md)

# What Debian wants of every package: the licence in its format, and a changelog. And the notices of the code that is
# inside the programs, as the packages have them that it comes from.
configure_file(packaging/debian/changelog.in ${CMAKE_BINARY_DIR}/debian/changelog @ONLY)
execute_process(COMMAND gzip -9nkf ${CMAKE_BINARY_DIR}/debian/changelog COMMAND_ERROR_IS_FATAL ANY)
install(FILES packaging/debian/copyright ${CMAKE_BINARY_DIR}/debian/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES packaging/debian/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME msci)
file(STRINGS packaging/release/components.txt components)
foreach(component IN LISTS components)
  string(REGEX REPLACE " .*" "" package "${component}")
  file(REAL_PATH /usr/share/doc/${package}/copyright notice)
  if(EXISTS ${notice})
    install(FILES ${notice} DESTINATION ${CMAKE_INSTALL_DOCDIR}/licences RENAME ${package})
  endif()
endforeach()

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # what is installed needs no tests to be built
set(CPACK_GENERATOR DEB)  # cpack -G TGZ makes the tarball
set(CPACK_PACKAGE_CONTACT "The msci maintainers <msci@msci.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/packaging/debian/finish_package.cmake)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_MSCI_GLIBC ${MSCI_GLIBC})  # for finish_package.cmake
# Kernels run on the processor without a driver, and a machine with a GPU brings its own. msci-worker loads OpenCL's
# loader when it starts, and says where it is missing.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ocl-icd-libopencl1 | libopencl1, pocl-opencl-icd | opencl-icd")
# Loaded, so that dpkg-shlibdeps does not see it. Without it, msci-lint misses what only proofs find.
set(CPACK_DEBIAN_PACKAGE_DEPENDS libz3-4)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_PACKAGE_DESCRIPTION "msci lints and evaluates Apple Metal compute kernels without a Mac. It reports
what Apple's compiler would reject, runs the kernel on the processor or on an
OpenCL device in a sandboxed process, checks the results against a reference,
and measures the speed.")
include(CPack)
