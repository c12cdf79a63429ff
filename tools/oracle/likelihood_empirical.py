"""Shares of single values."""

from fractions import Fraction

from formulas import by_class, log
from mpmath import mpf


def empirical(feature):
    def fitted(data):
        rows = by_class(data, lambda k: data.known([feature], k))

        def density(k, row):
            if row[feature] is None:
                return mpf(0)
            here = sum(w for (y,), w in rows[k] if y == row[feature])
            return log(Fraction(here) / sum(w for _, w in rows[k]))

        return density

    return fitted
