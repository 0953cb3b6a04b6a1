#!/usr/bin/python3
"""Gray-Scott reaction and diffusion, written in the Well's format with nothing but NumPy and h5py.

    /usr/bin/python3 examples/gray_scott.py FOLDER [--train 200 --valid 80 --test 40]

Two chemicals on a periodic square of 64 x 64 cells: dA/dt = Du lap A - A B^2 + F (1 - A),
dB/dt = Dv lap B + A B^2 - (F + k) B. Every trajectory starts from other drops of B. A data set of
your own needs what `write` of well_file.py puts into its files, and nothing else.
"""
import argparse
import pathlib

import numpy as np

from well_file import write

SIZE, FRAMES, STEPS = 64, 40, 40  # cells along an axis, stored frames, steps between them
DU, DV, FEED, KILL = 0.16, 0.08, 0.035, 0.060


def start(rng, count):
    """Still A, and three to eight drops of B."""
    x = np.arange(SIZE)
    b = np.zeros((count, SIZE, SIZE))
    for one in b:
        for _ in range(rng.integers(3, 9)):
            cx, cy, width = *rng.uniform(0, SIZE, 2), rng.uniform(2, 5)
            dx = (x - cx + SIZE / 2) % SIZE - SIZE / 2
            dy = (x - cy + SIZE / 2) % SIZE - SIZE / 2
            one += 0.6 * np.exp(-(dx[:, None] ** 2 + dy[None, :] ** 2) / (2 * width**2))
    b = np.minimum(b, 0.8)
    return 1 - b, b


def laplacian(field):
    return sum(np.roll(field, s, axis) for s in (1, -1) for axis in (1, 2)) - 4 * field


def solve(rng, count):
    """Fields A and B of `count` trajectories, each (trajectory, time, x, y)."""
    a, b = start(rng, count)
    frames = []
    for frame in range(FRAMES):
        for _ in range(STEPS if frame else 200):  # the first frame after a while: patterns, not drops
            reaction = a * b * b
            a += DU * laplacian(a) - reaction + FEED * (1 - a)
            b += DV * laplacian(b) + reaction - (FEED + KILL) * b
        frames.append((a.copy(), b.copy()))
    return np.stack([f[0] for f in frames], 1), np.stack([f[1] for f in frames], 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--train", type=int, default=200)
    parser.add_argument("--valid", type=int, default=80)
    parser.add_argument("--test", type=int, default=40)
    chosen = parser.parse_args()
    for split, seed in (("train", 1), ("valid", 2), ("test", 3)):
        count = getattr(chosen, split)
        a, b = solve(np.random.default_rng(seed), count)
        write(chosen.folder / "data" / split / "gray_scott_small.hdf5", "gray_scott_small",
              {"A": a, "B": b}, np.arange(FRAMES), {"F": FEED, "k": KILL})
        print(f"{split}: {count} trajectories of {FRAMES} frames")


if __name__ == "__main__":
    main()
