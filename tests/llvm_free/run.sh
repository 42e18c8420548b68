#!/usr/bin/env bash
# msci-eval without Clang and LLVM loads a translated program, runs it and judges it; and says so when it is handed Metal.
# tests/llvm_free/run.sh SOURCE_DIR MSCI_EVAL FOLDER, which has msci-eval and msci-worker without LLVM
set -euo pipefail
source_dir=$1 eval_with_frontend=$2 folder=$3
tool=$folder/msci-eval
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$eval_with_frontend" "$source_dir/tasks/heat2d/heat2d.metal" --emit opencl > "$work/heat2d.cl"

for binary in "$tool" "$folder/msci-worker"; do
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
