#!/usr/bin/env python3
"""Prints the software bill of materials of a build, in CycloneDX 1.5: cmake/release/sbom.py VERSION FILE...

The components are the Debian packages whose code is inside the programs, as this system has them. Each FILE is a
file of the release and is listed with its checksum."""
import hashlib
import json
import os
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

# The packages whose code is inside the programs, linked statically or from headers alone (docs/dependencies.md), each with
# its licence.
INSIDE = dict(line.split(" ", 1) for line in (Path(__file__).parent / "components.txt").read_text().splitlines())


def component(package, licence):
    version = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], check=True, capture_output=True,
                             text=True).stdout
    return {"type": "library", "name": package, "version": version, "purl": f"pkg:deb/debian/{package}@{version}",
            "licenses": [{"expression": licence}]}


def file_of_release(path):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"type": "file", "name": path.name, "hashes": [{"alg": "SHA-256", "content": digest}]}


version, files = sys.argv[1], sorted(map(Path, sys.argv[2:]))
when = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
print(json.dumps({
    "bomFormat": "CycloneDX",
    "specVersion": "1.5",
    "version": 1,
    "metadata": {
        "timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "component": {"type": "application", "name": "msci", "version": version,
                      "licenses": [{"license": {"id": "Apache-2.0"}}]},
    },
    "components": [component(*each) for each in INSIDE.items()] + [file_of_release(each) for each in files],
}, indent=2))
