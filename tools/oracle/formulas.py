"""The common part of the formulas of the help pages, for oracle.py.

The code follows the documentation alone, and it is slow and plain: fractions for rational numbers,
and 60 digits for all others. A likelihood is a function of the data that returns a function: the
log density of a row in a class. `None` is a missing value. A missing value adds nothing.

A file likelihood_<name>.py has the formulas of a likelihood. It may also have CASES, KNOWN
parameters (see cases.py), DATA (see data.py) and risks(); oracle.py finds them.
"""

from fractions import Fraction
from math import floor

from mpmath import mp, mpf

mp.dps = 60
NONE = -mp.inf
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
EVEN = {"a": HALF, "b": HALF}  # a prior


def real(x):
    return mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpf(x)


def log(x):
    return mp.log(real(x)) if x > 0 else NONE


def log_sum(terms):
    top = max(terms)
    return top if top == NONE else top + mp.log(sum(mp.exp(t - top) for t in terms))


class Data:
    """Rows (a dict each), their weights, and the levels that categorical features declare."""

    def __init__(self, rows, classes, levels, weights=None):
        weight = [row[weights] if weights else Fraction(1) for row in rows]
        # A weight of 0 leaves the row out.
        self.rows = [(row, w) for row, w in zip(rows, weight) if w > 0]
        self.classes, self.levels = classes, levels

    def known(self, features, of=None):
        """The values of some features and the weight of each row (of a class) that has them all."""
        found = [([row[f] for f in features], w, row["class"]) for row, w in self.rows]
        return [(x, w) for x, w, k in found if None not in x and of in (None, k)]

    def log_prior(self, prior=None):
        share = {k: sum(w for row, w in self.rows if row["class"] == k) for k in self.classes}
        if prior == "uniform":
            share = {k: Fraction(share[k] > 0) for k in self.classes}
        share = prior if isinstance(prior, dict) else share
        return {k: log(share[k]) - log(sum(share.values())) for k in self.classes}


def by_class(data, estimate):
    return {k: estimate(k) for k in data.classes}


def log_normal(x, mean, variance):
    return -(mp.log(2 * mp.pi) + log(variance) + real(x - mean) ** 2 / real(variance)) / 2


def scatter_of(rows):
    """Sum of weights, mean, and the sum of w (x - mean)(x - mean)'."""
    total = sum(w for _, w in rows)
    size = range(len(rows[0][0]))
    mean = [sum(w * x[i] for x, w in rows) / total for i in size]
    d = [([x[i] - mean[i] for i in size], w) for x, w in rows]
    return total, mean, [[sum(w * x[i] * x[j] for x, w in d) for j in size] for i in size]


def quantile(rows, share):
    """The quantile of type 7. A value of weight w counts as w copies."""
    copies, below = [], Fraction(0)
    for (x,), w in sorted(rows):
        copies.append((below, x))
        below += w

    def in_order(place):
        return [x for start, x in copies if start <= place][-1]

    place = (below - 1) * share
    low = in_order(floor(place))
    return low + (place - floor(place)) * (in_order(floor(place) + 1) - low)


def quartile_range(rows):
    return quantile(rows, Fraction(3, 4)) - quantile(rows, Fraction(1, 4))


def root(lead, start):
    """The zero of a function that changes its sign once, found along the log of its argument."""
    low = high = mp.log(start)
    while mp.sign(lead(mp.exp(low))) == mp.sign(lead(mp.exp(high))):
        low, high = low - 1, high + 1
    return mp.exp(mp.findroot(lambda x: lead(mp.exp(x)), (low, high), solver="anderson"))
