#!/bin/sh
# Clang and LLVM for WebAssembly, without the optimiser: headers, libraries and the sysroot that they need.
#   packaging/wasm/llvm.sh ARCHIVE [JOBS]
# ARCHIVE: the sources of LLVM 22.1.8, with clang/, llvm/, cmake/ and third-party/ (LLVM's release has the SHA-256 of its
# archive). Prints the folder with the result, which is named by what goes into it: a second call finds it there.
# Needs clang-22, lld-22, llvm-22 (llvm-tblgen-22, clang-tblgen-22), cmake, ninja, npm. Takes about 100 minutes of
# processor time. MSCI_WASM_CACHE: where the folder lies; ~/.cache/msci/wasm without it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
archive=$(realpath "${1:?name the archive of the sources of LLVM 22.1.8}")
jobs=${2:-$(nproc)}
sysroot_package=@yowasp/clang@22.0.0-git20542-10  # its sysroot: libc++ with files, wasi-libc
sysroot_sha256=6230ea1afa9691fa065935cf68c01642ff9b31c183fe8ac64cdfda025df06009

inputs() {
  sha256sum < "$archive"
  cat "$here/llvm.sh" "$here/toolchain.cmake" "$here"/Platform/*.cmake
  find "$here/shims" -type f | sort | xargs cat
  clang-22 --version
}
key=$(inputs | sha256sum | cut -c1-16)
cache=${MSCI_WASM_CACHE:-$HOME/.cache/msci/wasm}
result=$cache/llvm-$key
if [ -e "$result/complete" ]; then
  echo "$result"
  exit
fi
mkdir -p "$result"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The sysroot, with Clang's own headers.
cd "$work"
npm pack --silent "$sysroot_package" > /dev/null
echo "$sysroot_sha256  $(ls ./*.tgz)" | sha256sum --check --quiet
tar -xzf ./*.tgz package/gen/llvm-resources.tar
mkdir resources
tar -xf package/gen/llvm-resources.tar -C resources
root=$result/root
mkdir -p "$root/include" "$root/lib" "$root/clang/lib"
cp -r resources/include/wasm32-wasip1 resources/include/c++ "$root/include/"
cp -r resources/lib/wasm32-wasip1 "$root/lib/"
cp -r resources/lib/wasm32-unknown-wasip1 "$root/clang/lib/"
cp -r "$(clang-22 -print-resource-dir)/include" "$root/clang/"
export WASI_ROOT="$root"

mkdir source
tar -xf "$archive" -C source --strip-components=1
cmake -S source/llvm -B build -G Ninja -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" \
  -DCMAKE_BUILD_TYPE=MinSizeRel -DLLVM_ENABLE_PROJECTS=clang -DLLVM_TARGETS_TO_BUILD= \
  -DLLVM_INCLUDE_TESTS=OFF -DLLVM_INCLUDE_BENCHMARKS=OFF -DLLVM_INCLUDE_EXAMPLES=OFF \
  -DLLVM_INCLUDE_DOCS=OFF -DLLVM_INCLUDE_UTILS=OFF -DLLVM_BUILD_TOOLS=OFF -DCLANG_BUILD_TOOLS=OFF \
  -DLLVM_BUILD_STATIC=ON -DLLVM_ENABLE_PIC=OFF -DLLVM_ENABLE_THREADS=OFF -DLLVM_ENABLE_ZSTD=OFF \
  -DLLVM_ENABLE_ZLIB=OFF -DCLANG_ENABLE_STATIC_ANALYZER=OFF \
  -DLLVM_DEFAULT_TARGET_TRIPLE=wasm32-wasip1 -DLLVM_TABLEGEN="$(command -v llvm-tblgen-22)" \
  -DCLANG_TABLEGEN="$(command -v clang-tblgen-22)" >&2
ninja -C build -j "$jobs" clangFrontend clangASTMatchers >&2

mkdir -p "$result/include" "$result/lib"
cp -r source/llvm/include/. source/clang/include/. build/include/. build/tools/clang/include/. "$result/include/"
cp build/lib/*.a "$result/lib/"
touch "$result/complete"
echo "$result"
