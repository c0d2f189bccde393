"""The README's figure: institutions that sign papers of ICML 2013–2024 together.

    python bench/figure.py ../shared/data docs/icml-2013-2024.png

Institutions of at least 40 papers, ties of at least 3 papers, fractional counting, colours by Leiden's communities.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    kg = [sys.executable, "-m", "kg"]
    with tempfile.TemporaryDirectory() as temporary:
        listing, store = Path(temporary) / "icml.txt", Path(temporary) / "store"
        maker = Path(__file__).with_name("make_listing.py")
        with listing.open("w", encoding="utf-8") as out:
            command = [sys.executable, str(maker), str(options.data), "1000000", "--only", "icml"]
            subprocess.run(command, stdout=out, check=True)
        # the lists hold a few entries without authors: these are told and left out
        subprocess.run([*kg, "build", listing, "--store", store, "--no-validate", "--keep-going"], check=False)
        what = ["network", "coaffiliation", "--store", store, "--years", "2013-2024", "--counting", "fractional"]
        chosen = ["--min-papers", "40", "--min-weight", "3", "--measures", "degree,strength,communities"]
        subprocess.run([*kg, *what, *chosen, "--output", options.output], check=True)
    Image.open(options.output).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(
        options.output, optimize=True
    )  # fewer bytes
    return 0


if __name__ == "__main__":
    sys.exit(main())
