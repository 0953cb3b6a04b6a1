"""Golden numbers of tests/metrics/*_test.cpp, by NumPy, SciPy and scikit-learn.

    statistics.py         prints them, a name and a number a line

Inputs are formulas of the row number, the same as in tests/metrics/sample.h, so that no file or random
generator stands between the two sides. What uncertainty-toolbox defines is computed here from its
definition by other means than the C++ code: intervals by scipy.stats.norm.interval row by row, the
miscalibration area by exact polygon areas, CRPS by numerical integration.

Exits with 77 when NumPy, SciPy or scikit-learn is not installed.
"""

import sys

try:
    import numpy as np
    import scipy.integrate
    import scipy.stats
    import sklearn.metrics
except ImportError as error:
    print(error)
    sys.exit(77)


def wave(count, phase, step=0.7):
    """sin(phase + step i) + 0.3 sin(3.1 step i)"""
    i = np.arange(count)
    return np.sin(phase + step * i) + 0.3 * np.sin(3.1 * step * i)


def sample(count, phase=0.2):
    """y, mean, sigma: heteroscedastic predictions of a wave, over-confident in places."""
    mean = wave(count, 0.9 + phase)
    sigma = 0.2 + 0.15 * np.cos(0.37 * np.arange(count) + phase) ** 2
    y = mean + 0.4 * wave(count, phase, step=1.3) ** 3
    return y, mean, sigma


def coarse(values):
    """Rounded to multiples of 1/4: many ties."""
    return np.floor(4 * values) / 4


def polygon(points):
    """Area of a simple polygon by the shoelace formula."""
    x, y = np.array(points).T
    return abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def miscalibration_area(nominal, observed):
    total = 0.0
    for a, b, s, t in zip(nominal[:-1], nominal[1:], observed[:-1], observed[1:]):
        if (s - a) * (t - b) >= 0:
            total += polygon([(a, a), (b, b), (b, t), (a, s)])
        else:  # the lines cross: s + (t - s) w = a + (b - a) w
            w = (a - s) / ((t - s) - (b - a))
            x, y = a + (b - a) * w, s + (t - s) * w
            total += polygon([(a, a), (x, y), (a, s)]) + polygon([(b, b), (x, y), (b, t)])
    return total


def calibration(y, mean, sigma):
    nominal = np.linspace(0, 1, 100)
    observed = []
    for p in nominal:
        low, high = scipy.stats.norm.interval(p, loc=0, scale=1)
        z = (y - mean) / sigma
        observed.append(np.mean((low <= z) & (z <= high)))
    gap = np.array(observed) - nominal
    return {"ma": miscalibration_area(nominal, observed), "mace": np.abs(gap).mean(),
            "rmsce": np.sqrt((gap**2).mean()), "observed_33": observed[33]}


def crps(y, mean, sigma):
    """Integral of (F(x) - [x >= y])^2."""
    law = scipy.stats.norm(mean, sigma)
    below = scipy.integrate.quad(lambda x: law.cdf(x) ** 2, min(y, mean) - 12 * sigma, y,
                                 epsabs=1e-13, limit=500)[0]
    above = scipy.integrate.quad(lambda x: law.sf(x) ** 2, y, max(y, mean) + 12 * sigma,
                                 epsabs=1e-13, limit=500)[0]
    return below + above


def show(name, value):
    print(f"{name:36} {value:.16g}")


def correlations():
    x, y = wave(40, 0.1), wave(40, 0.6) + 0.2 * np.arange(40)
    show("pearson", scipy.stats.pearsonr(x, y)[0])
    show("spearman", scipy.stats.spearmanr(x, y)[0])
    show("spearman ties", scipy.stats.spearmanr(coarse(x), coarse(y))[0])
    print("ranks ties", scipy.stats.rankdata(coarse(wave(8, 0.1))).tolist())
    within, at = [], {}
    for k in range(6):
        c = wave(9, 0.3 * k) + 0.25 * np.arange(9)
        e = wave(9, 0.3 * k + 0.8) + 0.25 * np.arange(9) + 0.1 * k
        within.append(scipy.stats.spearmanr(c, e)[0])
        for depth in range(9):
            at.setdefault(depth, []).append((c[depth], e[depth]))
    show("within mean", np.mean(within))
    show("within sd", np.std(within, ddof=1))
    show("at depth 4, spearman", scipy.stats.spearmanr(*zip(*at[4]))[0])
    show("at depth 4, pearson", scipy.stats.pearsonr(*zip(*at[4]))[0])


def ranking():
    positives, negatives = wave(30, 0.1) + 0.5, wave(50, 0.6)
    labels = np.r_[np.ones(30), np.zeros(50)]
    show("auroc", sklearn.metrics.roc_auc_score(labels, np.r_[positives, negatives]))
    tied = np.r_[coarse(positives), coarse(negatives)]
    show("auroc ties", sklearn.metrics.roc_auc_score(labels, tied))
    show("percentile", scipy.stats.percentileofscore(coarse(negatives), 0.25, "mean") / 100)
    error = np.exp(wave(80, 0.4))
    high = error > np.quantile(error, 0.8)
    show("auroc of high errors", sklearn.metrics.roc_auc_score(high, wave(80, 0.7)))
    for level in (0, 0.05, 0.5, 0.68, 0.95, 1):
        show(f"quantile {level}", np.quantile(wave(40, 0.1), level))
    predicted = np.exp(wave(80, 0.7))
    order = np.argsort(predicted)
    risk = np.cumsum(error[order]) / np.arange(1, 81)
    oracle = np.cumsum(np.sort(error)) / np.arange(1, 81)
    show("aurc", risk.mean())
    show("oracle aurc", oracle.mean())
    show("reduction at 0.7", 1 - risk[55] / error.mean())


def scores():
    y, mean, sigma = sample(500)
    show("nll", -scipy.stats.norm(mean, sigma).logpdf(y).mean())
    show("rmse", np.sqrt(sklearn.metrics.mean_squared_error(y, mean)))
    show("x68", np.exp(np.quantile(np.abs(y - mean), 0.68)))
    show("x95", np.exp(np.quantile(np.abs(y - mean), 0.95)))
    show("cov68", np.mean(np.abs(y - mean) <= sigma))
    show("cov95", np.mean(np.abs(y - mean) <= 2 * sigma))
    show("crps", np.mean([crps(*row) for row in zip(y, mean, sigma)]))
    show("sharpness", np.sqrt(np.mean(sigma**2)))
    for name, value in calibration(y, mean, sigma).items():
        show(name, value)
    show("kurtosis", scipy.stats.kurtosis((y - mean) / sigma, fisher=False))
    group = np.arange(500) % 3
    for g in range(3):
        show(f"ma of rows {g} mod 3", calibration(*(c[group == g] for c in (y, mean, sigma)))["ma"])


def distribution():
    for p in (1e-300, 1e-20, 1e-5, 0.2, 0.3, 0.5 + 0.5 / 99, 0.75, 0.975, 1 - 1e-10):
        show(f"normal quantile {p:.10g}", scipy.stats.norm.ppf(p))


def fields():
    truth, predicted = 3 + wave(64, 0.1), 3 + wave(64, 0.35)
    show("vrmse", np.sqrt(np.mean((predicted - truth) ** 2) / (np.var(truth, ddof=1) + 1e-7)))
    show("relative l2", np.linalg.norm(predicted - truth) / np.linalg.norm(truth))
    show("mae", sklearn.metrics.mean_absolute_error(truth, predicted))
    depth = np.arange(1, 11)
    error = 0.02 * 1.21 ** (depth - 1) * np.exp(0.03 * wave(10, 0.5))
    fit = scipy.stats.linregress(depth, np.log(error))
    fitted = np.exp(fit.intercept + fit.slope * depth)
    show("growth first", fitted[0])
    show("growth ratio", np.exp(fit.slope))
    show("growth misfit", np.abs(fitted / error - 1).max())


def analysis_of_variance():
    """Two-way analysis of variance without repetition, by least squares on dummy variables."""
    n, d = 6, 9
    grids = [np.array([wave(d, 0.3 * k + phase) * 0.2 + 0.25 * np.arange(d) + spread * np.sin(2.0 * k)
                       for k in range(n)]) for phase, spread in ((0, 0.35), (0.8, 0.25))]
    i, j = np.meshgrid(np.arange(n), np.arange(d), indexing="ij")
    design = np.hstack([np.eye(n)[i.ravel()], np.eye(d)[j.ravel()]])
    noises, iccs = [], []
    for name, grid in zip("CE", grids):
        fit = design @ np.linalg.lstsq(design, grid.ravel(), rcond=None)[0]
        noises.append(grid.ravel() - fit)
        within = noises[-1] @ noises[-1] / ((n - 1) * (d - 1))
        between = np.var(grid.mean(axis=1), ddof=1) - within / d
        iccs.append(between / (between + within))
        show(f"sigma_b {name}", np.sqrt(between))
        show(f"sigma_w {name}", np.sqrt(within))
    noise = np.corrcoef(*noises)[0, 1]
    show("noise correlation", noise)
    show("ceiling", np.sqrt(iccs[0] * iccs[1]))
    show("ceiling with noise",
         np.sqrt(iccs[0] * iccs[1]) + noise * np.sqrt((1 - iccs[0]) * (1 - iccs[1])))


for part in (correlations, ranking, scores, distribution, fields, analysis_of_variance):
    part()
