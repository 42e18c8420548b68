#!/usr/bin/env python3
"""Makes the libraries of an older glibc to link against: stub.py GLIBC_VERSION FOLDER CLANG READELF

Each one has the name and the symbols of a library of this machine's glibc, with the newest version of each symbol that
GLIBC_VERSION has, and no code. A program that is linked against them asks for these versions, so it runs with
GLIBC_VERSION and with all later ones. Until 2.34, threads and the loading of libraries were in libraries of their own."""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

# The libraries that were apart, and the names that they had. libc.so.6 of today has all of them.
WERE_APART = {"libdl.so.2": r"dl(open|close|sym|vsym|error|addr1?|info|mopen)$",
              "librt.so.1": r"(aio_|lio_|mq_|shm_|timer_)",
              "libpthread.so.0": r"(__)?(pthread_|sem_)"}


class Symbol(NamedTuple):
    name: str
    version: str
    kind: str
    binding: str
    address: int
    size: int


def numbers(version):
    return tuple(map(int, version.removeprefix("GLIBC_").split(".")))


def symbols_of(library, readelf):
    """All symbols that a library defines, in each of their versions."""
    text = subprocess.run([readelf, "--dyn-syms", "--wide", library], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        found = re.match(r" *\d+: ([0-9a-f]+) +(\d+) (\w+) +(\w+) +DEFAULT +\d+ (\w+)@@?(GLIBC_[\d.]+)$", line)
        if found:
            address, size, kind, binding, name, version = found.groups()
            yield Symbol(name, version, "OBJECT" if kind == "OBJECT" else "TLS" if kind == "TLS" else "FUNC", binding,
                         int(address, 16), int(size))


def old_symbols(library, oldest, readelf):
    """The newest version that is not newer than `oldest` of each symbol; and the names that were in another library."""
    old, versions = {}, defaultdict(list)
    for symbol in symbols_of(library, readelf):
        versions[symbol.name].append(numbers(symbol.version))
        if numbers(symbol.version) <= oldest:
            if symbol.name not in old or numbers(old[symbol.name].version) < numbers(symbol.version):
                old[symbol.name] = symbol
    moved = {name for name in old if max(versions[name]) > oldest}
    return old.values(), moved


def assembly_of(symbols):
    """Symbols at one address, such as environ and __environ, stay at one: a program may copy what is there."""
    lines = [".text"]
    data = defaultdict(list)
    for symbol in symbols:
        lines.append(f".{'weak' if symbol.binding == 'WEAK' else 'globl'} {symbol.name}")
        if symbol.kind == "FUNC":
            lines += [f".type {symbol.name},%function", f"{symbol.name}: .byte 0"]
        else:
            data[(symbol.kind, symbol.address)].append(symbol)
    for (kind, _), names in sorted(data.items()):
        lines += ['.section .tbss,"awT",%nobits' if kind == "TLS" else ".data", ".balign 32"]
        for symbol in names:
            lines += [f".type {symbol.name},%{'tls_object' if kind == 'TLS' else 'object'}",
                      f".size {symbol.name},{symbol.size}", f"{symbol.name}:"]
        lines.append(f".zero {max(1, *(symbol.size for symbol in names))}" if len(names) > 1 else
                     f".zero {max(1, names[0].size)}")
    return "\n".join(lines) + '\n.section .note.GNU-stack,"",%progbits\n'


def version_script(symbols):
    names = defaultdict(list)
    for symbol in symbols:
        names[symbol.version].append(symbol.name)
    return "".join(f"{version} {{ {''.join(f'{name}; ' for name in sorted(names[version]))}}};\n"
                   for version in sorted(names, key=numbers))


def write_library(folder, soname, symbols, clang):
    symbols = sorted(symbols)
    source, script = folder / f"{soname}.s", folder / f"{soname}.map"
    source.write_text(assembly_of(symbols))
    script.write_text(version_script(symbols))
    subprocess.run([clang, "-shared", "-nostdlib", "-fuse-ld=lld", "-x", "assembler", source, "-o", folder / soname,
                    f"-Wl,--soname={soname}", f"-Wl,--version-script={script}"], check=True)
    source.unlink()
    script.unlink()


def main():
    oldest, folder, clang, readelf = numbers(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    folder.mkdir(parents=True, exist_ok=True)

    def installed(name):
        return subprocess.run([clang, f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()

    symbols, moved = old_symbols(installed("libc.so.6"), oldest, readelf)
    rest = list(symbols)
    for soname, pattern in WERE_APART.items():
        apart = [symbol for symbol in rest if symbol.name in moved and re.match(pattern, symbol.name)]
        rest = [symbol for symbol in rest if symbol not in apart]
        write_library(folder, soname, apart, clang)
    write_library(folder, "libc.so.6", rest, clang)
    write_library(folder, "libm.so.6", old_symbols(installed("libm.so.6"), oldest, readelf)[0], clang)
    # The linker's names. This machine's libc_nonshared.a has what is linked into each program, such as atexit().
    (folder / "libm.so").write_text(f"INPUT({folder}/libm.so.6)\n")
    parts = " ".join(f"{folder}/{soname}" for soname in WERE_APART)
    (folder / "libc.so").write_text(f"INPUT({folder}/libc.so.6 {folder}/libmsci_newer_glibc.a "
                                    f"{installed('libc_nonshared.a')} AS_NEEDED({parts} {loader(installed)}))\n")


def loader(installed):
    for name in ("ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"):
        path = installed(name)
        if Path(path).is_absolute():
            return path
    sys.exit("stub.py: this machine's dynamic loader has an unknown name")


main()
