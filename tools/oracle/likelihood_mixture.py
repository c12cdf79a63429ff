"""Mixtures of normals."""

from fractions import Fraction

from formulas import EVEN, QUARTER, log, log_normal, log_sum
from mpmath import mpf


def known_mixture(feature, components):
    """Components of a class: (weight, mean, variance)."""

    def density(k, row):
        x = row[feature]
        if x is None:
            return mpf(0)
        return log_sum([log(w) + log_normal(x, mean, v) for w, mean, v in components[k]])

    return lambda data: density


KNOWN = [
    ("known mixture",
     "bayes_known(c(a = 0.5, b = 0.5), v = likelihood_mixture("
     "weights = list(a = c(0.75, 0.25), b = 1), mean = list(a = c(3, 6), b = 5),"
     " sd = list(a = c(1, 0.5), b = 2)))",
     [known_mixture("v", {"a": [(Fraction(3, 4), 3, 1), (QUARTER, 6, QUARTER)],
                          "b": [(Fraction(1), 5, 4)]})],
     EVEN),
]
