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

# Linked statically, or from headers alone (docs/dependencies.md); the licence where the package names one.
INSIDE = {
    "libclang-22-dev": "Apache-2.0 WITH LLVM-exception",
    "llvm-22-dev": "Apache-2.0 WITH LLVM-exception",
    "libfmt-dev": "MIT",
    "nlohmann-json3-dev": "MIT",
    "libcli11-dev": "BSD-3-Clause",
    "libeigen3-dev": "MPL-2.0",
    "zlib1g-dev": "Zlib",
    "libzstd-dev": "BSD-3-Clause",
    "libseccomp-dev": "LGPL-2.1-only",
    "libmd-dev": "BSD-3-Clause",
    "libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libgcc-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
}


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
