#!/usr/bin/env bash
# Builds editors/vscode/msci-VERSION.vsix and tests it: editors/vscode/package.sh [FOLDER_OF_MSCI_PROGRAMS]
# With the folder, the tests also hold a session with the real programs. Needs Node.js 20 and npm.
# MSCI_MODULE, the folder that packaging/wasm/build.sh makes, puts the WebAssembly module into the package, which then
# works without msci's programs; the tests hold a session with it.
# With SOURCE_DATE_EPOCH, two builds have the same bytes; the default is the date of the last commit.
# MSCI_REPOSITORY, the URL of the repository, becomes the one that the package names; by default, it names none.
set -euo pipefail
export MSCI_BIN=${1:+$(realpath -- "$1")}
export MSCI_MODULE=${MSCI_MODULE:+$(realpath -- "$MSCI_MODULE")}
cd "$(dirname "${BASH_SOURCE[0]}")"
for tool in node npm; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

npm ci --no-audit --no-fund --loglevel=error
npm test
cp ../../LICENSE LICENSE
# The notices of the npm packages inside dist/extension.js.
npm ls --omit=dev --all --parseable | tail -n +2 | LC_ALL=C sort | while read -r folder; do
  printf '%s\n\n' "${folder##*node_modules/} $(node -p 'require(process.argv[1]).version' "$folder/package.json")"
  cat "$folder"/[Ll][Ii][Cc][Ee][Nn][Ss][Ee]*
  printf '\n\n'
done >ThirdPartyNotices.txt
mkdir -p schemas
cp ../../docs/schemas/{config,plan}.schema.json schemas
rm -rf module
if [[ -n $MSCI_MODULE ]]; then
  mkdir -p module/headers
  cp "$MSCI_MODULE"/{*.mjs,package.json,msci-lint.wasm} module
  cp "$MSCI_MODULE"/headers/*.ast module/headers
fi
cp package.json package.json.before
trap 'mv package.json.before package.json; rm -rf LICENSE ThirdPartyNotices.txt schemas module' EXIT
if [[ -n ${MSCI_REPOSITORY:-} ]]; then
  npm pkg set repository.type=git "repository.url=$MSCI_REPOSITORY"
fi
rm -f msci-*.vsix
npx vsce package --no-dependencies --allow-missing-repository --out .
vsix=$(echo msci-*.vsix)

# What VS Code loads is inside, and nothing else of ours.
files=$(python3 -m zipfile --list "$vsix" | awk 'NR > 1 {print $1}' | sort | xargs)
expected="[Content_Types].xml extension.vsixmanifest extension/LICENSE.txt extension/ThirdPartyNotices.txt \
extension/dist/extension.js extension/icon.png extension/language-configuration.json extension/package.json extension/readme.md \
extension/schemas/config.schema.json extension/schemas/plan.schema.json extension/syntaxes/metal.tmLanguage.json"
if [[ -n $MSCI_MODULE ]]; then
  expected+=$(cd "$MSCI_MODULE" && printf ' extension/module/%s' *.mjs package.json msci-lint.wasm headers/*.ast)
  expected=$(tr ' ' '\n' <<<"$expected" | LC_ALL=C sort | xargs)
fi
[[ $(tr ' ' '\n' <<<"$files" | LC_ALL=C sort | xargs) == "$expected" ]] || { echo "FAILED: the package holds $files"; exit 1; }
echo "$vsix: $(stat -c %s "$vsix") bytes, $(sha256sum <"$vsix" | cut -d' ' -f1)"
