#!/usr/bin/env bash
# msci-generate against a server of our own: endpoint_test.sh MSCI_GENERATE
set -euo pipefail
generate=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }

folder=$(mktemp -d)
python3 "$here/stub_server.py" >"$folder/port" 2>"$folder/server.log" &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$folder"' EXIT
while [[ ! -s $folder/port ]] && kill -0 $server; do sleep 0.05; done
base=http://127.0.0.1:$(cat "$folder/port")
export MSCI_API_KEY=secret MSCI_USAGE=$folder/usage.json MSCI_ITERATION=3

failures=0
# check NAME STATUS TEXT COMMAND...: the exit status, and a part of what is said on either stream.
check() {
  local name=$1 status=$2 text=$3 got=0
  shift 3
  printf 'the "prompt"\n' | "$@" >"$folder/said" 2>&1 || got=$?
  if [[ $got != "$status" ]] || ! grep -qF -- "$text" "$folder/said"; then
    echo "FAILED $name: status $got, wanted $status; said:"; cat "$folder/said"
    failures=$((failures + 1))
  fi
}
openai() { "$generate" openai --model m1 --first-wait 0.05 --url "$base$1" "${@:2}"; }
anthropic() { "$generate" anthropic --model m2 --first-wait 0.05 --url "$base$1" "${@:2}"; }

check openai 0 'model m1 key Bearer secret heard the "prompt"' openai /v1/chat/completions
check fields 0 'heard the "prompt"' openai /v1/chat/completions --set temperature=0.5
grep -qF ' 0.5' "$folder/said" || { echo "FAILED fields: no temperature"; failures=$((failures + 1)); }
check anthropic 0 'model m2 key secret heard the "prompt"' anthropic /v1/messages
check other_key 0 'key other' env OTHER=other "$generate" anthropic --model m2 --url "$base/v1/messages" --key-env OTHER

start=$SECONDS
check busy 0 heard openai /busy
((SECONDS - start >= 1)) || { echo "FAILED busy: it did not wait as long as it was told"; failures=$((failures + 1)); }
grep -q '"attempts":3' "$folder/usage.json" || { echo "FAILED busy: $(cat "$folder/usage.json")"; failures=$((failures + 1)); }
check down 0 heard openai /down
check slow 1 'after 2 attempts' openai /slow --retries 1 --limit 1
check refused 78 'status 401: no such key' openai /refused
check numbered 78 'status 401: {"error": {"message": 5}}' openai /numbered
check unmetered 0 heard openai /unmetered
check unmetered_too 0 heard anthropic /unmetered
check nocode 0 'An earlier answer held no code.' openai /nocode
grep -q '"input_tokens":2000,"output_tokens":400,.*"attempts":2' "$folder/usage.json" ||
  { echo "FAILED nocode: $(cat "$folder/usage.json")"; failures=$((failures + 1)); }
check words 0 'no code block in the answer; asking again' openai /words
check once 0 'heard the "prompt"' openai /words --ask-again 0
! grep -qF 'asking again' "$folder/said" || { echo "FAILED once: it asked again"; failures=$((failures + 1)); }
check cut 1 'the answer was cut at the token limit before its code ended; allow more, as in --set max_tokens=32000' openai /cut
grep -q '"output_tokens":200,' "$folder/usage.json" || { echo "FAILED cut: its tokens are not told"; failures=$((failures + 1)); }
check told 0 'slow down; trying again in 1 s' openai /busy_again
check odd 1 'does not have that style' openai /odd
check page 1 'the address answered with a web page (text/html), not with chat completions' openai /page
check messages 1 'web page (text/html), not with messages' anthropic /page
check seconds 2 '--limit: 10s is not a number of seconds' openai /odd --limit 10s
check wait 2 '--first-wait: soon is not a number of seconds' openai /odd --first-wait soon
check nobody 1 'after 2 attempts' "$generate" openai --model m --retries 5 --first-wait 0.05 --url http://127.0.0.1:9/x
check not_http 1 'rotocol' "$generate" openai --model m --retries 0 --url file:///etc/passwd
check no_model 2 '--model is required' "$generate" openai --url "$base/x"
check bad_field 2 'FIELD=JSON' openai /v1/chat/completions --set temperature

check cost 0 heard anthropic /v1/messages --input-price 2 --output-price 10 --log "$folder/log.jsonl"
check cost 0 heard anthropic /v1/messages --input-price 2 --output-price 10 --log "$folder/log.jsonl"
grep -q '"input_tokens":1000,"output_tokens":200,"cost":0.004' "$folder/usage.json" ||
  { echo "FAILED cost: $(cat "$folder/usage.json")"; failures=$((failures + 1)); }
[[ $(wc -l <"$folder/log.jsonl") == 2 ]] || { echo "FAILED log"; failures=$((failures + 1)); }
! grep -rqF secret "$folder/log.jsonl" "$folder/usage.json" || { echo "FAILED: a key was written down"; failures=1; }
exit $((failures > 0))
