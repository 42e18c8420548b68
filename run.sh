#!/usr/bin/env bash
# Lints and judges a Metal kernel: ./run.sh [KERNEL.metal [TASK]]
# Without TASK, the task is the one that dispatches a kernel of the file. TASK may also be a plan file. Without
# arguments, it takes the seed kernel of nbody. Installs missing packages and builds first.
# Exit status: 0 if the kernel is right, 1 if it is refused or wrong, 2 if it could not be judged.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
from=$PWD
usage() { sed -n '2,5s/^# //p' "$here/run.sh"; }
stop() { echo "run.sh: $1" >&2; exit 2; }

case ${1:-} in -h | --help) usage; exit 0 ;; esac
(($# <= 2)) || { usage >&2; stop "too many arguments"; }
kernel=${1:-$here/tasks/nbody/nbody.metal}
task=${2:-}
[[ ! -d $kernel ]] || stop "$kernel is a folder; name a Metal source in it. msci-lint checks a folder"
[[ -f $kernel && -r $kernel ]] || stop "cannot read $kernel: there is no such file, or you may not read it"
[[ $kernel != -* ]] || kernel=./$kernel

set --  # the arguments of setup.sh would be packages
source "$here/packaging/setup.sh"
if [[ ! -e build/build.ninja ]]; then
  echo "Building msci in $here/build. The first time, this takes some minutes."
  configure -DMSCI_TESTS=OFF
fi
build --target msci
cd "$from"
bin=$here/build/bin

echo "Linting $kernel"
status=0
"$bin/msci-lint" ${task:+--task "$task"} "$kernel" || status=$?
if ((status == 1)); then
  echo "Result: refused. $kernel has the errors above; correct them, and run this again."
  exit 1
fi
((status == 0)) || stop "could not lint $kernel: the reason is above"

# A plan file may lack a held-out size.
held_out=(--held-out)
[[ ! -f $task ]] || held_out=()
echo "Judging $kernel"
"$bin/msci-eval" "$kernel" --task "${task:-all}" "${held_out[@]}" || status=$?
if ((status == 1)) && [[ -z $task ]]; then
  again=$("$bin/msci-eval" "$kernel" --task all --verify-only 2>&1 || true)
  [[ $again != *"none of the tasks dispatches a kernel"* ]] ||
    stop "no task dispatches a kernel of $kernel. Name its task: ./run.sh $kernel TASK, where TASK is one that
$bin/msci-tasks lists, or the plan file of a task of your own (docs/reference/plan_file.md)"
fi
case $status in
  0) echo "Result: right. $kernel gives the results of its task's reference. The times above are those of this machine." ;;
  1) echo "Result: wrong. $kernel compiles, but does not pass its task. The lines above say where." ;;
  *) stop "could not judge $kernel; the reason is above" ;;
esac
exit $status
