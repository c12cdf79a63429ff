"""Gamma distributions of positive numbers."""

from fractions import Fraction

from costs import line_risk, priced
from data import read
from formulas import HALF, NONE, QUARTER, by_class, log, real, root, scatter_of
from mpmath import mp, mpf


def gamma(feature):
    """log shape - digamma(shape) = log mean - mean of logs; rate = shape / mean."""

    def fitted(data):
        def estimate(k):
            rows = data.known([feature], k)
            total, (mean,), _ = scatter_of(rows)
            gap = log(mean) - sum(real(w) * log(x) for (x,), w in rows) / real(total)
            shape = root(lambda a: mp.log(a) - mp.digamma(a) - gap, 1 / (2 * gap))
            return shape, shape / real(mean)

        found = by_class(data, estimate)
        return known_gamma(
            feature, {k: x for k, (x, _) in found.items()}, {k: x for k, (_, x) in found.items()}
        )(data)

    return fitted


def known_gamma(feature, shape, rate):
    def density(k, row):
        x = row[feature]
        if x is None:
            return mpf(0)
        if x <= 0:
            return NONE
        a, b = real(shape[k]), real(rate[k])
        return a * mp.log(b) - mp.loggamma(a) + (a - 1) * log(x) - b * real(x)

    return lambda data: density


# t: durations; share: weights.
DURATIONS = """
class,t,share
a,0.5,1
a,1.25,0.5
a,0.0625,2
a,4.5,1.5
a,2.75,1
a,0.875,0.75
b,1024,1
b,1030,1
b,1018.5,0.25
b,1026.25,3
b,1021,1
c,0.0009765625,1
c,12,1
c,0.25,2
c,180,0.5
c,3,1
"""
DURATIONS_NEW = """
t
0.75
1024
0.000000000931322574615478515625
65536
NA
2
NA
-1
0.5
1025
"""
DATA = {"durations": (read(DURATIONS), read(DURATIONS_NEW))}
SPEC = "bayes_naive(numeric = likelihood_gamma())"
CASES = [
    ("gamma", "durations", weights, "t", SPEC, [gamma("t")], None) for weights in ("", "share")
]
KNOWN = [
    ("known gamma",
     "bayes_known(c(a = 0.25, b = 0.25, c = 0.5), u = likelihood_gamma("
     "shape = c(a = 0.5, b = 1e6, c = 3), rate = c(a = 2, b = 65536, c = 0.125)))",
     [known_gamma("u", {"a": HALF, "b": Fraction(10**6), "c": Fraction(3)},
                  {"a": Fraction(2), "b": Fraction(65536), "c": Fraction(1, 8)})],
     {"a": QUARTER, "b": QUARTER, "c": HALF}),
]


def gamma_risk(prior, shape, rate, cost):
    # The grid begins at exp(-60), because a density of shape below 1 is infinite at 0.
    grid = [mp.exp(mpf(i) / 16 + mpf(1) / 128) for i in range(-60 * 16, 6 * 16)]

    def density(k, x):
        log = shape[k] * mp.log(rate[k]) - mp.loggamma(shape[k]) + (shape[k] - 1) * mp.log(x)
        return mp.exp(log - rate[k] * x)

    def below(k, x):
        return mp.gammainc(shape[k], 0, rate[k] * x, regularized=True)

    return line_risk(prior, density, below, grid, cost)


def risks():
    gammas = "likelihood_gamma(shape = c(%s), rate = c(%s))"
    yield from priced(gammas, gamma_risk, (0.5, 2, 7), (0.25, 0.5, 1))
