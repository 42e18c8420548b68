#!/usr/bin/env bash
# What the search loop itself costs a candidate, and how many candidates it judges in a minute:
#   tests/bench/search_speed.sh BUILD/bin [LIMIT_MS]
# With Slurm (slurm-wlm, munge), also on a cluster of two nodes, both of them this machine.
# A generator and a judge that do next to nothing are a shell each; with them a candidate's time is the loop's: the prompt,
# two processes, six files. Exit status 1 where that is more than LIMIT_MS (50).
set -euo pipefail
bin=$1
limit=${2:-50}
demo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../docs/demo" && pwd)/nbody
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/judge.sh" <<'J'
case "$*" in
*--gate*) echo '{"size": "S", "verdict": "generalises", "speedup": {"estimate": 2}}' ;;
*) echo '{"compile_ok": true, "correct": true, "score": 0.5}' ;;
esac
J
# now: seconds since the epoch.
now() { date +%s.%N; }
# search NAME ITERATIONS ARGUMENT...: its seconds.
search() {
  local start
  start=$(now)
  "$bin/msci-search" --task nbody --no-gate --out "$work/$1" --iterations "$2" "${@:3}" >/dev/null
  awk -v a="$start" -v b="$(now)" 'BEGIN { print b - a }'
}

count=200
seconds=$(search loop $count --generator "cat '$demo/4.md'" --judge "sh '$work/judge.sh'")
overhead=$(awk -v s="$seconds" -v n=$count 'BEGIN { printf "%.1f", 1000 * s / n }')
echo "loop: $overhead ms a candidate, of $count"

# rate NAME SECONDS: what the real judge makes of nbody.
judged=8
rate() { awk -v s="$2" -v n=$judged -v what="$1" 'BEGIN { printf "nbody, %s: %.1f candidates a minute\n", what, 60 * n / s }'; }
real=(--generator "cat '$demo/4.md'" --strategy plus --lambda 4)
rate "one process" "$(search one $judged "${real[@]}")"
rate "two processes" "$(search two $judged "${real[@]}" --device 0,0)"
(
  set +e
  source "$(dirname "${BASH_SOURCE[0]}")/../search/slurm_cluster.sh"
  rate "two nodes of Slurm" "$(search slurm $judged "${real[@]}" --slurm --poll 0.2)"
) || (($? == 77))
awk -v o="$overhead" -v l="$limit" 'BEGIN { exit !(o <= l) }'
