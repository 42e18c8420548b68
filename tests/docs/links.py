#!/usr/bin/env python3
"""Follows the links between pages and to files of the project: tests/docs/links.py SOURCE_DIR

A link must lead to a file or a folder, and its anchor to a heading of that page. Links to the network are not followed.
The website's navigation must list each page of the manual once, and no report. A page of the manual has at most
MOST_WORDS words, and all that are not generated have at most MOST_WORDS_OF_ALL together."""
import re
import sys
from pathlib import Path

SOURCE = Path(sys.argv[1]).resolve()
MANUAL = ("guide", "reference", "concepts", "developer")
MOST_WORDS = 2500
MOST_WORDS_OF_ALL = 45000
GENERATED = "<!-- Generated from"
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s]+)\)")


def without_code(text):
    """The text without code, in which brackets mean something else."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^( {4}|\t).*$", "", text, flags=re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(page):
    """The anchors of a page's headings: in lower case, hyphens for spaces, no punctuation."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def problem(page, link):
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return "leads to no file"
    if anchor and target.suffix == ".md" and anchor not in anchors(target):
        return "leads to no heading"
    return None


def navigation_problems():
    """Pages that the website's navigation does not list exactly once."""
    listed = re.findall(r"^ +- [^:\n]+: (\S+\.md)$", (SOURCE / "docs/mkdocs.yml").read_text(), re.MULTILINE)
    docs = SOURCE / "docs"
    written = {str(page.relative_to(docs)) for folder in MANUAL for page in (docs / folder).glob("*.md")}
    return [f"docs/mkdocs.yml: {page}: is listed {listed.count(page)} times, not once"
            for page in sorted(written | set(listed)) if listed.count(page) != 1]


def long_pages():
    pages = {page: page.read_text() for folder in MANUAL for page in (SOURCE / "docs" / folder).glob("*.md")}
    counts = {page: len(text.split()) for page, text in sorted(pages.items())}
    problems = [f"{page.relative_to(SOURCE)}: {count} words, more than {MOST_WORDS}; move measurements to docs/reports"
                for page, count in counts.items() if count > MOST_WORDS]
    written = sum(count for page, count in counts.items() if GENERATED not in pages[page])
    if written > MOST_WORDS_OF_ALL:
        problems.append(f"docs: {written} words, more than {MOST_WORDS_OF_ALL}; shorten what repeats other pages")
    return problems


pages = sorted(page for folder in ("docs", "rules", "tasks", "corpus", "editors", "python")
               for page in (SOURCE / folder).rglob("*.md") if "node_modules" not in page.parts)
pages += sorted(SOURCE.glob("*.md"))
broken = [f"{page.relative_to(SOURCE)}: {link}: {why}"
          for page in pages for link in LINK.findall(without_code(page.read_text()))
          if (why := problem(page, link))]
broken += navigation_problems() + long_pages()
links = sum(len(LINK.findall(without_code(page.read_text()))) for page in pages)
print(*broken, f"{links} links on {len(pages)} pages, {len(broken)} broken", sep="\n")
sys.exit(bool(broken) or links == 0)
