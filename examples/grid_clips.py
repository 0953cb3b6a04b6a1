#!/usr/bin/env python3
"""Writes clips.csv for clips of the GRID corpus, with a column split.

    grid_clips.py FOLDER [SPEAKER]

FOLDER/clips holds videos named SPEAKER_SENTENCE.mp4. Clips of SPEAKER (s1 unless given) become
train, valid (200 clips) and test (100); those of everybody else become other, which only evaluation
out of distribution reads. Which clip goes where follows from its name alone.
"""
import csv
import hashlib
import pathlib
import sys

VALID, TEST = 200, 100


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    speaker = sys.argv[2] if len(sys.argv) == 3 else "s1"
    names = sorted(path.name for path in (folder / "clips").glob("*_*.mp4"))
    known = [name for name in names if name.split("_")[0] == speaker]
    if len(known) <= VALID + TEST:
        sys.exit(f"{folder}/clips: expected more than {VALID + TEST} clips named {speaker}_*.mp4, "
                 f"found {len(known)}")
    known.sort(key=lambda name: hashlib.sha256(name.encode()).digest())
    split_of = dict.fromkeys(names, "other")
    for i, name in enumerate(known):
        split_of[name] = "test" if i < TEST else "valid" if i < TEST + VALID else "train"
    with open(folder / "clips.csv", "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["file", "identity", "split"])
        for name in names:
            rows.writerow([f"clips/{name}", name.split("_")[0], split_of[name]])


if __name__ == "__main__":
    main()
