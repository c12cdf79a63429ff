"""Joint tables of categorical features."""

from fractions import Fraction
from itertools import product

from formulas import EVEN, by_class, log


def joint_table(features, laplace=0, m=0):
    def fitted(data):
        cells = list(product(*(data.levels[f] for f in features)))
        extra = Fraction(m) / len(cells) if m else Fraction(laplace)

        def shares(k):
            rows = data.known(features, k)
            n = {c: sum(w for x, w in rows if tuple(x) == c) + extra for c in cells}
            return {c: n[c] / sum(n.values()) for c in cells}

        return known_joint(features, by_class(data, shares))(data)

    fitted.features = features
    return fitted


def known_joint(features, table):
    """Cells that agree with what is observed are summed."""

    def fitted(_):
        def density(k, row):
            levels = [set(c[i] for c in table[k]) for i in range(len(features))]
            seen = [row[f] if row[f] in levels[i] else None for i, f in enumerate(features)]
            agree = [
                p for c, p in table[k].items() if all(s in (None, x) for s, x in zip(seen, c))
            ]
            return log(sum(agree))

        return density

    return fitted


# Probabilities in eighths. The class varies fastest, then f, then g.
JOINT = [1, 2, 3, 1, 2, 2, 1, 0, 0, 3, 1, 0]
KNOWN = [
    ("known joint table",
     "bayes_known(c(a = 0.5, b = 0.5), fg = array(c(%s) / 8, c(2, 3, 2),"
     " list(class = c('a', 'b'), f = c('x', 'y', 'z'), g = c('p', 'q'))))"
     % ", ".join(map(str, JOINT)),
     [known_joint(["f", "g"], {
         k: {(f, g): Fraction(JOINT[i + 2 * j + 6 * m], 8)
             for m, g in enumerate("pq") for j, f in enumerate("xyz")}
         for i, k in enumerate("ab")})],
     EVEN),
]
