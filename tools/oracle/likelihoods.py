"""The formulas of the help pages: categories, normal densities, blocks; for oracle.py.

Written from the documentation alone, slow and plain: fractions as long as numbers are
rational, 60 digits beyond. A likelihood is a function that is given the data and returns
another one: the log density of a row in a class. `None` is a missing value; what is missing
adds nothing.
"""

from fractions import Fraction
from itertools import product

from mpmath import mp, mpf

mp.dps = 60
NONE = -mp.inf


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
        """Values of the features and weight, of the rows (of a class) that miss none of them."""
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


# Categorical features ---------------------------------------------------------------------------


def categorical(feature, laplace=0, m=0, p=None):
    """(n_ijk + m p_j) / (n_k + m); laplace a_j: (n_ijk + a_j) / (n_k + sum a)."""

    def fitted(data):
        levels = data.levels[feature]
        extra = laplace if isinstance(laplace, dict) else {j: Fraction(laplace) for j in levels}
        if m:
            extra = {j: Fraction(m) * (p[j] if p else Fraction(1, len(levels))) for j in levels}

        def shares(k):
            rows = data.known([feature], k)
            n = {j: sum(w for x, w in rows if x[0] == j) + extra[j] for j in levels}
            return {j: n[j] / sum(n.values()) for j in levels}

        return known_table(feature, by_class(data, shares))(data)

    return fitted


def known_table(feature, table):
    # A level that is not in the table is unknown: missing.
    return lambda data: lambda k, row: log(table[k].get(row[feature], 1))


def joint_table(features, laplace=0, m=0):
    def fitted(data):
        cells = list(product(*(data.levels[f] for f in features)))
        extra = Fraction(m) / len(cells) if m else Fraction(laplace)

        def shares(k):
            rows = data.known(features, k)
            n = {c: sum(w for x, w in rows if tuple(x) == c) + extra for c in cells}
            return {c: n[c] / sum(n.values()) for c in cells}

        return known_joint(features, by_class(data, shares))(data)

    fitted.features = features
    return fitted


def known_joint(features, table):
    """Cells that agree with what is observed are summed."""

    def fitted(_):
        def density(k, row):
            levels = [set(c[i] for c in table[k]) for i in range(len(features))]
            seen = [row[f] if row[f] in levels[i] else None for i, f in enumerate(features)]
            agree = [
                p for c, p in table[k].items() if all(s in (None, x) for s, x in zip(seen, c))
            ]
            return log(sum(agree))

        return density

    return fitted


# Normal densities -------------------------------------------------------------------------------


def log_normal(x, mean, variance):
    return -(mp.log(2 * mp.pi) + log(variance) + real(x - mean) ** 2 / real(variance)) / 2


def gaussian(feature, ml=False, min_variance=0):
    block_of_one = block([feature], ml=ml)

    def fitted(data):
        mean, covariance = block_of_one.estimate(data)
        variance = by_class(data, lambda k: max(covariance[k][0][0], Fraction(min_variance)))
        return known_gaussian(feature, by_class(data, lambda k: mean[k][0]), variance)(data)

    return fitted


def known_gaussian(feature, mean, variance):
    def density(k, row):
        return mpf(0) if row[feature] is None else log_normal(row[feature], mean[k], variance[k])

    return lambda data: density


def known_mixture(feature, components):
    """Components of a class: (weight, mean, variance)."""

    def density(k, row):
        x = row[feature]
        if x is None:
            return mpf(0)
        return log_sum([log(w) + log_normal(x, mean, v) for w, mean, v in components[k]])

    return lambda data: density


def scatter_of(rows):
    """Sum of weights, mean, and the sum of w (x - mean)(x - mean)'."""
    total = sum(w for _, w in rows)
    size = range(len(rows[0][0]))
    mean = [sum(w * x[i] for x, w in rows) / total for i in size]
    d = [([x[i] - mean[i] for i in size], w) for x, w in rows]
    return total, mean, [[sum(w * x[i] * x[j] for x, w in d) for j in size] for i in size]


def combine(a, x, b, y):
    return [[a * s + b * t for s, t in zip(row, other)] for row, other in zip(x, y)]


class block:
    """A multivariate Gaussian: (1 - shrinkage) S_k + shrinkage S_pooled."""

    def __init__(self, features, ml=False, pooled=False, shrinkage=0):
        self.features, self.lost = features, 0 if ml else 1
        self.shrinkage = Fraction(1 if pooled else shrinkage)

    def estimate(self, data):
        parts = by_class(data, lambda k: scatter_of(data.known(self.features, k)))
        total = sum(w for w, _, _ in parts.values())
        zero = [[Fraction(0)] * len(self.features) for _ in self.features]
        whole = zero
        for _, _, scatter in parts.values():
            whole = combine(1, whole, 1, scatter)
        pooled = combine(1 / (total - self.lost * len(parts)), whole, 0, zero)

        def covariance(k):
            if self.shrinkage == 1:
                return pooled
            weight, _, scatter = parts[k]
            own = (1 - self.shrinkage) / (weight - self.lost)
            return combine(own, scatter, self.shrinkage, pooled)

        return by_class(data, lambda k: parts[k][1]), by_class(data, covariance)

    def __call__(self, data):
        return known_block(self.features, *self.estimate(data))(data)


def known_block(features, mean, covariance):
    """The covariance of what is observed."""

    def density(k, row):
        seen = [i for i, f in enumerate(features) if row[f] is not None]
        d = [row[features[i]] - mean[k][i] for i in seen]
        s = [[covariance[k][i][j] for j in seen] for i in seen]
        determinant, square = solve(s, d)
        return -(len(seen) * mp.log(2 * mp.pi) + log(determinant) + real(square)) / 2

    return lambda data: density


def solve(s, d):
    """Determinant of s, and d' s^-1 d, by elimination, which is exact in fractions."""
    rows = [list(row) + [x] for row, x in zip(s, d)]
    determinant, square = Fraction(1), Fraction(0)
    for i, pivot in enumerate(rows):
        determinant *= pivot[i]
        square += pivot[-1] ** 2 / pivot[i]
        for row in rows[i + 1 :]:
            factor = row[i] / pivot[i]
            row[:] = [x - factor * y for x, y in zip(row, pivot)]
    return determinant, square


def condition(covariance):
    """Of the rows that have this covariance, each column scaled to length 1."""
    size = range(len(covariance))
    sd = [mp.sqrt(real(covariance[i][i])) for i in size]
    correlation = mp.matrix([[real(covariance[i][j]) / sd[i] / sd[j] for j in size] for i in size])
    values = mp.eigsy(correlation, eigvals_only=True)
    return mp.sqrt(max(values) / min(values))
