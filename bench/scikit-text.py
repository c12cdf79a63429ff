"""scikit-learn on the matrix of bench/tasks-text.R, which R has written to a folder.

Usage: /usr/bin/python3 bench/scikit-text.py FOLDER ROWS TERMS KIND ...

Writes times.csv (medians and minima in seconds) and, for each kind, the scores of some rows without
the class prior.
"""

import csv
import os
import statistics
import sys
import time

import numpy
import sklearn
from scipy import sparse
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB

MODELS = {"multinomial": MultinomialNB, "Bernoulli": BernoulliNB, "complement": ComplementNB}
ROUNDS = 5


def seconds(call):
    """The times of repeated calls. The first call is a warm-up and does not count."""
    times = []
    for _ in range(ROUNDS + 1):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times[1:]


def main(folder, rows, terms, kinds):
    def read(name, kind):
        return numpy.fromfile(os.path.join(folder, name), dtype=kind)

    columns = sparse.csc_matrix(
        (read("x", "f8"), read("i", "i4"), read("p", "i4")), shape=(rows, terms)
    )
    y, some = read("y", "i4"), read("some", "i4")
    timed = []
    for kind in kinds:
        for label, words in (("CSR", columns.tocsr()), ("CSC", columns)):
            model = MODELS[kind](alpha=1.0).fit(words, y)
            calls = {
                "fit": lambda: MODELS[kind](alpha=1.0).fit(words, y),
                "class": lambda: model.predict(words),
            }
            for task, call in calls.items():
                times = seconds(call)
                timed.append(
                    {
                        "task": kind + " " + task,
                        "who": "scikit-learn: " + label,
                        "value": statistics.median(times),
                        "least": min(times),
                        "note": "scikit-learn " + sklearn.__version__,
                    }
                )
        joint = model.predict_joint_log_proba(columns.tocsr()[some])
        if kind != "complement":
            joint = joint - model.class_log_prior_
        numpy.ascontiguousarray(joint).tofile(os.path.join(folder, kind))
    with open(os.path.join(folder, "times.csv"), "w", newline="") as file:
        writer = csv.DictWriter(file, ["task", "who", "value", "least", "note"])
        writer.writeheader()
        writer.writerows(timed)


if __name__ == "__main__":
    main(sys.argv[1], int(float(sys.argv[2])), int(float(sys.argv[3])), sys.argv[4:])
