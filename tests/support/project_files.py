"""The files of the project, for the tests that read all of them."""
import subprocess
import sys


def project_files(source, *patterns):
    """The names of the files that git tracks, or would add, and that match a pattern, if there are any. Ends the test
    as skipped (77) where the source is not a git repository."""
    listed = subprocess.run(["git", "-C", str(source), "ls-files", "-z", "--cached", "--others", "--exclude-standard",
                             *patterns], capture_output=True, text=True)
    if listed.returncode:
        print("skipped: the source is not a git repository")
        sys.exit(77)
    return [name for name in listed.stdout.split("\0") if name and (source / name).is_file()]
