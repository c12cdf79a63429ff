"""Counts of words, multinomial given the class; weights of the complement (Rennie et al. 2003).

A bag is a column `words` in R, and the columns w1, w2, ... here. The multinomial coefficient is left
out, as in the help page.
"""

from fractions import Fraction

from data import read
from formulas import HALF, QUARTER, by_class, log, real
from likelihood_gaussian import gaussian
from mpmath import mpf

WORDS = ["w1", "w2", "w3", "w4", "w5"]


def counts_of(data, k=None):
    """The weighted counts of the words of a class, or of all classes."""
    rows = data.known(WORDS, k)
    return [sum((w * x[j] for x, w in rows), Fraction(0)) for j in range(len(WORDS))]


def weighted_sum(weight):
    def density(k, row):
        terms = [(row[word], c) for word, c in zip(WORDS, weight[k])]
        return sum((real(x) * c for x, c in terms if x > 0), mpf(0))

    return density


def multinomial(laplace=Fraction(1)):
    def fitted(data):
        def estimate(k):
            count = [c + laplace for c in counts_of(data, k)]
            return [log(c / sum(count)) for c in count]

        return weighted_sum(by_class(data, estimate))

    return fitted


def complement(laplace=Fraction(1), normalise=False):
    def fitted(data):
        def estimate(k):
            own = counts_of(data, k)
            others = [a - c + laplace for a, c in zip(counts_of(data), own)]
            logs = [log(c / sum(others)) for c in others]
            return [x / sum(logs) for x in logs] if normalise else [-x for x in logs]

        return weighted_sum(by_class(data, estimate))

    return fitted


# w5 is in no document of class a, w4 in all of class b; u: a number beside the words; share: weights.
MAILS = """
class,w1,w2,w3,w4,w5,u,share
a,3,0,1,0,0,1.5,0.5
a,1,2,0,0,0,2.25,1
a,0,0,0,0,0,0.75,2
a,7,1,0,3,0,3.125,0.25
b,0,1,4,1,0,4,1
b,1,0,2,2,1,5.5,1.5
b,0,0,9,1,0,4.75,0.125
c,0,3,0,0,6,0.5,1
c,2,1,0,0,1,1.75,2.25
c,0,0,1,1,2,-1.25,0.75
"""
MAILS_NEW = """
w1,w2,w3,w4,w5,u
1,1,1,1,1,2
0,0,0,0,0,3.75
12,0,0,0,5,NA
0,1000000,3,0,0,-2
0,0,0,4,0,1
"""
DATA = {"mails": (read(MAILS), read(MAILS_NEW))}


def cases(spec, parts):
    """With words alone and beside a number, with and without weights."""
    name = spec.split("(", 1)[1].rstrip(")")
    for weights in ("", "share"):
        yield name, "mails", weights, "words", spec, parts, None
        yield name, "mails", weights, "words + u", spec, [*parts, gaussian("u")], None


CASES = [
    case
    for spec, part in [
        ("bayes_text()", multinomial()),
        ("bayes_text(laplace = 0)", multinomial(Fraction(0))),
        ("bayes_text(laplace = 0.25)", multinomial(QUARTER)),
        ("bayes_text('complement')", complement()),
        ("bayes_text('complement', laplace = 0.5)", complement(HALF)),
        ("bayes_text('complement', normalise = TRUE)", complement(normalise=True)),
    ]
    for case in cases(spec, [part])
]
