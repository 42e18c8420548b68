#!/usr/bin/env bash
# msci-search on a Slurm cluster of two nodes, both of them this machine: slurm_test.sh MSCI_SEARCH
# One node is lost while it works. Exit status 77: Slurm is missing or does not start.
set -uo pipefail
search=$1
source "$(dirname "${BASH_SOURCE[0]}")/slurm_cluster.sh"

# A judge that takes its time on its first visit to n2.
cat >"$folder/judge.sh" <<'J'
for file; do :; done
case "$*" in *--gate*) echo '{"size": "S", "verdict": "generalises", "speedup": {"estimate": 2}}'; exit ;; esac
echo "$SLURMD_NODENAME $file" >>"$STATE/visits"
if [ "$SLURMD_NODENAME" = n2 ] && mkdir "$STATE/first" 2>/dev/null; then
  sleep 60
fi
sum=$(cksum <"$file" | cut -d' ' -f1)
echo "{\"compile_ok\": true, \"correct\": true, \"score\": 0.$sum}"
J
cat >"$folder/generator.sh" <<'G'
printf '```metal\nkernel void f_%s(); // %s\n```\n' "$(cksum | cut -d' ' -f1)" "$MSCI_ITERATION"
G
mkdir "$folder/state-of-judge"
run() {
  "$search" --task saxpy --strategy plus --lambda 4 --iterations 8 --generator "sh $folder/generator.sh" \
    --judge "STATE=$folder/state-of-judge sh $folder/judge.sh" --out "$folder/$1" "${@:2}"
}

# Takes n2 away as soon as it works: its daemon, the one that watches the job, the job's script and all below it, in one go.
lose_n2() {
  local script victims
  until [[ -d $folder/state-of-judge/first ]]; do sleep 0.1; done
  sleep 0.2
  script=$(pgrep -f "$folder/spool/n2/.*slurm_script" | head -n 1)
  victims="$(cat "$folder/slurmd-n2.pid") $(ps -o ppid= -p "$script")"
  for process in $(pgrep -g "$script") $(pgrep -s "$script"); do victims+=" $process"; done
  kill -STOP $victims
  kill -KILL $victims
  rm -f "$folder/slurmd-n2.pid"
  scontrol update nodename=n2 state=down reason=lost
}
lose_n2 &
run slurm --slurm --poll 0.2 || { echo "FAILED: the search did not end well"; tail -n 5 "$folder"/*.log; exit 1; }
wait

failures=0
fail() { echo "FAILED: $1"; failures=1; }
[[ -d $folder/state-of-judge/first ]] || fail "nothing ever ran on n2"
lost=$(grep -m1 '^n2' "$folder/state-of-judge/visits" | cut -d' ' -f2)
[[ $(grep -c " $lost\$" "$folder/state-of-judge/visits") -ge 2 ]] || fail "$lost was not judged again"
[[ $(grep -c '^n1' "$folder/state-of-judge/visits") -ge 8 ]] || fail "n1 did not take over: $(cat "$folder/state-of-judge/visits")"
run local >/dev/null || fail "the search without Slurm did not end well"
for i in 1 2 3 4 5 6 7 8; do
  cmp "$folder/slurm/0${i}_candidate.metal" "$folder/local/0${i}_candidate.metal" || fail "iteration $i differs"
done
compgen -G "$folder/slurm/slurm.*" >/dev/null && fail "a submission's folder was left behind"
exit $failures
