# CPack runs this after it has made a Debian package. CPack counts a symbolic link as if it were a copy of its target. This
# corrects the package's field Installed-Size to what dpkg-gencontrol computes: in KiB, each file rounded up, and 1 for
# each other entry.
file(GLOB_RECURSE entries LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/usr/*)
set(kibibytes 0)
foreach(entry IN LISTS entries)
  set(size 1024)
  if(NOT IS_SYMLINK ${entry} AND NOT IS_DIRECTORY ${entry})
    file(SIZE ${entry} size)
  endif()
  math(EXPR kibibytes "${kibibytes} + (${size} + 1023) / 1024")
endforeach()

# PACKAGE_FILE is an archive of archives; the field is in control.tar.*.
function(set_installed_size package_file)
  set(work ${CPACK_TEMPORARY_DIRECTORY}.control)
  file(REMOVE_RECURSE ${work})
  file(MAKE_DIRECTORY ${work}/files)
  execute_process(COMMAND ar x ${package_file} WORKING_DIRECTORY ${work} COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB control_archive ${work}/control.tar.*)
  execute_process(COMMAND tar -xf ${control_archive} -C ${work}/files COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${work}/files/control control)
  string(REGEX REPLACE "Installed-Size: [0-9]+" "Installed-Size: ${kibibytes}" control "${control}")
  file(WRITE ${work}/files/control "${control}")
  set(time "")
  if(DEFINED ENV{SOURCE_DATE_EPOCH})
    set(time --mtime=@$ENV{SOURCE_DATE_EPOCH})
  endif()
  execute_process(COMMAND tar -caf ${control_archive} --sort=name ${time} --owner=root:0 --group=root:0 -C ${work}/files .
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ar rD ${package_file} ${control_archive} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(package_file IN LISTS CPACK_PACKAGE_FILES)
  set_installed_size(${package_file})
endforeach()
