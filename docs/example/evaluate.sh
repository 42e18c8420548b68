#!/bin/sh
# Evaluates every seed and every candidate of corpus/ on its task, including the held-out size: one JSON object per line.
#   docs/example/evaluate.sh build/bin OUT     # OUT/seeds.jsonl, OUT/corpus.jsonl; a quarter of an hour on two cores
set -eu
bin=$1
out=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$out"
judge() { "$bin/msci-eval" --time-limit 20 --held-out --json "$@" || [ $? -eq 1 ]; }  # 1: a kernel is rejected or wrong

judge --task all >"$out/seeds.jsonl"
: >"$out/corpus.jsonl"
judge --task hmc "$root/corpus/held_out/hmc_enumerated.metal" >>"$out/corpus.jsonl"
judge --task fft3d "$root/corpus/held_out/fft3d_enumerated.metal" >>"$out/corpus.jsonl"
for task in $(sed -n 's|^// task: ||p' "$root"/corpus/cheats/*.metal | sort -u); do
  judge --task "$task" $(grep -lx "// task: $task" "$root"/corpus/cheats/*.metal) >>"$out/corpus.jsonl"
done
