"""Counts of a Poisson distribution."""

from fractions import Fraction

from costs import count_risk, priced
from formulas import HALF, NONE, QUARTER, by_class, log, real, scatter_of
from mpmath import mp, mpf


def poisson(feature):
    def fitted(data):
        rate = by_class(data, lambda k: scatter_of(data.known([feature], k))[1][0])
        return known_poisson(feature, rate)(data)

    return fitted


def known_poisson(feature, rate):
    def density(k, row):
        x = row[feature]
        if x is None:
            return mpf(0)
        if rate[k] == 0:
            return mpf(0) if x == 0 else NONE
        return real(x) * log(rate[k]) - real(rate[k]) - mp.loggamma(real(x) + 1)

    return lambda data: density


KNOWN = [
    ("known rates",
     "bayes_known(c(a = 0.25, b = 0.25, c = 0.5),"
     " n = likelihood_poisson(rate = c(a = 3, b = 1e12, c = 0)))",
     [known_poisson("n", {"a": Fraction(3), "b": Fraction(10**12), "c": Fraction(0)})],
     {"a": QUARTER, "b": QUARTER, "c": HALF}),
]


def poisson_risk(prior, rate, cost):
    return count_risk(
        prior, lambda k, x: x * mp.log(rate[k]) - rate[k] - mp.loggamma(x + 1), cost
    )


def risks():
    yield from priced("likelihood_poisson(c(%s))", poisson_risk, (3, 12, 40.5))
