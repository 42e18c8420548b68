# CPack runs this after it has made a Debian package, and it corrects three things:
# - CPack counts a symbolic link as if it were a copy of its target. Installed-Size becomes what dpkg-gencontrol computes:
#   in KiB, each file rounded up, and 1 for each other entry.
# - CPack adds scripts that call ldconfig. Debian's packages trigger it instead.
# - dpkg-shlibdeps takes the libraries that are part of libc6 since 2.34 for a need of that version.
file(GLOB_RECURSE entries LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/usr/*)
set(kibibytes 0)
foreach(entry IN LISTS entries)
  set(size 1024)
  if(NOT IS_SYMLINK ${entry} AND NOT IS_DIRECTORY ${entry})
    file(SIZE ${entry} size)
  endif()
  math(EXPR kibibytes "${kibibytes} + (${size} + 1023) / 1024")
endforeach()

# PACKAGE_FILE is an archive of archives; the field and the scripts are in control.tar.*.
function(finish package_file)
  set(work ${CPACK_TEMPORARY_DIRECTORY}.control)
  file(REMOVE_RECURSE ${work})
  file(MAKE_DIRECTORY ${work}/files)
  execute_process(COMMAND ar x ${package_file} WORKING_DIRECTORY ${work} COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB control_archive ${work}/control.tar.*)
  execute_process(COMMAND tar -xf ${control_archive} -C ${work}/files COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${work}/files/control control)
  string(REGEX REPLACE "Installed-Size: [0-9]+" "Installed-Size: ${kibibytes}" control "${control}")
  if(CPACK_MSCI_GLIBC)
    string(REGEX REPLACE "libc6 \\(>= [0-9.]+\\)" "libc6 (>= ${CPACK_MSCI_GLIBC})" control "${control}")
  endif()
  file(WRITE ${work}/files/control "${control}")
  if(EXISTS ${work}/files/postinst)
    file(STRINGS ${work}/files/postinst script REGEX ldconfig)
    if(script)
      file(REMOVE ${work}/files/postinst ${work}/files/postrm)
      file(WRITE ${work}/files/triggers "activate-noawait ldconfig\n")
    endif()
  endif()
  set(time "")
  if(DEFINED ENV{SOURCE_DATE_EPOCH})
    set(time --mtime=@$ENV{SOURCE_DATE_EPOCH})
  endif()
  execute_process(COMMAND tar -caf ${control_archive} --sort=name ${time} --owner=root:0 --group=root:0
                          -C ${work}/files . COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ar rD ${package_file} ${control_archive} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(package_file IN LISTS CPACK_PACKAGE_FILES)
  finish(${package_file})
endforeach()
