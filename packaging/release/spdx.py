#!/usr/bin/env python3
"""Prints the bill of materials of a release, in SPDX 2.3: packaging/release/spdx.py VERSION FILE...

It lists the Debian packages whose code is inside the programs, with the versions that this system has, the npm packages
inside the VS Code extension, and each FILE of the release with its checksums."""
import base64
import hashlib
import json
import os
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

HERE = Path(__file__).resolve().parent
MSCI = "SPDXRef-msci"
UNKNOWN = "NOASSERTION"


def identifier(*words):
    """SPDX's identifiers have letters, digits, dots and hyphens only."""
    allowed = lambda letter: letter if letter.isascii() and (letter.isalnum() or letter in ".-") else "-"
    return "SPDXRef-" + "-".join("".join(map(allowed, word)) for word in words)


def package(name, version, licence, purl, **more):
    return {"SPDXID": identifier(purl.split(":")[1].split("/")[0], name, version), "name": name, "versionInfo": version,
            "downloadLocation": UNKNOWN, "filesAnalyzed": False, "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": UNKNOWN, **more,
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]}


def debian_packages():
    """The packages whose code is inside the programs (docs/developer/dependencies.md), some of headers alone."""
    for line in (HERE / "components.txt").read_text().splitlines():
        name, licence = line.split(" ", 1)
        version = subprocess.run(["dpkg-query", "-W", "-f=${Version}", name], check=True, capture_output=True,
                                 text=True).stdout
        yield package(name, version, licence, f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}")


def npm_packages(folder):
    """Those inside a bundle: the lock file marks the others as needed for its development."""
    locked = json.loads((HERE / "../.." / folder / "package-lock.json").read_text())["packages"]
    for path, entry in sorted(locked.items()):
        if path and not entry.get("dev"):
            name = path.rpartition("node_modules/")[2]
            algorithm, digest = entry["integrity"].split("-", 1)
            yield package(name, entry["version"], entry["license"], f"pkg:npm/{name}@{entry['version']}",
                          checksums=[{"algorithm": algorithm.upper(), "checksumValue": base64.b64decode(digest).hex()}])


def file_of_release(path):
    content = path.read_bytes()
    return {"SPDXID": identifier("File", path.name), "fileName": f"./{path.name}", "fileTypes": ["ARCHIVE"],
            "checksums": [{"algorithm": name, "checksumValue": hashlib.new(name.lower(), content).hexdigest()}
                          for name in ("SHA1", "SHA256")],
            "licenseConcluded": UNKNOWN, "copyrightText": UNKNOWN}


def relationship(one, kind, other):
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def main():
    version, paths = sys.argv[1], sorted(map(Path, sys.argv[2:]))
    msci = {"SPDXID": MSCI, "name": "msci", "versionInfo": version, "downloadLocation": UNKNOWN, "filesAnalyzed": False,
            "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "2026 The msci authors",
            "primaryPackagePurpose": "APPLICATION", "supplier": "Organization: The msci authors"}
    linked = list(debian_packages())
    of_page = list(npm_packages("evaluator/page/web"))  # inside the programs
    bundled = list(npm_packages("editors/vscode")) if any(path.suffix == ".vsix" for path in paths) else []
    files = [file_of_release(path) for path in paths]
    # The namespace must be of this document alone; the same files give the same one.
    name = f"msci-{version}"
    content = hashlib.sha256(json.dumps([linked, of_page, bundled, files]).encode()).hexdigest()
    when = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
    print(json.dumps({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"https://msci.invalid/spdx/{name}-{content}",
        "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Organization: The msci authors", f"Tool: msci-release-{version}"]},
        "packages": [msci, *linked, *of_page, *bundled],
        "files": files,
        "relationships": [relationship("SPDXRef-DOCUMENT", "DESCRIBES", MSCI),
                          *(relationship(MSCI, "STATIC_LINK", each["SPDXID"]) for each in linked),
                          *(relationship(MSCI, "CONTAINS", each["SPDXID"]) for each in of_page),
                          *(relationship(each["SPDXID"], "CONTAINED_BY", identifier("File", path.name))
                            for each in bundled for path in paths if path.suffix == ".vsix"),
                          *(relationship(MSCI, "DISTRIBUTION_ARTIFACT", each["SPDXID"]) for each in files)],
    }, indent=2))


main()
