"""Cases of the oracle: each said twice, as R calls it and by the formulas."""

from fractions import Fraction

from data import whole
from densities import (
    empirical, gamma, histogram, kernel, known_gamma, known_negative_binomial, known_poisson,
    negative_binomial, poisson,
)
from likelihoods import (
    block, categorical, gaussian, joint_table, known_block, known_gaussian, known_joint,
    known_mixture, known_table,
)
from mpmath import mp

HALF = Fraction(1, 2)
QUARTER = Fraction(1, 4)
EDGES = [Fraction(x) for x in (-2, 0, 1, 3, 4, 10)]
CLASS_EDGES = {
    "a": [Fraction(x) for x in (0, 2, 8)],
    "b": [Fraction(x) for x in (3, 4, 5, 7)],
    "c": [Fraction(x) for x in (-2, 1, 4)],
}


def normals(ml=False, floor=0):
    return [gaussian("u", ml, floor), gaussian("v", ml, floor)]


def tables(**smoothing):
    return [categorical("f", **smoothing), categorical("g", **smoothing)]


# A name, features, the specification, and the same by formula. Of the mixed data, with and
# without holes, each with all weights.
MODELS = [
    ("naive", "u + v + f + g", "bayes_naive()", normals() + tables()),
    ("naive ml", "u + v + f + g", "bayes_naive(laplace = 1, variance = 'ml')",
     normals(ml=True) + tables(laplace=1)),
    ("floor", "u + v + f + g",
     "bayes_naive(numeric = likelihood_gaussian(min_variance = 1.5),"
     " categorical = likelihood_categorical(m = 2))", normals(floor=Fraction(3, 2)) + tables(m=2)),
    ("levels", "n + f + g",
     "bayes_naive(numeric = likelihood_poisson(), features = list("
     "f = likelihood_categorical(laplace = c(x = 1, y = 0.25, z = 0.5)),"
     " g = likelihood_categorical(m = 1, p = c(q = 0.25, p = 0.5, r = 0.25))))",
     [poisson("n"), categorical("f", {"x": Fraction(1), "y": QUARTER, "z": HALF}),
      categorical("g", m=1, p={"p": HALF, "q": QUARTER, "r": QUARTER})]),
    ("width", "u + n",
     "bayes_naive(numeric = likelihood_empirical(),"
     " features = list(u = likelihood_histogram(width = 1)))",
     [histogram("u", width=Fraction(1)), empirical("n")]),
    ("origin", "u + v",
     "bayes_naive(features = list(u = likelihood_histogram(width = 0.75, origin = 0.25,"
     " laplace = 1), v = likelihood_kernel(0.5)))",
     [histogram("u", Fraction(3, 4), QUARTER, laplace=1),
      kernel("v", {"a": HALF, "b": HALF, "c": HALF})]),
    ("breaks", "u + v",
     "bayes_naive(features = list(u = likelihood_histogram(breaks = c(-2, 0, 1, 3, 4, 10),"
     " laplace = 0.5), v = likelihood_kernel(c(b = 0.5, a = 0.25, c = 2))))",
     [histogram("u", breaks=EDGES, laplace=HALF),
      kernel("v", {"a": QUARTER, "b": HALF, "c": Fraction(2)})]),
    ("class breaks", "u + v",
     "bayes_naive(features = list(v = likelihood_kernel(), u = likelihood_histogram("
     "breaks = list(a = c(0, 2, 8), b = c(3, 4, 5, 7), c = c(-2, 1, 4)))))",
     [histogram("u", breaks=CLASS_EDGES), kernel("v")]),
    ("Sturges", "u + v",
     "bayes_naive(features = list(u = likelihood_histogram(laplace = 1),"
     " v = likelihood_kernel('nrd')))",
     [histogram("u", laplace=1), kernel("v", Fraction(53, 50))]),
    ("FD", "u", "bayes_naive(numeric = likelihood_histogram(breaks = 'FD', laplace = 1))",
     [histogram("u", breaks="FD", laplace=1)]),
    ("full", "u + v + n", "bayes_full()", [block(["u", "v", "n"])]),
    ("full ml", "u + v + n", "bayes_full(variance = 'ml')", [block(["u", "v", "n"], ml=True)]),
    ("pooled", "u + v + n", "bayes_full(covariance = 'pooled')",
     [block(["u", "v", "n"], pooled=True)]),
    ("pooled ml", "u + v + n", "bayes_full(covariance = 'pooled', variance = 'ml')",
     [block(["u", "v", "n"], ml=True, pooled=True)]),
    ("shrunk", "u + v + n", "bayes_full(shrinkage = 0.25)",
     [block(["u", "v", "n"], shrinkage=QUARTER)]),
    ("shrunk ml", "u + v + n", "bayes_full(shrinkage = 0.875, variance = 'ml')",
     [block(["u", "v", "n"], ml=True, shrinkage=Fraction(7, 8))]),
    ("shrunk to the pooled", "u + v", "bayes_full(shrinkage = 1)",
     [block(["u", "v"], shrinkage=1)]),
    ("table", "f + g", "bayes_full()", [joint_table(["f", "g"])]),
    ("table laplace", "f + g", "bayes_full(laplace = 0.5)", [joint_table(["f", "g"], HALF)]),
    ("full mixed", "u + v + f + g", "bayes_full(laplace = 1)",
     [block(["u", "v"]), joint_table(["f", "g"], 1)]),
    ("blocks", "u + v + n + f + g",
     "bayes_blocks(list(c('n', 'u'), tables = c('g', 'f')), shrinkage = 0.5, variance = 'ml',"
     " categorical = likelihood_categorical(m = 3))",
     [block(["n", "u"], ml=True, shrinkage=HALF), gaussian("v", True),
      joint_table(["g", "f"], m=3)]),
    ("one block", "u + v + n + f",
     "bayes_blocks(list(uv = c('u', 'v')), laplace = 1, covariance = 'pooled',"
     " features = list(n = likelihood_poisson()))",
     [block(["u", "v"], pooled=True), poisson("n"), categorical("f", 1)]),
]

# The same of one kind of data and weights: priors, near-singular covariances, far out.
PRIOR = {"a": Fraction(1, 8), "b": Fraction(5, 8), "c": QUARTER}
SINGLE = [
    ("uniform", "mixed", "share", "u + f", "bayes_naive(laplace = 1, prior = 'uniform')",
     [gaussian("u"), categorical("f", 1)], "uniform"),
    ("given prior", "holes", "whole", "u + f",
     "bayes_naive(laplace = 1, prior = c(c = 0.25, a = 0.125, b = 0.625))",
     [gaussian("u"), categorical("f", 1)], PRIOR),
    ("impossible prior", "mixed", "", "u + v", "bayes_full(prior = c(0.5, 0, 0.5))",
     [block(["u", "v"])], {"a": HALF, "b": Fraction(0), "c": HALF}),
    ("prior only", "mixed", "share", "1", "bayes_naive()", [], None),
] + [
    (name, data, "", ".", spec, parts, None)
    for data in ("line10", "line20", "line26")
    for name, spec, parts in [
        ("full", "bayes_full()", [block(["u", "v"])]),
        ("pooled", "bayes_full(covariance = 'pooled')", [block(["u", "v"], pooled=True)]),
    ]
] + [
    (name, "hilbert", "", ".", spec, [block(["h%d" % j for j in range(1, 6)], **options)], None)
    for name, spec, options in [
        ("full", "bayes_full()", {}),
        ("shrunk", "bayes_full(shrinkage = 0.0009765625)", {"shrinkage": Fraction(1, 1024)}),
    ]
] + [
    ("naive", "far", "", "u + v", "bayes_naive()", normals(), None),
    ("full", "far", "", "u + v", "bayes_full()", [block(["u", "v"])], None),
    ("pooled", "far", "", "u + v", "bayes_full(covariance = 'pooled')",
     [block(["u", "v"], pooled=True)], None),
    ("kernel", "far", "", "u", "bayes_naive(numeric = likelihood_kernel(0.5))",
     [kernel("u", {"a": HALF, "b": HALF})], None),
    ("rule", "far", "", "u", "bayes_naive(numeric = likelihood_kernel())", [kernel("u")], None),
    ("bins", "far", "", "u", "bayes_naive(numeric = likelihood_histogram(width = 0.5))",
     [histogram("u", width=HALF)], None),
    ("grid", "crowd", "", "u", "bayes_naive(numeric = likelihood_kernel(0.5, points = 64))",
     [kernel("u", {"a": HALF, "b": HALF}, points=64)], None),
    ("rule", "crowd", "", "u", "bayes_naive(numeric = likelihood_kernel('nrd', points = 64))",
     [kernel("u", Fraction(53, 50), points=64)], None),
] + [
    (name, "skewed", weights, "t + n", spec, parts, None)
    for weights in ("", "share")
    for name, spec, parts in [
        ("gamma",
         "bayes_naive(features = list(t = likelihood_gamma(),"
         " n = likelihood_negative_binomial()))", [gamma("t"), negative_binomial("n")]),
    ]
]

# Models from numbers.
EVEN = {"a": HALF, "b": HALF}
JOINT = [1, 2, 3, 1, 2, 2, 1, 0, 0, 3, 1, 0]  # Eighths of a, b, a, b, ...: f within g.
KNOWN = [
    ("known gaussian",
     "bayes_known(c(a = 0.75, b = 0.25),"
     " u = likelihood_gaussian(mean = c(a = 15, b = 25), sd = c(b = 2, a = 4)))",
     [known_gaussian("u", {"a": Fraction(15), "b": Fraction(25)}, {"a": 16, "b": 4})],
     {"a": Fraction(3, 4), "b": QUARTER}),
    ("known block",
     "bayes_known(c(a = 0.5, b = 0.5), uv = likelihood_gaussian("
     "mean = rbind(a = c(u = 0, v = 1), b = c(0.5, -2)),"
     " covariance = list(b = diag(c(2, 4)), a = rbind(c(2, 2.25), c(2.25, 3)))))",
     [known_block(["u", "v"], {"a": whole([[0, 1]])[0], "b": [HALF, Fraction(-2)]},
                  {"a": whole([["2", "2.25"], ["2.25", "3"]]), "b": whole([[2, 0], [0, 4]])})],
     EVEN),
    ("known mixture",
     "bayes_known(c(a = 0.5, b = 0.5), v = likelihood_mixture("
     "weights = list(a = c(0.75, 0.25), b = 1), mean = list(a = c(3, 6), b = 5),"
     " sd = list(a = c(1, 0.5), b = 2)))",
     [known_mixture("v", {"a": [(Fraction(3, 4), 3, 1), (QUARTER, 6, QUARTER)],
                          "b": [(Fraction(1), 5, 4)]})],
     EVEN),
    ("known rates",
     "bayes_known(c(a = 0.25, b = 0.25, c = 0.5),"
     " n = likelihood_poisson(rate = c(a = 3, b = 1e12, c = 0)))",
     [known_poisson("n", {"a": Fraction(3), "b": Fraction(10**12), "c": Fraction(0)})],
     {"a": QUARTER, "b": QUARTER, "c": HALF}),
    ("known gamma",
     "bayes_known(c(a = 0.25, b = 0.25, c = 0.5), u = likelihood_gamma("
     "shape = c(a = 0.5, b = 1e6, c = 3), rate = c(a = 2, b = 65536, c = 0.125)))",
     [known_gamma("u", {"a": HALF, "b": Fraction(10**6), "c": Fraction(3)},
                  {"a": Fraction(2), "b": Fraction(65536), "c": Fraction(1, 8)})],
     {"a": QUARTER, "b": QUARTER, "c": HALF}),
    ("known negative binomial",
     "bayes_known(c(a = 0.25, b = 0.25, c = 0.5), n = likelihood_negative_binomial("
     "size = c(a = 0.5, b = 1e6, c = Inf), mean = c(a = 3, b = 1e12, c = 2)))",
     [known_negative_binomial("n", {"a": HALF, "b": Fraction(10**6), "c": mp.inf},
                              {"a": Fraction(3), "b": Fraction(10**12), "c": Fraction(2)})],
     {"a": QUARTER, "b": QUARTER, "c": HALF}),
    ("known tables",
     "bayes_known(c(a = 0.5, b = 0.5), f = rbind(a = c(x = 0.5, y = 0.25, z = 0.25),"
     " b = c(0.125, 0.875, 0)), g = rbind(b = c(p = 0.25, q = 0.75), a = c(0.875, 0.125)))",
     [known_table("f", {"a": {"x": HALF, "y": QUARTER, "z": QUARTER},
                        "b": {"x": Fraction(1, 8), "y": Fraction(7, 8), "z": 0}}),
      known_table("g", {"a": {"p": Fraction(7, 8), "q": Fraction(1, 8)},
                        "b": {"p": QUARTER, "q": Fraction(3, 4)}})],
     EVEN),
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


def all_cases():
    """Name, data, weights, features, specification in R, by formulas, prior."""
    for name, features, spec, parts in MODELS:
        for data in ("mixed", "holes"):
            for weights in ("", "whole", "share"):
                yield name, data, weights, features, spec, parts, None
    yield from SINGLE
    for name, spec, parts, prior in KNOWN:
        yield name, "known", "", "", spec, parts, prior
