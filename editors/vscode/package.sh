#!/usr/bin/env bash
# Builds editors/vscode/msci-VERSION.vsix and tests it: editors/vscode/package.sh [FOLDER_OF_MSCI_PROGRAMS]
# With the folder, the tests also hold a session with the real programs. Needs Node.js 20 and npm.
# With SOURCE_DATE_EPOCH, two builds have the same bytes; the default is the date of the last commit.
set -euo pipefail
export MSCI_BIN=${1:+$(realpath -- "$1")}
cd "$(dirname "${BASH_SOURCE[0]}")"
for tool in node npm; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

npm ci --no-audit --no-fund --loglevel=error
npm test
cp ../../LICENSE LICENSE
trap 'rm -f LICENSE' EXIT
npx vsce package --no-dependencies --allow-missing-repository --out .
vsix=$(echo msci-*.vsix)

# What VS Code loads is inside, and nothing else of ours.
files=$(python3 -m zipfile --list "$vsix" | awk 'NR > 1 {print $1}' | sort | xargs)
expected="[Content_Types].xml extension.vsixmanifest extension/LICENSE.txt extension/dist/extension.js \
extension/language-configuration.json extension/package.json extension/readme.md extension/syntaxes/metal.tmLanguage.json"
[[ $(tr ' ' '\n' <<<"$files" | LC_ALL=C sort | xargs) == "$expected" ]] || { echo "FAILED: the package holds $files"; exit 1; }
echo "$vsix: $(stat -c %s "$vsix") bytes, $(sha256sum <"$vsix" | cut -d' ' -f1)"
