#!/usr/bin/env bash
# The site can be made of the pages, and no link in it leads nowhere: tests/tutorial/site.sh SOURCE_DIR
# Exits with 77 and a word where mkdocs or its theme is absent.
set -euo pipefail
command -v mkdocs >/dev/null || { echo "skipped: there is no mkdocs"; exit 77; }
mkdocs build --help | grep -q material || { echo "skipped: there is no mkdocs-material"; exit 77; }
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
"$1/docs/site.sh" "$site" >/dev/null
for page in index tutorial/first_kernel/index rules/metal.restrict/index tasks/nbody/index; do
  [[ -s $site/$page.html ]] || { echo "FAILED: there is no $page.html"; exit 1; }
done
echo "the site is whole"
