#!/usr/bin/env python3
"""Checks the files of a release: release_files.py FOLDER

SHA256SUMS, the wheels (their list of files, tag and permissions) and the bill of materials (SPDX 2.3)."""
import base64
import csv
import hashlib
import io
import json
import re
import sys
import zipfile
from pathlib import Path

RELATIONSHIPS = {"DESCRIBES", "STATIC_LINK", "CONTAINS", "CONTAINED_BY", "DISTRIBUTION_ARTIFACT"}
# Of SPDX's list of licences and of its list of exceptions.
LICENCES = {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "GPL-3.0-or-later", "ISC", "LGPL-2.1-only",
            "LGPL-2.1-or-later", "MIT", "MPL-2.0", "Python-2.0", "Zlib", "libpng-2.0"}
EXCEPTIONS = {"LLVM-exception", "GCC-exception-3.1"}
DIGITS = {"SHA1": 40, "SHA256": 64, "SHA512": 128}


def check_sums(folder):
    listed = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    present = {path.name for path in folder.iterdir()} - {"SHA256SUMS"}
    assert set(listed) == present, f"SHA256SUMS lists {sorted(listed)}, the folder holds {sorted(present)}"
    for name, digest in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, f"{name} has another SHA-256"


def check_wheel(path):
    name, version, python, abi, platform = path.stem.split("-")
    assert (name, python, abi) == ("msci", "py3", "none"), path.name
    with zipfile.ZipFile(path) as wheel:
        info = f"msci-{version}.dist-info"
        content = {entry.filename: wheel.read(entry) for entry in wheel.infolist()}
        modes = {entry.filename: entry.external_attr >> 16 for entry in wheel.infolist()}
    assert f"Tag: py3-none-{platform}\n" in content[f"{info}/WHEEL"].decode(), "the tag differs from the file's name"
    metadata = content[f"{info}/METADATA"].decode()
    assert f"Version: {version}\n" in metadata and "Name: msci\n" in metadata, metadata
    record = list(csv.reader(io.StringIO(content[f"{info}/RECORD"].decode())))
    assert {row[0] for row in record} == set(content), "RECORD lists other files than the wheel holds"
    for file, digest, size in record:
        if file == f"{info}/RECORD":
            assert digest == size == ""
            continue
        expected = base64.urlsafe_b64encode(hashlib.sha256(content[file]).digest()).rstrip(b"=").decode()
        assert (digest, int(size)) == (f"sha256={expected}", len(content[file])), f"RECORD is wrong about {file}"
    if platform != "any":
        check_programs(f"msci-{version}.data", content, modes, platform)


def check_programs(data, content, modes, platform):
    assert re.fullmatch(r"manylinux_2_\d+_(x86_64|aarch64)", platform), platform
    for program in ("scripts/msci", "scripts/msci-lint", "scripts/msci-eval", "scripts/msci-tasks",
                    "data/libexec/msci/msci-worker", "data/libexec/msci/msci-engine-worker"):
        assert modes[f"{data}/{program}"] == 0o100755, f"{program} is not executable"
    assert content[f"{data}/scripts/msci-lint"].startswith(b"#!/bin/sh\n"), "msci-lint is not a script"


def licences_of(expression):
    for part in expression.split(" AND "):
        licence, _, exception = part.partition(" WITH ")
        yield licence in LICENCES and (not exception or exception in EXCEPTIONS)


def check_spdx(path, folder):
    document = json.loads(path.read_text())
    assert document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0"
    assert document["SPDXID"] == "SPDXRef-DOCUMENT" and document["name"]
    assert re.fullmatch(r"https://[^#\s]+", document["documentNamespace"])
    creation = document["creationInfo"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", creation["created"])
    assert all(re.match(r"(Person|Organization|Tool): \S", each) for each in creation["creators"])

    elements = [document, *document["packages"], *document["files"]]
    identifiers = [each["SPDXID"] for each in elements]
    assert len(set(identifiers)) == len(identifiers), "an SPDXID is not unique"
    assert all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", each) for each in identifiers), identifiers
    for each in document["relationships"]:
        assert each["relationshipType"] in RELATIONSHIPS, each
        assert {each["spdxElementId"], each["relatedSpdxElement"]} <= set(identifiers), each
    assert {each["relatedSpdxElement"] for each in document["relationships"]} | {"SPDXRef-DOCUMENT"} | {
        each["spdxElementId"] for each in document["relationships"]} == set(identifiers), "an element is unrelated"

    for each in document["packages"]:
        assert each["name"] and each["versionInfo"] and each["downloadLocation"] and each["filesAnalyzed"] is False, each
        assert all(licences_of(each["licenseDeclared"])), f"{each['name']}: {each['licenseDeclared']}"
        for reference in each.get("externalRefs", []):
            assert reference["referenceCategory"] == "PACKAGE-MANAGER" and reference["referenceType"] == "purl"
            assert re.fullmatch(r"pkg:(deb/debian|npm)/[\w.+~@/%-]+@[\w.~:%-]+", reference["referenceLocator"]), reference
    for each in [*document["packages"], *document["files"]]:
        for checksum in each.get("checksums", []):
            assert re.fullmatch(rf"[0-9a-f]{{{DIGITS[checksum['algorithm']]}}}", checksum["checksumValue"]), checksum
    named = {}
    for each in document["files"]:
        assert any(checksum["algorithm"] == "SHA1" for checksum in each["checksums"]), "a file needs a SHA1"
        named[each["fileName"].removeprefix("./")] = each
    others = {file.name for file in folder.iterdir()} - {"SHA256SUMS", path.name}
    assert set(named) == others, f"the bill lists {sorted(named)}, the folder holds {sorted(others)}"
    for name, each in named.items():
        for checksum in each["checksums"]:
            found = hashlib.new(checksum["algorithm"].lower(), (folder / name).read_bytes()).hexdigest()
            assert found == checksum["checksumValue"], f"{name} has another {checksum['algorithm']}"


def main():
    folder = Path(sys.argv[1])
    check_sums(folder)
    wheels, bills = list(folder.glob("*.whl")), list(folder.glob("*.spdx.json"))
    assert wheels and len(bills) == 1, f"{folder} lacks a wheel or the bill of materials"
    for wheel in wheels:
        check_wheel(wheel)
    check_spdx(bills[0], folder)
    print("the files of the release agree")


main()
