#!/usr/bin/env bash
# Runs a test that reads recorded data, which is not part of the project: with_recorded_data.sh FOLDER COMMAND...
# Without the folder, prints a message and exits with 77. If only a file of the folder is missing, the command fails.
[[ -d $1 ]] || { echo "skipped: the recorded data is not at $1"; exit 77; }
exec "${@:2}"
