#!/usr/bin/env bash
# A build without Clang and LLVM loads a translated program, runs it and judges it; and says so when it is handed Metal.
# tests/llvm_free.sh SOURCE_DIR MSCI_EVAL WORK_DIR
set -euo pipefail
source_dir=$1 eval_with_frontend=$2 work=$3
mkdir -p "$work"

"$eval_with_frontend" "$source_dir/tasks/heat2d/heat2d.metal" --emit opencl > "$work/heat2d.cl"

cmake -S "$source_dir" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 \
      -DMSCI_FRONTEND=OFF -DMSCI_TESTS=OFF > /dev/null
cmake --build "$work/build" --target msci-eval msci-worker > /dev/null
tool=$work/build/bin/msci-eval

for binary in "$tool" "$work/build/bin/msci-worker"; do
  if ldd "$binary" | grep -Ei 'clang|LLVM'; then
    echo "$binary links Clang or LLVM" >&2
    exit 1
  fi
done

"$tool" --program "$work/heat2d.cl" --task heat2d --verify-only

status=0
"$tool" "$source_dir/tasks/heat2d/heat2d.metal" --task heat2d --verify-only 2> "$work/refusal" || status=$?
[[ $status == 2 ]] && grep -q 'cannot read Metal' "$work/refusal" || {
  echo "expected exit 2 and 'cannot read Metal', got $status and: $(cat "$work/refusal")" >&2
  exit 1
}
