"""Reference values of tests/calibration by SciPy, from the formulas alone.

    calibration.py        prints the golden numbers of polynomial_gaussian_test.cpp

Needs NumPy and SciPy (Debian: python3-scipy).
"""

import numpy as np
from scipy.optimize import minimize

FLOOR, RIDGE = 1e-4, 1e-6


def data(n=200):
    """The rows of the test: x and y by formulas."""
    i = np.arange(n)
    x = 3 * np.sin(0.7 * i) + 0.5
    y = 0.5 + 0.8 * x - 0.1 * x**2 + np.exp(-1 + 0.3 * x) * np.sin(2.3 * i * i)
    return x, y


def fit(x, y, p, q):
    """Coefficients of mean and log sigma in powers of standardised x."""
    z = (x - x.mean()) / x.std()
    design, scale = np.vander(z, p + 1, increasing=True), np.vander(z, q + 1, increasing=True)

    def loss(theta):
        b, g = theta[: p + 1], theta[p + 1 :]
        s, r = scale @ g, y - design @ b
        w = np.exp(-2 * s)
        value = np.sum(s + 0.5 * (r**2 + FLOOR**2) * w)
        slope_b = -design.T @ (r * w)
        slope_g = scale.T @ (1 - (r**2 + FLOOR**2) * w)
        for part, slope in ((b, slope_b), (g, slope_g)):
            value += 0.5 * RIDGE * np.sum(part[1:] ** 2)
            slope[1:] += RIDGE * part[1:]
        return value, np.concatenate([slope_b, slope_g])

    start = np.zeros(p + q + 2)
    start[: p + 1] = np.linalg.lstsq(design, y, rcond=None)[0]
    start[p + 1] = np.log(np.std(y - design @ start[: p + 1]))
    best = minimize(loss, start, jac=True, method="BFGS", options={"gtol": 1e-9, "maxiter": 5000})
    return best.x


if __name__ == "__main__":
    x, y = data()
    for p, q in ((1, 0), (3, 2), (5, 3)):
        print(f"({p}, {q}):", ", ".join(f"{c:.9f}" for c in fit(x, y, p, q)))
