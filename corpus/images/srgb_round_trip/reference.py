"""Encoded colours, and as linear numbers: reference.py FOLDER"""

import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import load, save

folder = Path(sys.argv[1])
shutil.copy(folder / "colours.bin", folder / "again.out")
save(folder, "linear", "rgba32float", load(folder, "colours", "rgba8unorm_srgb"))
