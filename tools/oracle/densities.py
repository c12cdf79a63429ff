"""The formulas of the help pages: numbers that are not normal; for oracle.py."""

from fractions import Fraction
from math import ceil, floor

from likelihoods import NONE, by_class, known_mixture, log, real, scatter_of
from mpmath import mp, mpf


def quantile(rows, share):
    """Type 7 of what a weight of w as w copies makes of the values."""
    copies, below = [], Fraction(0)
    for (x,), w in sorted(rows):
        copies.append((below, x))
        below += w

    def in_order(place):
        return [x for start, x in copies if start <= place][-1]

    place = (below - 1) * share
    low = in_order(floor(place))
    return low + (place - floor(place)) * (in_order(floor(place) + 1) - low)


def quartile_range(rows):
    return quantile(rows, Fraction(3, 4)) - quantile(rows, Fraction(1, 4))


def histogram(feature, width=None, origin=None, breaks="Sturges", laplace=0):
    def edges(data):
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

    def fitted(data):
        found = edges(data)
        edge = found if isinstance(found, dict) else by_class(data, lambda k: found)
        rows = by_class(data, lambda k: data.known([feature], k))

        def density(k, row):
            x, e = row[feature], edge[k]
            if x is None:
                return mpf(0)

            def at(y):
                """The bin of y, closed on the left, the last one on both sides."""
                inside = [b for b in range(len(e) - 1) if e[b] <= y < e[b + 1]]
                return len(e) - 2 if y == e[-1] else inside[0] if inside else None

            b = at(x)
            if b is None:
                return NONE
            here = sum(w for (y,), w in rows[k] if at(y) == b) + Fraction(laplace)
            all_rows = sum(w for _, w in rows[k]) + Fraction(laplace) * (len(e) - 1)
            return log(here / all_rows / (e[b + 1] - e[b]))

        return density

    return fitted


def on_grid(rows, points):
    """More values than `points`: each shared between its neighbours of a grid."""
    if len({x for (x,), _ in rows}) <= points:
        return rows
    step = Fraction(1, 2**20)
    while True:
        node = {}
        for (x,), w in rows:
            low = floor(x / step)
            share = x / step - low
            node[low * step] = node.get(low * step, 0) + w * (1 - share)
            if share > 0:
                node[(low + 1) * step] = node.get((low + 1) * step, 0) + w * share
        if len(node) <= points:
            return [([x], w) for x, w in node.items()]
        step *= 2


def kernel(feature, bandwidth=Fraction(9, 10), points=4096):
    """bandwidth: by class, or the factor of a rule (0.9: nrd0, 1.06: nrd)."""

    def fitted(data):
        rows = by_class(data, lambda k: data.known([feature], k))
        kept = by_class(data, lambda k: on_grid(rows[k], points))

        def h(k):
            if isinstance(bandwidth, dict):
                return real(bandwidth[k])
            n, _, scatter = scatter_of(rows[k])
            s, spread = mp.sqrt(real(scatter[0][0] / (n - 1))), quartile_range(kept[k])
            least = min(s, real(spread) / mpf("1.34")) if spread > 0 else s
            return real(bandwidth) * least * real(n) ** (-mpf(1) / 5)

        width = by_class(data, h)

        def components(k):
            n = sum(w for _, w in kept[k])
            return [(w / n, x, width[k] ** 2) for (x,), w in kept[k]]

        return known_mixture(feature, by_class(data, components))(data)

    return fitted


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
