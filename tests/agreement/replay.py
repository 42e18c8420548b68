#!/usr/bin/env python3
"""A generator for msci-search that repeats a recorded run: replay.py RECORDS.jsonl.gz RUN

Prints the source of the record whose id is RUN-NN, where NN is MSCI_ITERATION, in a fenced block. Exit status 1: there is
no such record."""
import gzip
import json
import os
import sys

name = f"{sys.argv[2]}-{int(os.environ['MSCI_ITERATION']):02}"
with gzip.open(sys.argv[1], "rt") as lines:
    records = (json.loads(line) for line in lines if f'"{name}"' in line)
    source = next((record["source"] for record in records if record["id"] == name), None)
if source is None:
    sys.exit(f"nothing was recorded for {name}")
print(f"```metal\n{source}\n```")
