"""Builds the wheel of the package msci, without the network: python3 python/build_wheel.py VERSION FOLDER

A wheel is a ZIP archive with a list of its files; the package has no compiled part. Same input, same bytes."""
import base64
import hashlib
import pathlib
import sys
import zipfile


def main():
    version, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    package = pathlib.Path(__file__).resolve().parent / "msci"
    info = f"msci-{version}.dist-info"
    files = {f"msci/{file.name}": file.read_bytes() for file in sorted(package.iterdir()) if file.suffix == ".py"}
    files["msci/py.typed"] = b""
    files[f"{info}/METADATA"] = (f"Metadata-Version: 2.1\nName: msci\nVersion: {version}\nSummary: Lints and evaluates Apple "
                                 "Metal compute kernels\nRequires-Python: >=3.11\n").encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: msci\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\nmsci-mcp = msci.mcp:main\n"
    digest = lambda data: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"msci-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0)), data)
    print(wheel)


main()
