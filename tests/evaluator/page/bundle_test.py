#!/usr/bin/env python3
"""evaluator/page/web/page.js is what its sources and its lock file make: bundle_test.py SOURCE

Makes it anew in a copy, with Node.js and npm. Where they are absent, or the packages cannot be had, it says so and exits
with 77."""
import pathlib
import shutil
import subprocess
import sys
import tempfile


def skip(reason):
    print(f"SKIP: {reason}")
    sys.exit(77)


def main():
    web = pathlib.Path(sys.argv[1]) / "evaluator/page/web"
    if not shutil.which("node") or not shutil.which("npm"):
        skip("Node.js or npm is not installed")
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name) / "web"
        shutil.copytree(web, copy, ignore=shutil.ignore_patterns("node_modules", "page.js"))
        got = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], cwd=copy,
                             capture_output=True, text=True, timeout=600)
        if got.returncode != 0:
            skip(f"npm cannot get the packages: {got.stderr.strip()[:200]}")
        subprocess.run(["npm", "run", "--silent", "bundle"], cwd=copy, check=True)
        if (copy / "page.js").read_bytes() != (web / "page.js").read_bytes():
            sys.exit("evaluator/page/web/page.js is out of date: run npm ci && npm run bundle in evaluator/page/web, and commit it")
        if (web / "page.js").stat().st_size > 900_000:
            sys.exit("evaluator/page/web/page.js is larger than 900,000 bytes")


main()
