# embed_texts(OUTPUT HEADER TYPE SYMBOL NAMES… FILES…): OUTPUT, made when a file changes, is C++ that defines
# `extern const std::vector<TYPE> SYMBOL`, as HEADER declares it: one TYPE {name, text} for each file.
function(embed_texts output header type symbol)
  cmake_parse_arguments(PARSE_ARGV 4 ARG "" "" "NAMES;FILES")
  set(script ${CMAKE_SOURCE_DIR}/packaging/embed.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DNAMES=${ARG_NAMES}" "-DFILES=${ARG_FILES}" -DINCLUDE=${header}
            -DTYPE=${type} -DSYMBOL=${symbol} -P ${script}
    DEPENDS ${ARG_FILES} ${script}
    VERBATIM)
endfunction()
