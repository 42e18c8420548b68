#!/bin/sh
# Two searches whose generator forges speed: a kernel of nbody that counts the passes and computes a sixteenth of the
# bodies later, and one that recognises the recorded inputs. Both are refused, and the gate says why.
# forged_searches.sh BIN SOURCE
set -eu
bin=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

refused() {  # refused NAME WORDS
  printf '```metal\n%s\n```\n' "$(cat "$source/corpus/cheats/$1.metal")" > "$1.md"
  # The search's own verdict refuses the candidate, so that its best kernel remains the seed.
  for strategy in strict paired; do
    "$bin/msci-search" --task nbody --iterations 1 --out "$1-$strategy" --device cpu --strategy $strategy \
      --generator "cat $1.md" > "$1.txt"
    cat "$1.txt"
    grep -q "strict: .*$2" "$1.txt"
    grep -q "best: the seed itself" "$1.txt"
  done
  # Nor does the gate certify it.
  status=0
  "$bin/msci-eval" "$source/corpus/cheats/$1.metal" --task nbody --device cpu --gate > "$1.gate" || status=$?
  cat "$1.gate"
  test $status -eq 1
  grep -q "$2" "$1.gate"
}

refused counts_passes_beside_a_buffer 'writes beside the ends of'
# Which run shows it first depends on what is drawn: one with the recorded bodies, or a timed one with slow bodies.
refused slow_bodies 'more than rounding explains\|a timed pass with random inputs is off'
