"""Jointly normal features."""

from fractions import Fraction

from data import whole
from formulas import EVEN, HALF, by_class, log, real, scatter_of
from mpmath import mp


def combine(a, x, b, y):
    return [[a * s + b * t for s, t in zip(row, other)] for row, other in zip(x, y)]


class block:
    """A multivariate Gaussian: S = (1 - shrinkage) S_k + shrinkage S_pooled, then
    (1 - identity) S + identity trace(S) / p I."""

    def __init__(self, features, ml=False, pooled=False, shrinkage=0, identity=0):
        self.features, self.lost = features, 0 if ml else 1
        self.shrinkage, self.identity = Fraction(1 if pooled else shrinkage), Fraction(identity)

    def estimate(self, data):
        parts = by_class(data, lambda k: scatter_of(data.known(self.features, k)))
        total = sum(w for w, _, _ in parts.values())
        zero = [[Fraction(0)] * len(self.features) for _ in self.features]
        whole = zero
        for _, _, scatter in parts.values():
            whole = combine(1, whole, 1, scatter)
        pooled = combine(1 / (total - self.lost * len(parts)), whole, 0, zero)

        def regular(s):
            size = range(len(s))
            equal = self.identity * sum(s[i][i] for i in size) / len(s)
            added = [[equal if i == j else Fraction(0) for j in size] for i in size]
            return combine(1 - self.identity, s, 1, added)

        def covariance(k):
            if self.shrinkage == 1:
                return regular(pooled)
            weight, _, scatter = parts[k]
            own = (1 - self.shrinkage) / (weight - self.lost)
            return regular(combine(own, scatter, self.shrinkage, pooled))

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
    """The condition number of rows of this covariance, their columns scaled to length 1."""
    size = range(len(covariance))
    sd = [mp.sqrt(real(covariance[i][i])) for i in size]
    correlation = mp.matrix([[real(covariance[i][j]) / sd[i] / sd[j] for j in size] for i in size])
    values = mp.eigsy(correlation, eigvals_only=True)
    return mp.sqrt(max(values) / min(values))


KNOWN = [
    ("known block",
     "bayes_known(c(a = 0.5, b = 0.5), uv = likelihood_gaussian("
     "mean = rbind(a = c(u = 0, v = 1), b = c(0.5, -2)),"
     " covariance = list(b = diag(c(2, 4)), a = rbind(c(2, 2.25), c(2.25, 3)))))",
     [known_block(["u", "v"], {"a": whole([[0, 1]])[0], "b": [HALF, Fraction(-2)]},
                  {"a": whole([["2", "2.25"], ["2.25", "3"]]), "b": whole([[2, 0], [0, 4]])})],
     EVEN),
]
