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


def root(lead, start):
    """Where a function of one change of sign is 0, in the logarithm of its argument."""
    low = high = mp.log(start)
    while mp.sign(lead(mp.exp(low))) == mp.sign(lead(mp.exp(high))):
        low, high = low - 1, high + 1
    return mp.exp(mp.findroot(lambda x: lead(mp.exp(x)), (low, high), solver="anderson"))


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
