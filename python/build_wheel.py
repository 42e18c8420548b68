"""Builds the wheel of the package msci, without the network:

    python3 python/build_wheel.py VERSION FOLDER                          # of the Python package alone
    python3 python/build_wheel.py VERSION FOLDER INSTALLED PLATFORM_TAG   # with the programs in INSTALLED, a prefix

A wheel is a ZIP archive with a list of its files. Same input, same bytes."""
import base64
import hashlib
import pathlib
import sys
import zipfile

# Archives have no links, so each link to a program becomes a script that starts it. The shell is everywhere and takes a
# millisecond; Python would take twenty. pipx makes links to the scripts.
STARTED_BY_LINKS = """#!/bin/sh
self=$0
if [ -L "$self" ] || [ "$self" = "${{self##*/}}" ]; then self=$(readlink -f "$self"); fi
exec "${{self%/*}}/{program}" {tool} "$@"
"""


def python_files():
    package = pathlib.Path(__file__).resolve().parent / "msci"
    files = {f"msci/{file.name}": file.read_bytes() for file in sorted(package.iterdir()) if file.suffix == ".py"}
    files["msci/instructions.md"] = (package / "instructions.md").read_bytes()  # a link in a checkout
    files["msci/py.typed"] = b""
    return files


def content_of(file):
    if not file.is_symlink():
        return file.read_bytes()
    return STARTED_BY_LINKS.format(program=file.readlink(), tool=file.name.removeprefix("msci-")).encode()


def program_files(prefix, data):
    """The programs for bin/, those that they start, manual pages and documentation: what pip puts below the prefix."""
    files = {}
    for folder, place in (("bin", "scripts"), ("libexec", "data/libexec"), ("share/man", "data/share/man"),
                          ("share/doc", "data/share/doc")):
        for file in sorted((prefix / folder).rglob("*")):
            if not file.is_dir():
                files[f"{data}/{place}/{file.relative_to(prefix / folder)}"] = content_of(file)
    return files


def metadata(version):
    return (f"Metadata-Version: 2.1\nName: msci\nVersion: {version}\n"
            "Summary: Lints and evaluates Apple Metal compute kernels\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.9\nClassifier: Programming Language :: Python :: 3\nClassifier: Typing :: Typed\n").encode()


def is_program(name):
    return "/scripts/" in name or "/libexec/" in name


def main():
    version, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    prefix, tag = (pathlib.Path(sys.argv[3]), sys.argv[4]) if len(sys.argv) > 3 else (None, "any")
    info = f"msci-{version}.dist-info"
    files = python_files()
    if prefix:
        files |= program_files(prefix, f"msci-{version}.data")
    files[f"{info}/METADATA"] = metadata(version)
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: msci\nRoot-Is-Purelib: {str(not prefix).lower()}\n"
                              f"Tag: py3-none-{tag}\n").encode()
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\nmsci-mcp = msci.mcp:main\n"
    digest = lambda data: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"msci-{version}-py3-none-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if is_program(name) else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    print(wheel)


main()
