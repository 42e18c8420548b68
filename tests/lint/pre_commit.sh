#!/usr/bin/env bash
# The hooks of .pre-commit-hooks.yaml under the real pre-commit: a bad kernel is refused, a good one is committed, and
# the fixing hook fixes.
#   pre_commit.sh REPOSITORY FOLDER_OF_MSCI_LINT
#   pre_commit.sh REPOSITORY --node FOLDER_OF_THE_MODULE  # Node.js and no native program; npm asks no registry
# Exits with 77 and a word where a program or the module is absent.
set -euo pipefail
repository=$1
tools=(git pre-commit)
[[ $2 != --node ]] || tools+=(node npm)
for tool in "${tools[@]}"; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is missing"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!GIT_@}"  # of a hook or a worktree that this may run in
export HOME=$work PRE_COMMIT_HOME=$work/cache GIT_CONFIG_NOSYSTEM=1
if [[ $2 == --node ]]; then
  [[ -e $3/msci-lint.wasm ]] || { echo "$3 has no module; packaging/wasm/build.sh makes it"; exit 77; }
  export npm_config_offline=true npm_config_update_notifier=false
  package=$work/$(cd "$work" && npm pack --silent "$(realpath "$3")")
  check=msci-lint-node
  options="additional_dependencies: ['$package']"
  fix="msci-lint-node
    args: [--fix]"
else
  export PATH=$2:$PATH
  check=msci-lint fix=msci-lint-fix options='verbose: false'
fi
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org

fail() { echo "FAILED: $1"; cat "$work/log"; exit 1; }

# The hooks come from a repository, as they do for users.
git init -q "$work/hooks"
cp "$repository"/{.pre-commit-hooks.yaml,package.json} "$work/hooks"
git -C "$work/hooks" add .
git -C "$work/hooks" commit -qm hooks

git init -q "$work/project"
cd "$work/project"
use() {
  printf 'repos:\n- repo: %s\n  rev: %s\n  hooks:\n  - id: %s\n    %s\n' "$work/hooks" \
    "$(git -C "$work/hooks" rev-parse HEAD)" "$1" "$options" >.pre-commit-config.yaml
  git add .pre-commit-config.yaml
}
use "$check"
pre-commit install >"$work/log" 2>&1 || fail "pre-commit cannot be installed"

echo 'kernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 0.0f; }' >good.metal
git add .
git commit -m good >"$work/log" 2>&1 || fail "a good kernel is refused"
grep -q 'msci-lint.*Passed' "$work/log" || fail "the hook did not run"

echo 'kernel void g(device float* restrict x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 0.0f; }' >bad.metal
git add .
git commit -m bad >"$work/log" 2>&1 && fail "a bad kernel is committed"
grep -q 'bad.metal:1:38: error: .* \[metal.restrict\]' "$work/log" || fail "the finding is not shown"

use "$fix"
git commit -m fixed >"$work/log" 2>&1 && fail "fixed files are committed without a look"
grep -q 'files were modified by this hook' "$work/log" || fail "nothing was fixed"
git add .
git commit -m fixed >"$work/log" 2>&1 || fail "the fixed kernel is refused"
grep -q '__restrict' bad.metal || fail "the kernel is not fixed"

# pre-commit names each changed file; the configuration excludes generated ones.
echo '{"exclude": ["*.gen.metal"]}' >.msci.json
echo 'not metal' >x.gen.metal
git add .
git commit -m generated >"$work/log" 2>&1 || fail "an excluded file is checked"
echo "the hooks work"
