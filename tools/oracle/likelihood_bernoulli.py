"""The presence of words: each is there or not, independently given the class."""

from fractions import Fraction

from formulas import NONE, QUARTER, by_class, log
from likelihood_multinomial import WORDS, cases
from mpmath import mpf


def bernoulli(laplace=Fraction(1)):
    def fitted(data):
        def estimate(k):
            rows = data.known(WORDS, k)
            total = sum(w for _, w in rows) + 2 * laplace
            there = [sum((w for x, w in rows if x[j] != 0), laplace) for j in range(len(WORDS))]
            return [(log(c / total), log((total - c) / total)) for c in there]

        found = by_class(data, estimate)

        def density(k, row):
            terms = [p[0] if row[word] != 0 else p[1] for word, p in zip(WORDS, found[k])]
            return NONE if NONE in terms else sum(terms, mpf(0))

        return density

    return fitted


CASES = [
    case
    for spec, part in [
        ("bayes_text('bernoulli')", bernoulli()),
        ("bayes_text('bernoulli', laplace = 0)", bernoulli(Fraction(0))),
        ("bayes_text('bernoulli', laplace = 0.25)", bernoulli(QUARTER)),
    ]
    for case in cases(spec, [part])
]
