#!/usr/bin/env python3
"""What is proved of recorded right kernels: runs msci-prove-recorded in parallel and counts.

    tests/analysis/proved_share.py build/bin/msci-prove-recorded recorded_candidates.jsonl.gz --jobs 16
    tests/analysis/proved_share.py build/bin/msci-prove-recorded --seeds 24 --jobs 16

The second command proves the tasks' seeds at all their sizes and 24 more that the contracts allow, and prints a table of them.
Each kernel counts once for bounds, races and barriers, by the worst answer of its claims. Prints the
shares, the reasons of what is unknown, every refutation that no run shows, and the times.
Exit status: 0 each refutation is confirmed, 1 one is not, 2 a kernel could not be proved.
"""
import argparse
import collections
import json
import statistics
import subprocess
import sys
import tempfile

SUBJECTS = ("bounds", "races", "barriers")
RANK = {"proved": 0, "unknown": 1, "refuted": 2}


def prove(arguments):
    """The lines of all processes, each of which proves every so many-th kernel."""
    command = [arguments.program, "--json", "--run", "--every", str(arguments.jobs * arguments.sample)]
    if arguments.seeds is None:
        command.append(arguments.candidates)
    else:
        command += ["--seeds", "--all-sizes", "--drawn", str(arguments.seeds)]
    if arguments.all_sizes:
        command.append("--all-sizes")
    processes = []
    for part in range(arguments.jobs):
        output = tempfile.TemporaryFile("w+")
        processes.append((output, subprocess.Popen(command + ["--from", str(part * arguments.sample)],
                                                   stdout=output, text=True)))
    lines = []
    for output, process in processes:
        if process.wait() > 1:
            sys.exit(f"{arguments.program} failed with {process.returncode}")
        output.seek(0)
        lines += [json.loads(line) for line in output]
    return lines


def reason_of(claim):
    """Names of buffers are left out, so that equal reasons are counted together."""
    words = claim["reason"].split("`")
    return f"{claim['subject']}: " + "".join(words[::2]).strip()


def print_seeds(lines):
    """A table of the tasks, with how many sizes are proved, and the reason where one is not."""
    answers, reasons = collections.defaultdict(collections.Counter), collections.defaultdict(set)
    for line in lines:
        answers[line["id"]]["sizes"] += 1
        worst = {}
        for claim in (claim for proof in line.get("proofs", []) for claim in proof["claims"]):
            worst[claim["subject"]] = max(worst.get(claim["subject"], "proved"), claim["answer"], key=RANK.get)
            if claim["answer"] != "proved":
                reasons[line["id"]].add(f"{claim['subject']}: {claim['answer']}, {claim.get('reason', '')}")
        for subject, answer in worst.items():
            answers[line["id"]][subject, answer] += 1
    print("| seed | sizes | " + " | ".join(f"{subject} proved" for subject in SUBJECTS) + " | otherwise |")
    print("|---|---:|" + "---:|" * len(SUBJECTS) + "---|")
    for name, counts in sorted(answers.items()):
        cells = [str(counts[subject, "proved"]) if any(counts[subject, answer] for answer in RANK) else "–"
                 for subject in SUBJECTS]
        print(f"| {name} | {counts['sizes']} | {' | '.join(cells)} | {'; '.join(sorted(reasons[name])) or '–'} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("candidates", nargs="?")
    parser.add_argument("--seeds", type=int, metavar="N", help="the tasks' seeds, at all sizes and N drawn ones")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sample", type=int, default=1, help="only every so many-th kernel")
    parser.add_argument("--all-sizes", action="store_true")
    arguments = parser.parse_args()
    if (arguments.candidates is None) == (arguments.seeds is None):
        parser.error("give the file of candidates, or --seeds N")

    answers = {subject: collections.Counter() for subject in SUBJECTS}
    reasons = collections.Counter()
    unconfirmed, failed, seconds = [], [], []
    lines = prove(arguments)
    if arguments.seeds is not None:
        print_seeds(lines)
    for line in lines:
        if "error" in line:
            failed.append(line)
            continue
        proofs = line.get("proofs", [])
        seconds.append(sum(proof["seconds"] for proof in proofs))
        worst, why = {}, set()
        for proof in proofs:
            for claim in proof["claims"]:
                subject, answer = claim["subject"], claim["answer"]
                worst[subject] = max(worst.get(subject, "proved"), answer, key=RANK.get)
                if answer == "unknown":
                    why.add(reason_of(claim))
                if answer == "refuted" and not claim.get("confirmed"):
                    unconfirmed.append((line["id"], line["size"], proof["kernel"], claim))
        reasons.update(why)
        for subject, answer in worst.items():
            answers[subject][answer] += 1

    for subject in SUBJECTS:
        counts = answers[subject]
        if counts:
            print(f"{subject}: {counts['proved']} proved, {counts['refuted']} refuted, "
                  f"{counts['unknown']} unknown ({100 * counts['proved'] / counts.total():.0f} % proved)")
    print("kernels with a reason:")
    for reason, count in reasons.most_common():
        print(f"{count:6} {reason}")
    if seconds:
        print(f"median {statistics.median(seconds):.2f} s, longest {max(seconds):.2f} s")
    for name, size, kernel, claim in unconfirmed:
        print(f"not confirmed: {name} at {size}, {kernel}: {json.dumps(claim)}")
    for line in failed:
        print(f"not proved: {line['id']} at {line['size']}: {line['error']}")
    return 2 if failed else 1 if unconfirmed else 0


if __name__ == "__main__":
    sys.exit(main())
