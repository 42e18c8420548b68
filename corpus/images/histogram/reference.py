"""How often each brightness occurs: reference.py FOLDER BINS"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import load, save

folder, bins = sys.argv[1], int(sys.argv[2])
counts = [[0] for _ in range(bins)]
for texel in load(folder, "image", "r8unorm"):
    counts[min(int(texel[0] * bins), bins - 1)][0] += 1
save(folder, "counts", "r32uint", counts)
