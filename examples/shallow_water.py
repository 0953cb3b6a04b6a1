#!/usr/bin/python3
"""Rotating shallow water, written in the Well's format with nothing but NumPy and h5py.

    /usr/bin/python3 examples/shallow_water.py FOLDER [--train 200 --valid 80 --test 40]

Height h and velocity (u, v) on a periodic box of 48 x 64 cells, in units of the mean depth, the
gravity-wave speed and the box's short side: dh/dt = -div(h u), du/dt = -u . grad u + f v - dh/dx and
so on, with rotation f = 4 and a little viscosity. Every trajectory starts from a smooth random
height and the velocity in balance with it, plus an unbalanced part that leaves as waves. Spectral
derivatives, classical Runge-Kutta steps, the upper third of the wavenumbers removed.
"""
import argparse
import pathlib

import numpy as np

from well_file import write

NX, NY, FRAMES, STEPS = 48, 64, 60, 8  # cells, stored frames, steps between them
DT, ROTATION, VISCOSITY = 0.0025, 4.0, 5e-4
KX = 2 * np.pi * np.fft.fftfreq(NX, 1 / NX)[:, None]
KY = 2 * np.pi * np.fft.rfftfreq(NY, 1 / NY)[None, :] * NX / NY  # cells are square
KEPT = (abs(KX) < abs(KX).max() * 2 / 3) & (KY < KY.max() * 2 / 3)


def derivative(field, wavenumber):
    return np.fft.irfft2(1j * wavenumber * np.fft.rfft2(field) * KEPT, s=(NX, NY))


def smooth_noise(rng, count, size):
    """(count, x, y) of standard deviation one, without waves shorter than `size`."""
    spectrum = np.exp(-(KX**2 + KY**2) * size**2 / 2)
    field = np.fft.irfft2(np.fft.rfft2(rng.standard_normal((count, NX, NY))) * spectrum, s=(NX, NY))
    field -= field.mean((1, 2), keepdims=True)
    return field / field.std((1, 2), keepdims=True)


def initial_state(rng, count):
    h = 1 + rng.uniform(0.03, 0.08, (count, 1, 1)) * smooth_noise(rng, count, 0.1)
    h = np.maximum(h, 0.4)
    u = -derivative(h, KY) / ROTATION + 0.03 * smooth_noise(rng, count, 0.1)
    v = derivative(h, KX) / ROTATION + 0.03 * smooth_noise(rng, count, 0.1)
    return np.stack([h, u, v])


def rate(state):
    h, u, v = state
    hx, hy = derivative(h, KX), derivative(h, KY)
    ux, uy, vx, vy = (derivative(w, k) for w in (u, v) for k in (KX, KY))
    laplacian = [derivative(derivative(w, KX), KX) + derivative(derivative(w, KY), KY) for w in state]
    return np.stack([-derivative(h * u, KX) - derivative(h * v, KY),
                     -u * ux - v * uy + ROTATION * v - hx,
                     -u * vx - v * vy - ROTATION * u - hy]) + VISCOSITY * np.stack(laplacian)


def advance(state):
    k1 = rate(state)
    k2 = rate(state + DT / 2 * k1)
    k3 = rate(state + DT / 2 * k2)
    k4 = rate(state + DT * k3)
    return state + DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def solve(rng, count):
    """(field, trajectory, time, x, y)"""
    state = initial_state(rng, count)
    frames = [state]
    for _ in range(FRAMES - 1):
        for _ in range(STEPS):
            state = advance(state)
        frames.append(state)
    return np.stack(frames, axis=2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--train", type=int, default=200)
    parser.add_argument("--valid", type=int, default=80)
    parser.add_argument("--test", type=int, default=40)
    chosen = parser.parse_args()
    time = np.arange(FRAMES) * STEPS * DT
    for split, seed in (("train", 1), ("valid", 2), ("test", 3)):
        count = getattr(chosen, split)
        h, u, v = solve(np.random.default_rng(seed), count)
        write(chosen.folder / "data" / split / "shallow_water.hdf5", "shallow_water",
              {"height": h, "u": u, "v": v}, time, {"rotation": ROTATION, "viscosity": VISCOSITY})
        print(f"{split}: {count} trajectories of {FRAMES} frames")


if __name__ == "__main__":
    main()
