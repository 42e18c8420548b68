#!/usr/bin/env bash
# Fuzzes every target for a while: tests/fuzz/run.sh BUILD [SECONDS [TARGET…]]
# BUILD was configured with -DMSCI_FUZZ=ON and Clang's compiler (docs/developer/fuzzing.md). What a target has found
# interesting is kept in BUILD/corpus and starts the next run. Ends at the first crash, hang or
# sanitizer report, whose input it leaves in BUILD.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$here/../..
build=$(realpath -- "${1:?which build folder? see docs/developer/fuzzing.md}")
seconds=${2:-60}
targets=("${@:3}")
((${#targets[@]})) || targets=(program plan npy results config serialise tokens host worker_reply judge_request answer
                                   suppressions lint prepare)

declare -A seeds=(
  [program]=$top/tests/evaluator/programs
  [plan]=$here/seeds/plan
  [npy]=$here/seeds/npy
  [results]=$top/tests/search/report/results
  [config]=$here/seeds/config
  [serialise]=$here/seeds/serialise
  [tokens]=$top/tests/compiler/frontend/accept
  [host]=$top/tests/lint/host/hosts
  [worker_reply]=$here/seeds/worker_reply
  [judge_request]=$here/seeds/judge_request
  [answer]=$here/seeds/answer
  [suppressions]=$top/rules/lint
  [lint]=$top/corpus/good
  [prepare]=$top/corpus/good
)
# The words of the language's tables, which libFuzzer puts into sources.
words=$(mktemp)
trap 'rm -f "$words"' EXIT
sed -nE 's/^MSCI_(ATTRIBUTE|POSITION|KEYWORD|NAME)\((\w+),.*/"\2"/p' "$top/compiler/frontend/attributes.def" \
  "$top/compiler/frontend/tokens/keywords.def" "$top/lint/target/targets.def" >"$words"
declare -A dictionary=([tokens]=$words [suppressions]=$words [lint]=$words [prepare]=$words)
# Clang and LLVM are linked as Debian builds them: without annotations of their containers, and with
# allocators that do not mark what they hand out, although the parts of them in our code do.
export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0
cd "$build"
for target in "${targets[@]}"; do
  mkdir -p "corpus/$target"
  log=$(mktemp)
  if ! "bin/fuzz_$target" -max_total_time="$seconds" -max_len=6000 -timeout=10 -print_final_stats=1 \
    ${dictionary[$target]:+-dict="${dictionary[$target]}"} "corpus/$target" "${seeds[$target]}" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
  fi
  printf '%-14s %9s runs, no report\n' "$target" "$(sed -n 's/.*number_of_executed_units: //p' "$log")"
  rm -f "$log"
done
