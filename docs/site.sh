#!/usr/bin/env bash
# Makes a site of these pages, those of the tasks and the README: docs/site.sh FOLDER
# Needs Debian's mkdocs and mkdocs-material. A link that leads nowhere fails it.
set -euo pipefail
site=$(realpath -m -- "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pages=$work/pages

cp -r docs "$pages"
mv "$pages/mkdocs.yml" "$work"
cp LICENSE "$pages"
sed 's#](docs/#](#g' README.md > "$pages/index.md"

mkdir "$pages/tasks"
{
  printf '# Tasks\n\nWhat kernels are written for; `msci-tasks describe TASK` prints more.\n\n| task | |\n|---|---|\n'
  for page in tasks/*/*.md; do
    name=$(basename "$page" .md)
    cp "$page" "$pages/tasks/"
    first=$(sed -n '2,$p' "$page" | grep -m 1 . || true)
    printf '| [%s](%s.md) | %s |\n' "$name" "$name" "$first"
  done
} > "$pages/tasks/README.md"

# What pages show of the sources lies beside them.
grep -ohE '\]\(\.\./[^)#]+' docs/*.md | sed 's#](\.\./##' | sort -u | while read -r file; do
  mkdir -p "$pages/source/$(dirname "$file")"
  cp -r "$file" "$pages/source/$file"
done
sed -i 's#](\.\./#](source/#g' "$pages"/*.md

mkdocs build --strict --config-file "$work/mkdocs.yml" --site-dir "$site" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
echo "$site/index.html"
