"""Histograms."""

from fractions import Fraction
from math import ceil, floor

from formulas import NONE, by_class, log, quartile_range, real
from mpmath import mp, mpf


def find_edges(data, feature, width=None, origin=None, breaks="Sturges"):
    if not isinstance(breaks, str):
        return breaks
    rows = data.known([feature])
    x, n = [value for (value,), _ in rows], sum(w for _, w in rows)
    low, high = min(x), max(x)
    if width:
        start = low if origin is None else origin
        first, last = floor((low - start) / width), floor((high - start) / width)
        return [start + j * width for j in range(first, last + 2)]
    bins = ceil(mp.log(real(n), 2)) + 1
    if breaks == "FD":
        bins = ceil(real(high - low) * mp.cbrt(real(n)) / real(2 * quartile_range(rows)))
    return [low + (high - low) * Fraction(j, int(bins)) for j in range(int(bins) + 1)]


def bin_at(edges, y):
    """The bin of y, closed on the left, the last one on both sides."""
    inside = [b for b in range(len(edges) - 1) if edges[b] <= y < edges[b + 1]]
    return len(edges) - 2 if y == edges[-1] else inside[0] if inside else None


def histogram(feature, width=None, origin=None, breaks="Sturges", laplace=0):
    def fitted(data):
        found = find_edges(data, feature, width, origin, breaks)
        edge = found if isinstance(found, dict) else by_class(data, lambda k: found)
        rows = by_class(data, lambda k: data.known([feature], k))

        def density(k, row):
            x, e = row[feature], edge[k]
            if x is None:
                return mpf(0)
            b = bin_at(e, x)
            if b is None:
                return NONE
            here = sum(w for (y,), w in rows[k] if bin_at(e, y) == b) + Fraction(laplace)
            all_rows = sum(w for _, w in rows[k]) + Fraction(laplace) * (len(e) - 1)
            return log(here / all_rows / (e[b + 1] - e[b]))

        return density

    return fitted
