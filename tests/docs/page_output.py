"""What a page shows as the output of a command, compared with what the command prints.

A page shows real output. A line "…" stands for any lines, and "…" inside a line for any text. What differs between
machines and runs counts as equal (MEASURED), and so do columns that the widths of numbers move. What is concluded from a
measurement does not: the asterisk of a new best kernel, the best iteration, "slower" behind an interval. Where noise may
decide, the page shows "…". Notes that only doubtful times have (DOUBTS) may be printed or not."""
import re

NUMBER = r"[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
MEASURED = [(re.compile(pattern), name) for pattern, name in [
    (r"^(\S+: [\w.…-]+(?: [\w.-]+)?) on .+?(, checked)?$", r"\1 on <device>\2"),
    (r"( at the held-out size \S+) on [^:]+:", r"\1 on <device>:"),
    (rf"(\(\d+ %:) {NUMBER} to {NUMBER}\)", r"\1 <interval>)"),
    (rf"(?:{NUMBER} % of|above) {NUMBER}", "<share> of <ceiling>"),
    (rf"{NUMBER} (?:ns|µs|ms|s|min)\b", "<time>"),
    (rf"{NUMBER} ([MGT](?:FLOPS|B/s|OPS))\b", r"<rate> \1"),
    (rf"{NUMBER} times\b", "<ratio> times"),
    (rf"\bscore {NUMBER}(?: \(the seed: {NUMBER}\))?", "score <score>"),
    (r"\b\d\.\d+e[+-]\d+", "<error>"),
    (r"\bdrawn (\d+) \([^)]*\)", r"drawn \1 <size>"),
    (r"--nonce [0-9a-f]{16}", "--nonce <nonce>"),
    (r"(?<=\S) +", " "),
]]
DOUBTS = re.compile(r"^  note: (?:the times of size|size \S+ is above the ceiling|other work ran on this machine)")


def comparable(line):
    """The line without what differs between machines and runs."""
    line = line.rstrip()
    for pattern, name in MEASURED:
        line = pattern.sub(name, line)
    return line


def fits(shown, printed):
    """Whether a shown line stands for a printed one."""
    parts = (re.escape(part) for part in comparable(shown).split("…"))
    return re.fullmatch(".*".join(parts), comparable(printed)) is not None


def difference(shown, printed):
    """Why the shown lines do not stand for all of the printed lines, or None."""
    shown, printed = ([line for line in lines if not DOUBTS.match(line)] for lines in (shown, printed))
    ends = {0}  # how many printed lines the shown lines until here may stand for
    for line in shown:
        if line.strip() == "…":
            ends = set(range(min(ends), len(printed) + 1))
            continue
        reached = {end + 1 for end in ends if end < len(printed) and fits(line, printed[end])}
        if not reached:
            return f"the page shows {line!r}, which is not printed there"
        ends = reached
    if len(printed) in ends:
        return None
    return f"the page does not show {printed[max(ends)]!r}"
