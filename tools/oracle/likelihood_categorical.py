"""Tables of categorical features."""

from fractions import Fraction

from formulas import EVEN, HALF, QUARTER, by_class, log


def categorical(feature, laplace=0, m=0, p=None):
    """(n_ijk + m p_j) / (n_k + m); laplace a_j: (n_ijk + a_j) / (n_k + sum a)."""

    def fitted(data):
        levels = data.levels[feature]
        extra = laplace if isinstance(laplace, dict) else {j: Fraction(laplace) for j in levels}
        if m:
            extra = {j: Fraction(m) * (p[j] if p else Fraction(1, len(levels))) for j in levels}

        def shares(k):
            rows = data.known([feature], k)
            n = {j: sum(w for x, w in rows if x[0] == j) + extra[j] for j in levels}
            return {j: n[j] / sum(n.values()) for j in levels}

        return known_table(feature, by_class(data, shares))(data)

    return fitted


def known_table(feature, table):
    # A level that is not in the table is unknown and counts as missing.
    return lambda data: lambda k, row: log(table[k].get(row[feature], 1))


KNOWN = [
    ("known tables",
     "bayes_known(c(a = 0.5, b = 0.5), f = rbind(a = c(x = 0.5, y = 0.25, z = 0.25),"
     " b = c(0.125, 0.875, 0)), g = rbind(b = c(p = 0.25, q = 0.75), a = c(0.875, 0.125)))",
     [known_table("f", {"a": {"x": HALF, "y": QUARTER, "z": QUARTER},
                        "b": {"x": Fraction(1, 8), "y": Fraction(7, 8), "z": 0}}),
      known_table("g", {"a": {"p": Fraction(7, 8), "q": Fraction(1, 8)},
                        "b": {"p": QUARTER, "q": Fraction(3, 4)}})],
     EVEN),
]
