"""Cases of the oracle. Each case is written twice: as a call of R, and by the formulas."""

from fractions import Fraction

from formulas import HALF, QUARTER
from likelihood_categorical import categorical
from likelihood_empirical import empirical
from likelihood_gaussian import gaussian
from likelihood_histogram import histogram
from likelihood_joint_histogram import joint_histogram
from likelihood_joint_table import joint_table
from likelihood_kernel import kernel
from likelihood_multivariate_gaussian import block
from likelihood_poisson import poisson

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


# A name, features, the specification in R, and the same specification by formulas. Each model is
# fitted to the mixed data, with and without missing values, with each kind of weights.
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
    ("towards the identity", "u + v + n", "bayes_full(shrinkage = 0.25, identity = 0.5)",
     [block(["u", "v", "n"], shrinkage=QUARTER, identity=HALF)]),
    ("pooled and the identity", "u + v",
     "bayes_full(covariance = 'pooled', variance = 'ml', identity = 0.25)",
     [block(["u", "v"], ml=True, pooled=True, identity=QUARTER)]),
    ("table", "f + g", "bayes_full()", [joint_table(["f", "g"])]),
    ("table laplace", "f + g", "bayes_full(laplace = 0.5)", [joint_table(["f", "g"], HALF)]),
    ("full mixed", "u + v + f + g", "bayes_full(laplace = 1)",
     [block(["u", "v"]), joint_table(["f", "g"], 1)]),
    ("cells", "u + v", "bayes_full(joint = likelihood_histogram(width = 1))",
     [joint_histogram(["u", "v"], width=Fraction(1))]),
    ("cells laplace", "u + v + f + g",
     "bayes_full(laplace = 1, joint = likelihood_histogram(laplace = 0.5))",
     [joint_histogram(["u", "v"], laplace=HALF), joint_table(["f", "g"], 1)]),
    ("cells origin", "u + v + n",
     "bayes_blocks(list(uv = c('v', 'u')), numeric = likelihood_poisson(),"
     " joint = list(uv = likelihood_histogram(width = 0.75, origin = 0.25, laplace = 0.25)))",
     [joint_histogram(["v", "u"], Fraction(3, 4), QUARTER, laplace=QUARTER), poisson("n")]),
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

# Models that are fitted to one data set with one kind of weights: priors, near-singular
# covariances, numbers far from 0.
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
    (name, data, "", ".", spec, [block(["g%d" % j for j in range(1, 13)], **options)], None)
    for data in ("gaps2", "gaps26")
    for name, spec, options in [
        ("full", "bayes_full()", {}),
        ("pooled", "bayes_full(covariance = 'pooled')", {"pooled": True}),
        ("shrunk", "bayes_full(shrinkage = 0.25)", {"shrinkage": QUARTER}),
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
]


def all_cases(likelihoods):
    """Name, data, weights, features, specification in R, by formulas, prior."""
    for name, features, spec, parts in MODELS:
        for data in ("mixed", "holes"):
            for weights in ("", "whole", "share"):
                yield name, data, weights, features, spec, parts, None
    yield from SINGLE
    for likelihood in likelihoods:
        yield from getattr(likelihood, "CASES", [])
    # Models from numbers.
    for likelihood in likelihoods:
        for name, spec, parts, prior in getattr(likelihood, "KNOWN", []):
            yield name, "known", "", "", spec, parts, prior
