"""Normal features."""

from fractions import Fraction

from costs import COSTS, PLAIN, line_risk, named, zero_one
from formulas import QUARTER, by_class, log_normal
from likelihood_multivariate_gaussian import block
from mpmath import mp, mpf


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


KNOWN = [
    ("known gaussian",
     "bayes_known(c(a = 0.75, b = 0.25),"
     " u = likelihood_gaussian(mean = c(a = 15, b = 25), sd = c(b = 2, a = 4)))",
     [known_gaussian("u", {"a": Fraction(15), "b": Fraction(25)}, {"a": 16, "b": 4})],
     {"a": Fraction(3, 4), "b": QUARTER}),
]


def gaussian_risk(prior, mean, sd, cost):
    # A grid of eighths, shifted by 1/128, so that no rational cut lies on the grid.
    grid = [mpf(i) / 8 + mpf(1) / 128 for i in range(-60 * 8, 60 * 8)]
    return line_risk(
        prior, lambda k, x: mp.npdf(x, mean[k], sd[k]), lambda k, x: mp.ncdf(x, mean[k], sd[k]),
        grid, cost
    )


def risks():
    gaussians = "bayes_known(c(%s), x = likelihood_gaussian(mean = c(%s), sd = c(%s)))"
    for prior, mean, sd, text, cost in [
        ((0.75, 0.25), (15, 25), (4, 4), "NULL", zero_one(2)),
        ((0.5, 0.5), (0, 0.5), (1, 3), "NULL", zero_one(2)),
        ((0.25, 0.25, 0.5), (0, 2, 3), (1, 0.5, 2), "NULL", zero_one(3)),
        ((0.25, 0.25, 0.5), (0, 2, 3), (1, 0.5, 2), COSTS["plain"][0], PLAIN),
    ]:
        model = gaussians % (named(prior), named(mean), named(sd))
        yield model, text, gaussian_risk(*[list(map(mpf, x)) for x in (prior, mean, sd)], cost)
