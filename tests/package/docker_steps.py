#!/usr/bin/env python3
"""Does the steps of a Dockerfile in a folder with a bare system, for machines without a container engine:

    docker_steps.py ROOT DOCKERFILE CONTEXT [ARGUMENT=VALUE...] [-- COMMAND...]

FROM is ROOT itself. Runs COMMAND, by default the image's CMD, as a container would. Needs root. It knows the
instructions that our Dockerfile uses."""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path


def inside(root, environment, folder, command):
    script = 'cd "$0" && exec "$@"'
    return subprocess.run(["chroot", root, "env", "-i", *(f"{name}={value}" for name, value in environment.items()),
                           "sh", "-c", script, folder, *command]).returncode


def main():
    words = sys.argv[1:]
    command = words[words.index("--") + 1:] if "--" in words else None
    root, dockerfile, context, *given = words[:words.index("--")] if "--" in words else words
    arguments = dict(word.split("=", 1) for word in given)
    environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
    folder, default = "/", None

    def expanded(text):
        return re.sub(r"\$\{?(\w+)\}?", lambda found: (arguments | environment)[found[1]], text)

    text = re.sub(r"^#.*\n", "", Path(dockerfile).read_text(), flags=re.M).replace("\\\n", "")
    lines = [line for line in text.splitlines() if line]
    for instruction, rest in (line.split(" ", 1) for line in lines):
        if instruction == "COPY":
            name, to = expanded(rest).split()
            shutil.copy(Path(context) / name, root + to)
        elif instruction == "RUN":
            status = inside(root, environment | arguments, folder, ["sh", "-c", rest])
            if status != 0:
                sys.exit(f"RUN {rest}: exit status {status}")
        elif instruction == "ENV":
            name, value = rest.split("=", 1)
            environment[name] = expanded(value)
        elif instruction == "WORKDIR":
            folder = rest
            os.makedirs(root + rest, exist_ok=True)
        elif instruction == "CMD":
            default = json.loads(rest)
        elif instruction == "ARG":
            assert rest in arguments, f"the Dockerfile needs {rest}=VALUE"
        else:
            assert instruction == "FROM", f"unknown instruction {instruction}"
    sys.exit(inside(root, environment, folder, command or default))


main()
