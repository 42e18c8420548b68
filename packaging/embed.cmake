# Writes a C++ file that holds texts:
#   cmake -DOUTPUT=… -DNAMES=a;b -DFILES=p;q -DINCLUDE=header.h -DTYPE=T -DSYMBOL=s -P embed.cmake
# defines `extern const std::vector<T> s`, one element {name, text} a file.
set(body "// Written by packaging/embed.cmake.\n#include \"${INCLUDE}\"\n\nnamespace msci {\n\nextern const std::vector<${TYPE}> ${SYMBOL};\nconst std::vector<${TYPE}> ${SYMBOL}{\n")
list(LENGTH FILES count)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  list(GET NAMES ${i} name)
  list(GET FILES ${i} file)
  # As hexadecimal: CMake's own string functions would stumble over brackets and semicolons.
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" escaped "${bytes}")
  string(APPEND body "    {\"${name}\", \"${escaped}\"},\n")
endforeach()
string(APPEND body "};\n\n}  // namespace msci\n")
file(WRITE "${OUTPUT}" "${body}")
