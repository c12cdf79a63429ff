"""Counts of a negative binomial distribution."""

from fractions import Fraction

from costs import count_risk, priced
from data import read
from formulas import HALF, NONE, QUARTER, by_class, real, root, scatter_of
from likelihood_poisson import known_poisson
from mpmath import mp, mpf


def negative_binomial(feature):
    """The mean of the class; the size of greatest likelihood, infinite if variance <= mean."""

    def fitted(data):
        def estimate(k):
            rows = data.known([feature], k)
            total, (mean,), ((scatter,),) = scatter_of(rows)
            if scatter / total <= mean:
                return mp.inf, mean

            def slope(size):
                terms = sum(
                    real(w) * (mp.digamma(real(x) + size) - mp.digamma(size)) for (x,), w in rows
                )
                return terms - real(total) * mp.log(1 + real(mean) / size)

            return root(slope, real(mean**2 / (scatter / total - mean))), mean

        found = by_class(data, estimate)
        return known_negative_binomial(
            feature, {k: x for k, (x, _) in found.items()}, {k: x for k, (_, x) in found.items()}
        )(data)

    return fitted


def known_negative_binomial(feature, size, mean):
    def density(k, row):
        x = row[feature]
        if x is None or size[k] == mp.inf:
            return known_poisson(feature, mean)(None)(k, row)
        if x < 0 or x.denominator > 1:
            return NONE
        x, s, m = real(x), real(size[k]), real(mean[k])
        if m == 0:
            return mpf(0) if x == 0 else NONE
        ratio = mp.loggamma(x + s) - mp.loggamma(s) - mp.loggamma(x + 1)
        return ratio - s * mp.log(1 + m / s) - x * mp.log(1 + s / m)

    return lambda data: density


# n: counts of more than Poisson variance in class a, but not in c; share: weights.
COUNTS = """
class,n,share
a,0,1
a,7,0.5
a,1,2
a,0,1.5
a,12,1
a,2,0.75
b,3,1
b,21,1
b,4,0.25
b,2,3
b,9,1
c,4,1
c,5,1
c,4,2
c,3,0.5
c,5,1
"""
COUNTS_NEW = """
n
0
4
1
40
100000
NA
NA
3
2
15
"""
DATA = {"counts": (read(COUNTS), read(COUNTS_NEW))}
SPEC = "bayes_naive(numeric = likelihood_negative_binomial())"
CASES = [
    ("negative binomial", "counts", weights, "n", SPEC, [negative_binomial("n")], None)
    for weights in ("", "share")
]
KNOWN = [
    ("known negative binomial",
     "bayes_known(c(a = 0.25, b = 0.25, c = 0.5), n = likelihood_negative_binomial("
     "size = c(a = 0.5, b = 1e6, c = Inf), mean = c(a = 3, b = 1e12, c = 2)))",
     [known_negative_binomial("n", {"a": HALF, "b": Fraction(10**6), "c": mp.inf},
                              {"a": Fraction(3), "b": Fraction(10**12), "c": Fraction(2)})],
     {"a": QUARTER, "b": QUARTER, "c": HALF}),
]


def negative_binomial_risk(prior, size, mean, cost):
    def log_probability(k, x):
        s, m = size[k], mean[k]
        ratio = mp.loggamma(x + s) - mp.loggamma(s) - mp.loggamma(x + 1)
        return ratio - s * mp.log(1 + m / s) - x * mp.log(1 + s / m)

    return count_risk(prior, log_probability, cost)


def risks():
    binomials = "likelihood_negative_binomial(size = c(%s), mean = c(%s))"
    yield from priced(binomials, negative_binomial_risk, (0.5, 2, 16), (3, 8, 20))
