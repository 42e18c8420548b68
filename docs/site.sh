#!/usr/bin/env bash
# Builds a website from these pages, the pages of the rules and tasks, and the README: docs/site.sh FOLDER
# Needs Debian's mkdocs and mkdocs-material. Fails on a broken link.
set -euo pipefail
site=$(realpath -m -- "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pages=$work/pages

cp -r docs "$pages"
mv "$pages/mkdocs.yml" "$work"
cp LICENSE "$pages"
for page in README CONTRIBUTING CHANGELOG; do
  sed 's#](docs/#](#g' "$page.md" > "$pages/$page.md"
done
sed 's#](README.md#](index.md#g' "$pages/README.md" > "$pages/index.md"
rm "$pages/README.md"

# Copies a page and strips "docs/" from its links. Python-Markdown takes one word behind a fence.
copy_page() {
  mkdir -p "$(dirname "$2")"
  sed 's#](\(\(\.\./\)*\)docs/#](\1#g; s#^```\([a-z]*\) .*#```\1#' "$1" > "$2"
}
copy_page rules/README.md "$pages/rules/README.md"
for page in rules/*/*.md; do  # the title is the rule's name with its family
  copy_page "$page" "$pages/$page"
  name=${page#rules/} name=${name%.md}
  sed -i "1s,.*,# ${name/\//.}," "$pages/$page"
done

mkdir "$pages/tasks"
{
  printf '# Tasks\n\nThe problems that kernels solve. `msci-tasks describe TASK` prints more.\n\n'
  printf '| task | problem |\n|---|---|\n'
  for page in tasks/*/*.md; do
    name=$(basename "$page" .md)
    copy_page "$page" "$pages/tasks/$name.md"
    sed -i 's#](\.\./\.\./#](../#g' "$pages/tasks/$name.md"  # a page lies one folder higher than its source
    first=$(awk 'BEGIN { RS = "" } NR == 2 { gsub(/\n/, " "); sub(/[.:]( .*)?$/, ""); print }' "$page")
    printf '| [%s](%s.md) | %s |\n' "$name" "$name" "$first"
  done
} > "$pages/tasks/README.md"

# Pages link to sources; a copy of those is beside the pages. Rules and the pages at the top are already there.
parts=("$pages"/{guide,reference,concepts,developer,reports}/*.md)
sed -i 's#](\.\./\.\./README\.md#](../index.md#g; s#](\.\./\.\./\(rules/[^)]*\.md\|[A-Z]*\.md\)#](../\1#g' "${parts[@]}"
grep -ohE '\]\(\.\./\.\./[^)#]+' "${parts[@]}" | sed 's#](\.\./\.\./##' | sort -u | while read -r file; do
  mkdir -p "$pages/source/$(dirname "$file")"
  cp -rL "$file" "$pages/source/$file"
done
sed -i 's#](\.\./\.\./#](../source/#g' "${parts[@]}"

mkdocs build --strict --config-file "$work/mkdocs.yml" --site-dir "$site" 2>"$work/log" ||
  { cat "$work/log" >&2; exit 1; }
echo "$site/index.html"
