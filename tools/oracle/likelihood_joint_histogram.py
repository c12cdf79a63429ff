"""Joint histograms of numeric features."""

from fractions import Fraction
from itertools import product

from formulas import NONE, by_class, log
from likelihood_histogram import bin_at, find_edges

from mpmath import mpf


def joint_histogram(features, width=None, origin=None, breaks="Sturges", laplace=0):
    def fitted(data):
        edges = [find_edges(data, f, width, origin, breaks) for f in features]
        cells = list(product(*(range(len(e) - 1) for e in edges)))

        def counts(k):
            rows = data.known(features, k)
            places = [(tuple(bin_at(e, y) for e, y in zip(edges, x)), w) for x, w in rows]
            return {c: sum(w for p, w in places if p == c) + Fraction(laplace) for c in cells}

        count = by_class(data, counts)

        def density(k, row):
            """Cells that agree with what is observed are summed; only its widths divide."""
            x = [row[f] for f in features]
            if all(y is None for y in x):
                return mpf(0)
            at = [None if y is None else bin_at(e, y) for e, y in zip(edges, x)]
            if any(y is not None and b is None for y, b in zip(x, at)):
                return NONE
            here = sum(
                n for c, n in count[k].items() if all(b in (None, i) for b, i in zip(at, c))
            )
            volume = Fraction(1)
            for e, b in zip(edges, at):
                if b is not None:
                    volume *= e[b + 1] - e[b]
            return log(here / sum(count[k].values()) / volume)

        return density

    fitted.features = features
    return fitted
