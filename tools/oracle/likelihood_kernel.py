"""Kernel densities."""

from fractions import Fraction
from math import floor

from formulas import by_class, quartile_range, real, scatter_of
from likelihood_mixture import known_mixture
from mpmath import mp, mpf


def on_grid(rows, points):
    """Linear binning: more than `points` values are shared between the nodes of a grid. Also its
    step, 0 without a grid."""
    if len({x for (x,), _ in rows}) <= points:
        return rows, 0
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
            return [([x], w) for x, w in node.items()], step
        step *= 2


def kernel(feature, bandwidth=Fraction(9, 10), points=4096):
    """bandwidth: by class, or the factor of a rule (0.9: nrd0, 1.06: nrd)."""

    def read(data):
        """The points, the step and the bandwidth of each class."""
        rows = by_class(data, lambda k: data.known([feature], k))
        kept, step = (
            by_class(data, lambda k: on_grid(rows[k], points)[i]) for i in range(2)
        )

        def h(k):
            if isinstance(bandwidth, dict):
                return real(bandwidth[k])
            n, _, scatter = scatter_of(rows[k])
            s, spread = mp.sqrt(real(scatter[0][0] / (n - 1))), quartile_range(kept[k])
            least = min(s, real(spread) / mpf("1.34")) if spread > 0 else s
            return real(bandwidth) * least * real(n) ** (-mpf(1) / 5)

        return kept, step, by_class(data, h)

    def fitted(data):
        kept, _, width = read(data)

        def components(k):
            n = sum(w for _, w in kept[k])
            return [(w / n, x, width[k] ** 2) for (x,), w in kept[k]]

        return known_mixture(feature, by_class(data, components))(data)

    def error(data):
        """The series of the engine may add a hundredth of the error of the grid."""
        _, step, width = read(data)
        return max((real(step[k]) / width[k]) ** 2 / 800 for k in step)

    fitted.error = error
    return fitted
