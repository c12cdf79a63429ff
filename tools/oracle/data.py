"""Training data and new rows of the oracle: numbers that doubles hold exactly."""

import csv
from fractions import Fraction
from itertools import cycle, product

LEVELS = {"f": ["x", "y", "z"], "g": ["p", "q", "r"]}

# u, v: numbers; n: counts; f, g: categories; whole, share: weights.
MIXED = """
class,u,v,n,f,g,whole,share
a,1.5,-2,0,x,p,1,0.5
a,2.25,-1.5,2,y,p,2,1.25
a,0.75,0.25,1,x,p,3,2
a,3.125,-3,1,x,p,1,0.75
a,1,1.5,3,y,p,2,1
a,2.5,-0.5,0,x,p,1,1.5
a,7,9,5,y,p,0,0.25
b,4,2,4,z,p,1,1.5
b,5.5,-1,6,z,q,1,0.25
b,4.75,3.5,2,x,q,2,2.5
b,6.125,1.25,5,y,q,4,1
b,3.5,0.75,4,z,q,1,0.125
b,5,-0.25,7,z,p,2,1.75
b,4.25,2.625,3,y,q,1,3
c,0.5,5,1,y,q,2,1
c,1.75,6.5,0,y,p,1,0.5
c,-1.25,4,2,z,q,1,2.25
c,2,7.25,1,x,q,3,1.125
c,-0.5,5.75,3,y,p,2,0.75
c,3.25,3,0,y,q,1,1
c,0.25,6.125,2,y,q,1,4
"""
# Row and column of the missing values in "holes", which also has a row without any value.
HOLES = [(1, "u"), (3, "f"), (4, "v"), (9, "g"), (9, "n"), (11, "v"), (12, "f"), (15, "u"),
         (15, "v"), (18, "n"), (19, "g")]
MIXED_NEW = """
u,v,n,f,g
2,0.5,1,y,p
3.75,1.125,2,z,q
NA,-1,NA,NA,q
NA,NA,NA,NA,NA
40,-35,9,w,p
2.625,NA,4,x,NA
1,3,0,x,r
"""
# New rows for known models.
KNOWN_NEW = """
u,v,n,f,g
20,1.5,3,x,p
NA,-2,0,y,NA
-1048576,1000000,1000003000000,NA,q
3,NA,1000000000000000,z,w
NA,NA,NA,NA,NA
0.5,6,1000000000000,x,q
"""


def read(text):
    rows = list(csv.DictReader(text.strip().splitlines()))
    return [{name: cell(name, value) for name, value in row.items()} for row in rows]


def cell(name, value):
    text = name in ("class", "f", "g")
    return None if value == "NA" else value if text else Fraction(value)


def with_holes(rows):
    rows = [dict(row) for row in rows]
    for row, column in HOLES:
        rows[row][column] = None
    kept = ("class", "whole", "share")
    return rows + [{name: x if name in kept else None for name, x in rows[13].items()}]


def rows_of(names, **classes):
    """Training data from a matrix for each class."""
    return [dict(zip(names, row), **{"class": k}) for k, x in classes.items() for row in x]


def whole(rows):
    return [[Fraction(x) for x in row] for row in rows]


# Three points of class a lie on a line, and the fourth lies 1 beside it. The distances along the
# line are about 2^power, and so is the condition number.
def line(power):
    e = 2**power
    a = [(0, 0), (e, e), (2 * e, 2 * e), (3 * e, 3 * e + 1)]
    b = [(0, e), (e, 0), (2 * e, 3 * e), (3 * e, 2 * e)]
    new = [(e, e + 1), (2 * e, 2 * e), (e, None), (None, 3 * e + 1), (5 * e, 5 * e + 2)]
    names = ("u", "v")
    return rows_of(names, a=whole(a), b=whole(b)), [dict(zip(names, map(number, x))) for x in new]


def number(x):
    return None if x is None else Fraction(x)


# Each pattern of missing features uses another part of the covariance of a block.
def every_pattern(data, *names):
    """Adds new rows: one for each pattern of missing `names` that no new row has."""
    rows, new = data
    met = {tuple(row[x] is None for x in names) for row in new}
    whole_rows = cycle([row for row in new if None not in row.values()])
    patterns = [x for x in product((False, True), repeat=len(names)) if x not in met]
    return rows, new + [punched(next(whole_rows), names, x) for x in patterns]


def punched(row, names, pattern):
    holes = [name for name, hole in zip(names, pattern) if hole]
    return {name: None if name in holes else x for name, x in row.items()}


# Class a has rows of a multiple of a Hilbert matrix, class b has other rows. Some new rows are
# among the training rows.
def hilbert():
    names = ["h%d" % j for j in range(1, 6)]
    a = [[27720 // (i + j - 1) for j in range(1, 6)] for i in range(1, 8)]
    b = [[(i * i * j + 3 * i + 7 * j * j) % 11 + 100 * i for j in range(1, 6)] for i in range(1, 9)]
    new = [a[0], a[4], [x + 1 for x in a[2]], b[3], [None] + a[5][1:], a[1][:2] + [None] * 3]
    return rows_of(names, a=whole(a), b=whole(b)), [dict(zip(names, map(number, x))) for x in new]


# Twelve features, so many that rows with up to three missing ones are scored by projection. The
# last is 2^-power from the sum of the first two; the others are well apart.
def gaps(power):
    names = ["g%d" % j for j in range(1, 13)]

    def row(i):
        x = [Fraction((i * i * (j + 2) + 29 * i * j * j + 17 * j) % 101 - 50, 8) for j in range(12)]
        return x[:11] + [x[0] + x[1] + x[11] / 2**power]

    missing = [[], *[[j] for j in range(12)], [0, 1], [1, 11], [0, 11], [3, 7], [0, 1, 11],
               [2, 5, 8], [4, 9, 10], [0, 6, 11], list(range(6)), list(range(4, 12)),
               list(range(11)), list(range(1, 12)), list(range(12))]
    new = [[None if j in holes else x for j, x in enumerate(row(100 + i))]
           for i, holes in enumerate(missing)]
    classes = {"a": map(row, range(1, 21)), "b": map(row, range(31, 53))}
    return rows_of(names, **classes), [dict(zip(names, x)) for x in new]


# Eighths about 2^40, and rows as far out as 1e22.
def far():
    origin = 2**40
    a = [Fraction(x, 8) + origin for x in (-9, -4, 0, 3, 11)]
    b = [Fraction(x, 8) + origin for x in (17, 21, 22, 30, 41)]
    v = [Fraction(x, 4) for x in (1, 9, 4, -2, 7)]
    new = [Fraction(5, 8), Fraction(27, 16), Fraction(-1000), Fraction(10**8), Fraction(-(10**15))]
    new = [{"u": origin + x, "v": Fraction(3, 2)} for x in new]
    new.append({"u": Fraction(10**22), "v": None})
    return rows_of(["u", "v"], a=zip(a, v), b=zip(b, v[::-1])), new


# Enough values in a class that a kernel stores the nodes of a grid, and few values.
def crowd():
    a = [(Fraction((7 * i * i + 13 * i) % 997, 64),) for i in range(120)]
    b = [(Fraction((5 * i * i + 3 * i) % 61, 4),) for i in range(12)]
    new = [{"u": Fraction(x, 16)} for x in (-40, 3, 77, 190, 400)]
    return rows_of(["u"], a=a, b=b), new


MIXED_ROWS = read(MIXED)
DATA = {
    "mixed": every_pattern((MIXED_ROWS, read(MIXED_NEW)), "u", "v", "n"),
    "holes": every_pattern((with_holes(MIXED_ROWS), read(MIXED_NEW)), "u", "v", "n"),
    "line10": every_pattern(line(10), "u", "v"),
    "line20": every_pattern(line(20), "u", "v"),
    "line26": every_pattern(line(26), "u", "v"),
    "hilbert": every_pattern(hilbert(), "h1", "h2", "h3", "h4", "h5"),
    "gaps2": gaps(2),
    "gaps26": gaps(26),
    "far": every_pattern(far(), "u", "v"),
    "crowd": crowd(),
    "known": ([], read(KNOWN_NEW)),
}
