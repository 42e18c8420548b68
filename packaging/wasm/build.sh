#!/bin/sh
# msci-lint as a WebAssembly module, and the npm package of it.
#   packaging/wasm/build.sh LLVM [FOLDER]
# LLVM: the folder that llvm.sh prints. FOLDER gets the package (build/wasm/npm without it), which `npm pack` packs.
# Takes about ten minutes of processor time.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
llvm=$(realpath "${1:?name the folder that packaging/wasm/llvm.sh prints}")
root=$(cd "$here/../.." && pwd)
build=$root/build/wasm
package=${2:-$build/npm}
export WASI_ROOT="$llvm/root"

cmake -S "$here" -B "$build/module" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" \
  -DCMAKE_BUILD_TYPE=MinSizeRel -DWASM_LLVM="$llvm" > /dev/null
ninja -C "$build/module" prebuild msci-lint

mkdir -p "$package/headers"
cp "$root"/packaging/npm/* "$root/LICENSE" "$package/"
node "$root/packaging/npm/run.mjs" "$build/module/prebuild.wasm" "$package/headers"
cp "$build/module/msci-lint.wasm" "$package/"
