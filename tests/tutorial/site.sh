#!/usr/bin/env bash
# The website builds from the pages without a broken link, and looks as it should where Chromium is installed:
# tests/tutorial/site.sh SOURCE_DIR
# Prints a message and exits with 77 without mkdocs or its theme.
set -euo pipefail
command -v mkdocs >/dev/null || { echo "skipped: mkdocs is missing"; exit 77; }
[[ $(mkdocs build --help) == *material* ]] || { echo "skipped: mkdocs-material is missing"; exit 77; }
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
"$1/docs/site.sh" "$site" >/dev/null
for page in index guide/first_kernel/index rules/metal/restrict/index CONTRIBUTING/index tasks/nbody/index; do
  [[ -s $site/$page.html ]] || { echo "FAILED: $page.html is missing"; exit 1; }
done
page=$site/rules/metal/restrict/index.html
grep -q 'prefers-color-scheme: dark' "$page" || { echo "FAILED: the site has no dark colours"; exit 1; }
grep -q '<title>metal.restrict - msci</title>' "$page" || { echo "FAILED: the title lacks the rule's family"; exit 1; }
grep -q '<span class="kt">float</span>' "$page" || { echo "FAILED: Metal code has no colours"; exit 1; }
! grep -rl '```' "$site/rules" || { echo "FAILED: these pages show the fence of a block"; exit 1; }
status=0
"$(dirname "${BASH_SOURCE[0]}")/site_looks.py" "$site" || status=$?
[[ $status == 0 || $status == 77 ]] || { echo "FAILED: the site does not look well"; exit 1; }
echo "the site is complete"
