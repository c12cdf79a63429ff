"""Jointly normal features."""

from fractions import Fraction

from data import whole
from formulas import EVEN, HALF, QUARTER, by_class, log, real, scatter_of
from mpmath import mp, mpf


def combine(a, x, b, y):
    return [[a * s + b * t for s, t in zip(row, other)] for row, other in zip(x, y)]


class block:
    """A multivariate Gaussian: S = (1 - shrinkage) S_k + shrinkage S_pooled, then
    (1 - identity) S + identity trace(S) / p I."""

    def __init__(self, features, ml=False, pooled=False, shrinkage=0, identity=0):
        self.features, self.lost = features, 0 if ml else 1
        self.shrinkage, self.identity = Fraction(1 if pooled else shrinkage), Fraction(identity)

    def estimate(self, data):
        parts = by_class(data, lambda k: scatter_of(data.known(self.features, k)))
        total = sum(w for w, _, _ in parts.values())
        zero = [[Fraction(0)] * len(self.features) for _ in self.features]
        whole = zero
        for _, _, scatter in parts.values():
            whole = combine(1, whole, 1, scatter)
        pooled = combine(1 / (total - self.lost * len(parts)), whole, 0, zero)

        def regular(s):
            size = range(len(s))
            equal = self.identity * sum(s[i][i] for i in size) / len(s)
            added = [[equal if i == j else Fraction(0) for j in size] for i in size]
            return combine(1 - self.identity, s, 1, added)

        def covariance(k):
            if self.shrinkage == 1:
                return regular(pooled)
            weight, _, scatter = parts[k]
            own = (1 - self.shrinkage) / (weight - self.lost)
            return regular(combine(own, scatter, self.shrinkage, pooled))

        return by_class(data, lambda k: parts[k][1]), by_class(data, covariance)

    def __call__(self, data):
        return known_block(self.features, *self.estimate(data))(data)


def known_block(features, mean, covariance):
    """The covariance of what is observed."""

    def density(k, row):
        seen = [i for i, f in enumerate(features) if row[f] is not None]
        d = [row[features[i]] - mean[k][i] for i in seen]
        s = [[covariance[k][i][j] for j in seen] for i in seen]
        determinant, square = solve(s, d)
        return -(len(seen) * mp.log(2 * mp.pi) + log(determinant) + real(square)) / 2

    return lambda data: density


def solve(s, d):
    """Determinant of s, and d' s^-1 d, by elimination, which is exact in fractions."""
    rows = [list(row) + [x] for row, x in zip(s, d)]
    determinant, square = 1, 0
    for i, pivot in enumerate(rows):
        determinant *= pivot[i]
        square += pivot[-1] ** 2 / pivot[i]
        for row in rows[i + 1 :]:
            factor = row[i] / pivot[i]
            row[:] = [x - factor * y for x, y in zip(row, pivot)]
    return determinant, square


def condition(covariance):
    """The condition number of rows of this covariance, their columns scaled to length 1."""
    size = range(len(covariance))
    sd = [mp.sqrt(real(covariance[i][i])) for i in size]
    correlation = mp.matrix([[real(covariance[i][j]) / sd[i] / sd[j] for j in size] for i in size])
    values = mp.eigsy(correlation, eigvals_only=True)
    return mp.sqrt(max(values) / min(values))


class em_block:
    """A block with the maximum likelihood estimates of the means and of the covariances of all rows
    with a known value, by plain expectation-maximisation to 30 digits. No rows are left out, so
    there are no `features` that a row could lack."""

    def __init__(self, members, ml=False, pooled=False, shrinkage=0, tolerance="1e-9"):
        self.members, self.lost, self.pooled = members, 0 if ml else 1, pooled
        self.error = lambda data: mpf(tolerance)
        self.shrinkage = real(Fraction(shrinkage))

    def rows_of(self, data, k):
        rows = [([row[f] for f in self.members], w) for row, w in data.rows if row["class"] == k]
        return [([None if y is None else real(y) for y in x], real(w))
                for x, w in rows if any(y is not None for y in x)]

    def fit(self, rows, steps=2000):
        """Means by class and the covariance that the classes share."""
        size = range(len(self.members))
        total = sum(w for part in rows.values() for _, w in part)
        mean, known = {}, [(mpf(0), mpf(0)) for _ in size]
        for k, part in rows.items():
            mean[k] = []
            for j in size:
                values = [(x[j], w) for x, w in part if x[j] is not None]
                mean[k].append(sum(w * x for x, w in values) / sum(w for _, w in values))
                squares = sum(w * (x - mean[k][j]) ** 2 for x, w in values)
                known[j] = (known[j][0] + squares, known[j][1] + sum(w for _, w in values))
        s = [[known[i][0] / known[i][1] if i == j else mpf(0) for j in size] for i in size]
        for _ in range(steps):
            means, sums = {}, [[mpf(0)] * len(self.members) for _ in size]
            for k, part in rows.items():
                filled = [(*expected(x, mean[k], s), w) for x, w in part]
                weight = sum(w for _, _, w in filled)
                means[k] = [sum(w * x[j] for x, _, w in filled) / weight for j in size]
                for x, c, w in filled:
                    d = [x[j] - means[k][j] for j in size]
                    for i in size:
                        for j in size:
                            sums[i][j] += w * (d[i] * d[j] + c[i][j])
            before, s = s, [[y / total for y in row] for row in sums]
            moved = max(abs(s[i][j] - before[i][j]) / mp.sqrt(s[i][i] * s[j][j])
                        for i in size for j in size)
            mean = means
            if moved < mpf(10) ** -30:
                return mean, s
        raise RuntimeError("no convergence")

    def __call__(self, data):
        rows = {k: self.rows_of(data, k) for k in data.classes}
        weight = {k: sum(w for _, w in rows[k]) for k in rows}
        zero = [[mpf(0)] * len(self.members) for _ in self.members]
        if self.pooled:
            mean, s = self.fit(rows)
            total = sum(weight.values())
            own = combine(total / (total - self.lost * len(rows)), s, 0, zero)
            return self.density(mean, {k: own for k in rows})
        fits = {k: self.fit({k: rows[k]}) for k in rows}
        mean = {k: fits[k][0][k] for k in rows}
        whole = zero
        for k in rows:
            whole = combine(1, whole, weight[k], fits[k][1])
        share = self.shrinkage / (sum(weight.values()) - self.lost * len(rows))
        covariance = {
            k: combine((1 - self.shrinkage) * weight[k] / (weight[k] - self.lost), fits[k][1],
                       share, whole)
            for k in rows
        }
        return self.density(mean, covariance)

    def density(self, mean, covariance):
        of_reals = known_block(self.members, mean, covariance)(None)

        def density(k, row):
            return of_reals(k, {f: None if row[f] is None else real(row[f]) for f in self.members})

        return density


def expected(x, mean, s):
    """A row with the means of its missing numbers given the others, and their covariance."""
    size = range(len(x))
    seen, missing = [i for i in size if x[i] is not None], [i for i in size if x[i] is None]
    filled, rest = list(x), [[mpf(0)] * len(x) for _ in size]
    if not missing:
        return filled, rest
    a = mp.matrix([[s[i][j] for j in seen] for i in seen])
    known = {i: x[i] - mean[i] for i in seen}
    weights = {m: mp.lu_solve(a, mp.matrix([s[i][m] for i in seen])) for m in missing}
    for m in missing:
        filled[m] = mean[m] + sum(weights[m][i] * known[j] for i, j in enumerate(seen))
        for n in missing:
            rest[m][n] = s[m][n] - sum(weights[m][i] * s[j][n] for i, j in enumerate(seen))
    return filled, rest


def strips():
    """u and v differ by a multiple of 2^-26, so that the condition is near 1e8; w is apart. Each
    row but every fourth misses one or two numbers."""
    e = Fraction(1, 2**26)

    def row(i):
        u = Fraction(i * 7 % 12 - 5, 2)
        return [u, u + e * (i * 5 % 7 - 3), u / 2 + i * 3 % 8]

    holes = [[], [0], [1], [2], [], [0, 2], [1], [1, 2]]
    rows = [[None if j in holes[i % 8] else x for j, x in enumerate(row(i))] for i in range(40)]
    new = [row(50), [None] + row(51)[1:], row(52)[:2] + [None], [None] * 3]
    names = ["u", "v", "w"]
    return ([{"class": "ab"[i // 8 % 2], **dict(zip(names, x))} for i, x in enumerate(rows)],
            [dict(zip(names, x)) for x in new])


DATA = {"strips": strips()}

CASES = [
    (name, "holes", weights, "u + v + n", "bayes_full(%s)" % settings,
     [em_block(["u", "v", "n"], **options)], None)
    for weights in ("", "whole", "share")
    for name, settings, options in [
        ("em", "missing = 'em'", {}),
        ("em ml", "missing = 'em', variance = 'ml'", {"ml": True}),
        ("em pooled", "missing = 'em', covariance = 'pooled'", {"pooled": True}),
        ("em shrunk", "missing = 'em', shrinkage = 0.25", {"shrinkage": QUARTER}),
    ]
] + [
    (name, "strips", "", ".", spec, [em_block(["u", "v", "w"], tolerance="1e-6", **options)], None)
    for name, spec, options in [
        ("em", "bayes_full(missing = 'em')", {}),
        ("em pooled", "bayes_full(missing = 'em', covariance = 'pooled')", {"pooled": True}),
    ]
]

KNOWN = [
    ("known block",
     "bayes_known(c(a = 0.5, b = 0.5), uv = likelihood_gaussian("
     "mean = rbind(a = c(u = 0, v = 1), b = c(0.5, -2)),"
     " covariance = list(b = diag(c(2, 4)), a = rbind(c(2, 2.25), c(2.25, 3)))))",
     [known_block(["u", "v"], {"a": whole([[0, 1]])[0], "b": [HALF, Fraction(-2)]},
                  {"a": whole([["2", "2.25"], ["2.25", "3"]]), "b": whole([[2, 0], [0, 4]])})],
     EVEN),
]
