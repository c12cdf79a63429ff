"""The tasks of bench/run.R in scikit-learn.

Usage: [OMP_NUM_THREADS=1] /usr/bin/python3 bench/scikit-learn.py [quick|full] [results.csv [REGEX]]

Times fit, class (predict) and posterior (predict_proba) of the same sizes and the same kind of
data as in R, for arrays in C and in Fortran order, and writes medians and minima in seconds; rows
are added where the file exists. Without a file they are printed. REGEX chooses settings by title,
such as "Gaussian naive, 1e6 x 10, k 3".
"""

import csv
import os
import re
import statistics
import sys
import time
import warnings

import numpy
import sklearn
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import CategoricalNB, GaussianNB

FIELDS = ["task", "n", "p", "k", "levels", "who", "value", "least", "note"]
THREADS = os.environ.get("OMP_NUM_THREADS", "")


def gaussian_data(n, p, k):
    """Overlapping classes, one column mean per class."""
    draw = numpy.random.default_rng(1)
    code = draw.permutation(numpy.arange(n) % k)
    return draw.standard_normal((n, p)) + (code[:, None] + 1) / 2, code


def categorical_data(n, p, levels, k):
    """The class moves a third of the codes."""
    draw = numpy.random.default_rng(1)
    code = draw.permutation(numpy.arange(n) % k)
    moved = draw.random((n, p)) < 1 / 3
    x = (draw.integers(0, levels, (n, p)) + moved * (code[:, None] + 1)) % levels
    return x.astype(numpy.int32), code


def seconds(call, rounds):
    """The times of repeated calls. The first call is a warm-up and does not count."""
    times = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
        if times[0] > 1 and len(times) > 3:
            break
    return times[1:]


def race(name, size, make_model, data, orders, rounds):
    """A row for each of fit, class and posterior and each order of the array."""
    x, y = data
    rows = []
    for label, order in orders.items():
        ordered = numpy.asarray(x, order=order)
        model = make_model().fit(ordered, y)
        calls = {
            "fit": lambda: make_model().fit(ordered, y),
            "class": lambda: model.predict(ordered),
            "posterior": lambda: model.predict_proba(ordered),
        }
        for task, call in calls.items():
            times = seconds(call, rounds)
            who = "scikit-learn: " + label
            if THREADS not in ("", "1"):
                who += ", " + THREADS + " threads"
            rows.append(
                {
                    "task": name + " " + task,
                    **dict(zip(["n", "p", "k", "levels"], size)),
                    "who": who,
                    "value": statistics.median(times),
                    "least": min(times),
                    "note": "scikit-learn " + sklearn.__version__,
                }
            )
    return rows


def settings(full):
    """Name, size (n, p, k, levels), model and data of each."""
    gaussian = [(1000000, 10, 3), (1000000, 32, 2)]
    covariance = [(1000000, 10, 3), (100000, 64, 5)]
    categorical = [(1000000, 10, 3, 8)]
    if full:
        gaussian += [(100000, 500, 3), (10000, 10, 3)]
        categorical += [(1000000, 10, 10, 50), (1000000, 10, 2, 2)]
    for size in gaussian:
        yield "Gaussian naive", size, lambda: GaussianNB(var_smoothing=0), gaussian_data
    for size in covariance:
        yield "Full covariance", size, QuadraticDiscriminantAnalysis, gaussian_data
    if full:
        for size in covariance:
            yield "Pooled covariance", size, LinearDiscriminantAnalysis, gaussian_data
    for size in categorical:
        yield "Categorical", size, lambda: CategoricalNB(alpha=1e-10), categorical_data


def write(rows, file):
    """Adds rows to a file, or prints them."""
    fresh = file is None or not os.path.exists(file)
    stream = sys.stdout if file is None else open(file, "a", newline="", encoding="utf-8")
    writer = csv.DictWriter(stream, FIELDS)
    if fresh:
        writer.writeheader()
    writer.writerows(rows)
    if file is not None:
        stream.close()


def title_of(name, size):
    """As in R."""
    power = f"{size[0]:.0e}".replace("e+0", "e")
    levels = f", L {size[3]}" if len(size) == 4 else ""
    return f"{name}, {power} x {size[1]}{levels}, k {size[2]}"


def main(mode="quick", file=None, only=""):
    """All settings, one after the other."""
    warnings.filterwarnings("ignore")
    orders = {"C order": "C", "Fortran order": "F"}
    rows = []
    for name, size, make_model, make_data in settings(mode == "full"):
        if not re.search(only, title_of(name, size)):
            continue
        data = make_data(*((size[0], size[1], size[3], size[2]) if len(size) == 4 else size))
        rows += race(name, size, make_model, data, orders, 7 if mode == "full" else 5)
    write(rows, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
