#!/bin/sh
# A generator with canned answers. It shows what msci-search does, without a model.
#   msci-search --task nbody --iterations 4 --out demo --generator 'sh docs/demo/nbody.sh'
exec cat "$(dirname "$0")/nbody/$MSCI_ITERATION.md"
