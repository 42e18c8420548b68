#!/usr/bin/env bash
# msci-eval --slurm on a cluster of two nodes, both of them this machine: slurm_batch_test.sh MSCI_EVAL SOURCE
# Exit status 77: Slurm is missing or does not start.
set -uo pipefail
eval=$1 source=$2
source "$source/tests/search/slurm_cluster.sh"
export XDG_CACHE_HOME=$folder/cache
failures=0
fail() { echo "FAILED: $1"; failures=1; }

mkdir "$folder/work"
cd "$folder/work" || exit 1
example=$source/docs/plan_example
for i in 1 2 3 4; do { cat "$example/smooth.metal"; echo "// $i"; } >right$i.metal; done
sed 's|/ 3.0f|/ 4.0f|' right1.metal >wrong.metal
echo 'kernel void smooth(' >"refused file's.metal"
files=(right1.metal wrong.metal right2.metal "refused file's.metal" right3.metal)
options=(--task "$example/plan.json" --device cpu --verify-only --json)
"$eval" "${files[@]}" "${options[@]}" >local.jsonl 2>/dev/null
[[ $? == 1 ]] || fail "the batch without Slurm did not end with 1"

run() { "$eval" "$@" "${options[@]}" --slurm batch --nodes 2 --poll 0.2 2>err; }
run "${files[@]}" >slurm.jsonl
[[ $? == 1 ]] || fail "the batch did not end with 1: $(cat err)"
cmp local.jsonl slurm.jsonl || fail "the results differ from those without Slurm"
grep -q right1 batch/part.0.jsonl && grep -q wrong batch/part.1.jsonl || fail "the nodes did not share the files"
compgen -G "batch/slurm.*" >/dev/null && fail "a submission's folder was left behind"

# What is there is not judged again; a file that is new is.
run "${files[@]}" >again.jsonl
cmp slurm.jsonl again.jsonl || fail "the results are not kept"
[[ -e batch/part.2.sh ]] && fail "judged again: $(cat batch/part.2.jsonl)"
run "${files[@]}" right4.metal >more.jsonl
[[ $(wc -l <more.jsonl) == 6 && $(wc -l <batch/part.2.jsonl) == 2 ]] || fail "the new file is not judged alone"

# A node that was lost leaves a part without an end, and half a line.
sed -i '$d' batch/part.0.jsonl
truncate -s -20 batch/part.0.jsonl
run "${files[@]}" >resumed.jsonl
cmp slurm.jsonl resumed.jsonl || fail "the results differ after a loss"
[[ -e batch/part.3.sh ]] || fail "what was lost is not judged again"

# What the results were judged by has to stay the same.
cp -r "$example" plan && echo >plan/table.txt
own=(--task plan/plan.json "${options[@]:2}")
"$eval" right1.metal "${own[@]}" --slurm own --poll 0.2 >/dev/null 2>err || fail "the batch on a copy of the plan: $(cat err)"
echo other >plan/table.txt  # the plan does not name it
"$eval" right1.metal "${own[@]}" --slurm own --poll 0.2 >/dev/null 2>err || fail "a file that no plan names counts: $(cat err)"
echo "# other" >>plan/reference.py
"$eval" right1.metal "${own[@]}" --slurm own --poll 0.2 >/dev/null 2>err
[[ $? == 2 ]] && grep -q "plan/plan.json, or a file that it names, such as its seed, has changed" err || fail "a changed plan: $(cat err)"
cp "$example/reference.py" plan/
sed -i 's/"program": "[^"]*/&0/' own/batch.json
"$eval" right1.metal "${own[@]}" --slurm own --poll 0.2 >/dev/null 2>err
[[ $? == 2 ]] && grep -q "another build of msci-eval" err || fail "another build: $(cat err)"

echo "// other" >>right1.metal
run "${files[@]}" >/dev/null && fail "a file that has changed is taken for the same"
grep -q "right1.metal has changed" err || fail "it does not say which file has changed: $(cat err)"
"$eval" right2.metal --task "$example/plan.json" --device cpu --verify-only --stop-at-wrong --json --slurm batch >/dev/null 2>err
grep -q "other options" err || fail "other options are taken for the same: $(cat err)"
exit $failures
