# What `cmake --install` puts where, and the Debian package that `cpack -G DEB` makes of it.
set(programs msci-eval msci-tasks msci-report)
if(MSCI_FRONTEND)
  list(APPEND programs msci-lint msci-search msci-generate)
endif()
install(TARGETS ${programs} RUNTIME)
install(TARGETS msci-worker RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/msci)  # which nobody starts by hand

# What programs say of their command lines, for man(1) and for shells.
set(share ${CMAKE_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${share}/man/man1 ${share}/bash-completion/completions ${share}/zsh/site-functions
                    ${share}/fish/vendor_completions.d)
foreach(program IN LISTS programs)
  set(man ${share}/man/man1/${program}.1)
  set(bash ${share}/bash-completion/completions/${program})
  set(zsh ${share}/zsh/site-functions/_${program})
  set(fish ${share}/fish/vendor_completions.d/${program}.fish)
  add_custom_command(
    OUTPUT ${man}.gz ${bash} ${zsh} ${fish}
    COMMAND ${program} --print man > ${man}
    COMMAND gzip -9nf ${man}
    COMMAND ${program} --print bash > ${bash}
    COMMAND ${program} --print zsh > ${zsh}
    COMMAND ${program} --print fish > ${fish}
    DEPENDS ${program})
  list(APPEND self_descriptions ${man}.gz ${bash} ${zsh} ${fish})
endforeach()
add_custom_target(self_descriptions ALL DEPENDS ${self_descriptions})
install(DIRECTORY ${share}/ DESTINATION ${CMAKE_INSTALL_DATADIR})

# The README's links lead to docs/, so both keep their places.
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # what is installed needs no tests to be built
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The msci maintainers <msci@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Of PoCL or another driver only what runs kernels has a use, and a machine with a GPU brings its own.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_PACKAGE_DESCRIPTION "msci says whether a Metal kernel is Metal, is right and is fast, where there is no Mac:
it lints the source, translates it to OpenCL C, runs it on any OpenCL device in a process of
its own, and compares it with a reference and with what the hardware can do.")
include(CPack)
