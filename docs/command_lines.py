#!/usr/bin/env python3
"""Writes the reference pages of the command lines: docs/command_lines.py BIN_DIR [--check]

Each page comes from the manual page of its program, which the program prints from its option table. With --check, nothing
is written, and the exit status is 1 if a page differs."""
import re
import subprocess
import sys
import textwrap
from pathlib import Path

PAGES = Path(__file__).resolve().parent / "reference"
PROGRAMS = ["msci-lint", "msci-eval", "msci-tasks", "msci-search", "msci-report", "msci-generate"]
SECTION = {"DESCRIPTION": "", "OPTIONS": "Options", "COMMANDS": "Commands", "TABLES": "Tables", "EXAMPLES": "Examples",
           "EXIT STATUS": "Exit status"}
EVERYWHERE = {"`-h`, `--help`", "`--help-all`", "`--version`"}  # options of each program
NOTE = "<!-- Generated from the options of the program by docs/command_lines.py. Edit the option table instead. -->"


def plain(text):
    """The text without roff's escapes."""
    return re.sub(r"\\f[BIR]", "", text).replace("\\-", "-").replace("\\(aq", "'").replace("\\&", "").replace("\\e", "\\")


def in_markdown(text):
    """A sentence of the manual page: what Markdown would take for markup is escaped, options are code, pages are links."""
    text = re.sub(r"([\\`*<|])", r"\\\1", plain(text))
    text = re.sub(r"(?<![\w-])(--[a-z][a-z-]*)", r"`\1`", text)
    return re.sub(r"docs/((?:reference/)?)(\w+/)?([\w-]+\.md)(#[\w-]+)?",
                  lambda page: f"[{page[3]}]({'' if page[1] else '../'}{page[2] or ''}{page[3]}{page[4] or ''})", text)


def heading_of(line):
    """`-j`, `--jobs` N from the bold names and the italic value of an option."""
    names = ", ".join(f"`{plain(name)}`" for name in re.findall(r"\\fB(.*?)\\fR", line))
    value = re.search(r"\\fI(.*?)\\fR", line)
    return names + (f" {plain(value[1])}" if value else "")


def page_of(program, manual):
    """The Markdown page of a program."""
    lines = iter(manual.splitlines())
    page, section = [f"# {program}", "", NOTE, ""], None
    in_table = in_code = False
    for line in lines:
        if line.startswith((".SH", ".SS")) and in_table:
            page.append("")
            in_table = False
        if line.startswith(".SH "):
            section = line[4:]
            if SECTION.get(section):
                page += [f"## {SECTION[section]}", ""]
        elif section == "NAME":
            page += [in_markdown(line).split(" - ", 1)[1] + ".", ""]
        elif section not in SECTION:
            continue
        elif line.startswith(".SS "):
            title = plain(line[4:])
            page += [f"### {title}", ""]
        elif line == ".TP":
            heading, text = heading_of(next(lines)), in_markdown(next(lines))
            if heading in EVERYWHERE:
                continue
            if not in_table:
                page += ["| option | does |", "|---|---|"]
                in_table = True
            page.append(f"| {heading} | {text} |")
        elif line in (".nf", ".fi"):
            in_code = line == ".nf"
            page += ["```"] if in_code else ["```", ""]
        elif in_code:
            page.append(plain(line))
        elif line != ".PP":
            page += [*textwrap.wrap(in_markdown(line), 120, break_long_words=False, break_on_hyphens=False), ""]
    text = "\n".join(page).rstrip() + "\n"
    return re.sub(r"^## .*\n\n(?=## )", "", text, flags=re.M)  # a section of which nothing is printed


def main():
    programs = Path(sys.argv[1])
    stale = []
    for program in PROGRAMS:
        manual = subprocess.run([programs / program, "--print", "man"], check=True, capture_output=True, text=True).stdout
        page, file = page_of(program, manual), PAGES / f"{program.replace('-', '_')}.md"
        if sys.argv[2:] != ["--check"]:
            file.write_text(page)
        elif not file.exists() or file.read_text() != page:
            stale.append(file.name)
    for name in stale:
        print(f"docs/reference/{name} differs from the options of its program; run docs/command_lines.py BIN_DIR")
    sys.exit(bool(stale))


main()
