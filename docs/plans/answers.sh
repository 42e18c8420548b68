#!/bin/sh
# A generator with canned answers for the tasks in this folder.
#   msci-search --task docs/plans/ntt/plan.json --iterations 3 --out run --generator 'sh docs/plans/answers.sh'
exec cat "$(dirname "$0")/$MSCI_TASK/answers/$MSCI_ITERATION.md"
