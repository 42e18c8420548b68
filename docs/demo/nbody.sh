#!/bin/sh
# A generator that has learnt its answers by heart: it shows what msci-search does, without a model.
#   msci-search --task nbody --iterations 4 --out demo --generator 'sh docs/demo/nbody.sh'
exec cat "$(dirname "$0")/nbody/$MSCI_ITERATION.md"
