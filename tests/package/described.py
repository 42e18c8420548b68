#!/usr/bin/env python3
"""Manual pages and completions hold exactly the options of --help, or of --help-all where there is one. A --help fits a
screen and names the program's page.

tests/package/described.py BIN_DIR SHARE_DIR PROGRAM...
Bash completes in the test; zsh and fish, if installed, must be able to parse their files."""
import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def options_of(help_text):
    """Those in the table of a --help, which the examples below it only use."""
    table = help_text.split("\nExamples:")[0]
    return {name for line in re.findall(r"^  (-\S+)", table, re.M) for name in line.split(",")}


SCREEN = {"msci-lint", "msci-eval", "msci-tasks", "msci-search", "msci-report", "msci-generate"}
LINES, COLUMNS = 50, 100


def check_screen(program, command, text):
    """A --help fits a screen; its last line, a path, may be longer."""
    *lines, last = text.splitlines()
    check(len(lines) < LINES, f"{program} {command} --help has {len(lines) + 1} lines")
    for line in lines:
        check(len(line) <= COLUMNS, f"{program} {command} --help: {len(line)} columns: {line}")
    page = last.removeprefix("Page: ")
    check(page != last and Path(page).is_absolute() and Path(page).is_file(), f"{program} {command} --help names no page that exists: {last}")


def commands_of(help_text):
    table = re.search(r"^Subcommands:\n((?:  .*\n)+)", help_text, re.M)
    return re.findall(r"^  (\w+)", table[1], re.M) if table else []


def bash_completes(script, program, *words):
    """What bash offers at the last of the words."""
    function = "_" + program.replace("-", "_")
    setup = f'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); {function}; printf "%s\\n" "${{COMPREPLY[@]}}"'
    return set(output("bash", "-c", setup, str(script), program, *words).split())


def check_program(bin_dir, share, program):
    tool = str(bin_dir / program)
    helps = {(): output(tool, "--help")}
    for command in commands_of(helps[()]):
        helps[(command,)] = output(tool, command, "--help")
    if program in SCREEN:
        for command, text in helps.items():
            check_screen(program, " ".join(command), text)
    if "--help-all" in options_of(helps[()]):
        helps[()] = output(tool, "--help-all")
    bash = share / "bash-completion/completions" / program
    zsh = (share / "zsh/site-functions" / f"_{program}").read_text()
    fish = (share / "fish/vendor_completions.d" / f"{program}.fish").read_text()
    manual = gzip.open(share / "man/man1" / f"{program}.1.gz", "rt").read().replace("\\-", "-")

    for command, text in helps.items():
        wanted = options_of(text)
        check(len(wanted) > 0, f"{program} {command}: no options in --help")
        offered = bash_completes(bash, program, *command, "-")
        check(offered == wanted, f"bash, {program} {command}: differs from --help in {offered ^ wanted}")
    everything = set().union(*map(options_of, helps.values()))
    known = {"zsh": {name for name in re.findall(r"\*(--?[\w-]+)\[", zsh)},
             "fish": {dash + name for kind, name in re.findall(r" -([ls]) ([\w-]+)", fish.replace(" -d ", "\n"))
                      for dash in ["--" if kind == "l" else "-"]},
             "man": set(re.findall(r"\\fB(--?[\w-]+)\\fR", manual))}
    for where, names in known.items():
        check(names == everything, f"{where}, {program}: differs from --help in {names ^ everything}")
    if len(helps) > 1:
        commands = {command[0] for command in helps if command}
        check(bash_completes(bash, program, "") == commands, f"bash, {program}: other commands than --help")
    for shell, path in ("zsh", share / "zsh/site-functions" / f"_{program}"), \
                       ("fish", share / "fish/vendor_completions.d" / f"{program}.fish"):
        if shutil.which(shell):
            done = subprocess.run([shell, "-n", str(path)], capture_output=True, text=True)
            check(done.returncode == 0, f"{shell} cannot read {path.name}: {done.stderr}")


bin_dir, share = Path(sys.argv[1]), Path(sys.argv[2])
for name in sys.argv[3:]:
    check_program(bin_dir, share, name)
tasks = bash_completes(share / "bash-completion/completions/msci-lint", "msci-lint", "--format", "sa")
check(tasks == {"sarif"}, f"bash does not know that sarif is a format: {tasks}")
print("\n".join(failures) or f"{len(sys.argv) - 3} programs are described as they are")
sys.exit(bool(failures))
