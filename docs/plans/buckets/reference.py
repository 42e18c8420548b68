"""Sums and counts by bucket, and where each bucket begins."""
import array
import pathlib
import sys

folder, buckets = pathlib.Path(sys.argv[1]), int(sys.argv[2])
keys = array.array("I", (folder / "keys.bin").read_bytes())
weights = array.array("I", (folder / "weights.bin").read_bytes())
sums, counts, begins, begin = [0] * buckets, [0] * buckets, [], 0
for key, weight in zip(keys, weights):
    sums[key % buckets] += weight
    counts[key % buckets] += 1
sums = [each % 2**32 for each in sums]
for added, count in zip(sums, counts):
    begins.append(begin % 2**64)
    begin += (count << 32) + added
for name, kind, values in (("sums", "I", sums), ("counts", "I", counts), ("begins", "Q", begins)):
    (folder / f"{name}.out").write_bytes(array.array(kind, values).tobytes())
