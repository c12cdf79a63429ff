"""Costs, expected costs and Bayes risks."""

from likelihoods import NONE, log_sum
from mpmath import mp, mpf

# Costs of actions by true classes, and the cases to decide.
COSTS = {
    "plain": ("cost_matrix(A = c(a = 0, b = 1, c = 10), B = c(c = 0, a = 2, b = 2.5),"
              " C = c(a = 5, b = -1, c = 4), D = 0.75)",
              {"A": (0, 1, 10), "B": (2, 2.5, 0), "C": (5, -1, 4), "D": (0.75,) * 3}),
    "infinite": ("cost_matrix(A = c(a = 0, b = Inf, c = 1), B = c(a = 2, b = 0.5, c = 3))",
                 {"A": (0, mp.inf, 1), "B": (2, 0.5, 3)}),
}
ACTIONS = "ABCD"
DECIDED = [
    ("naive", "mixed", ""), ("table", "holes", "share"), ("full", "mixed", "whole"),
    ("width", "mixed", "share"), ("blocks", "holes", "whole"),
]


def decide(joint, cost):
    """The action of least expected cost, and the expected costs of all."""
    if max(joint) == NONE:
        return [None] * (1 + len(ACTIONS))
    evidence = log_sum(joint)
    # An impossible class adds nothing, whatever its cost.
    p = [(k, mp.exp(l - evidence)) for k, l in enumerate(joint) if l > NONE]
    expected = {action: sum(share * of[k] for k, share in p) for action, of in cost.items()}
    return [min(expected, key=expected.get), *map(expected.get, ACTIONS)]


def line_risk(prior, density, below, grid, cost):
    """The smallest cost at each x, integrated between the points where the best action changes:
    by the density of class k at x and its probability below x."""
    classes = range(len(prior))

    def of_action(a, x):
        return sum(cost[a][k] * prior[k] * density(k, x) for k in classes)

    def cuts_of(a, b):
        def lead(x):
            return of_action(a, x) - of_action(b, x)

        sign = [mp.sign(lead(x)) for x in grid]
        turns = [i for i in range(len(grid) - 1) if sign[i] != sign[i + 1]]
        return [mp.findroot(lead, grid[i : i + 2], solver="anderson") for i in turns]

    pairs = [(a, b) for a in range(len(cost)) for b in range(a)]
    cuts = sorted(x for a, b in pairs for x in cuts_of(a, b))
    edges = [grid[0], *cuts, grid[-1]]
    total = mpf(0)
    for i, (low, high) in enumerate(zip(edges, edges[1:])):
        middle = (low + high) / 2
        best = min(range(len(cost)), key=lambda a: of_action(a, middle))
        for k in classes:
            upper = below(k, high) if i < len(cuts) else mpf(1)
            lower = below(k, low) if i > 0 else mpf(0)
            total += cost[best][k] * prior[k] * (upper - lower)
    return total


def gaussian_risk(prior, mean, sd, cost):
    # Eighths, and a bit beside: where a cut is rational, it is not on the grid.
    grid = [mpf(i) / 8 + mpf(1) / 128 for i in range(-60 * 8, 60 * 8)]
    return line_risk(
        prior, lambda k, x: mp.npdf(x, mean[k], sd[k]), lambda k, x: mp.ncdf(x, mean[k], sd[k]),
        grid, cost
    )


def gamma_risk(prior, shape, rate, cost):
    # Down to the smallest numbers: a shape below 1 is infinitely dense at 0.
    grid = [mp.exp(mpf(i) / 16 + mpf(1) / 128) for i in range(-60 * 16, 6 * 16)]

    def density(k, x):
        log = shape[k] * mp.log(rate[k]) - mp.loggamma(shape[k]) + (shape[k] - 1) * mp.log(x)
        return mp.exp(log - rate[k] * x)

    def below(k, x):
        return mp.gammainc(shape[k], 0, rate[k] * x, regularized=True)

    return line_risk(prior, density, below, grid, cost)


def count_risk(prior, log_probability, cost):
    """Of counts below 1000; the others are impossible, nearly."""
    total = mpf(0)
    for x in range(1000):
        here = [p * mp.exp(log_probability(k, x)) for k, p in enumerate(prior)]
        total += min(sum(c * p for c, p in zip(row, here)) for row in cost)
    return total


def poisson_risk(prior, rate, cost):
    return count_risk(
        prior, lambda k, x: x * mp.log(rate[k]) - rate[k] - mp.loggamma(x + 1), cost
    )


def negative_binomial_risk(prior, size, mean, cost):
    def log_probability(k, x):
        s, m = size[k], mean[k]
        ratio = mp.loggamma(x + s) - mp.loggamma(s) - mp.loggamma(x + 1)
        return ratio - s * mp.log(1 + m / s) - x * mp.log(1 + s / m)

    return count_risk(prior, log_probability, cost)


def named(values):
    return ", ".join("%s = %s" % (k, v) for k, v in zip("abc", values))


def risks():
    zero_one = {n: [[int(i != j) for j in range(n)] for i in range(n)] for n in (2, 3)}
    plain = list(COSTS["plain"][1].values())
    gaussians = "bayes_known(c(%s), x = likelihood_gaussian(mean = c(%s), sd = c(%s)))"
    for prior, mean, sd, text, cost in [
        ((0.75, 0.25), (15, 25), (4, 4), "NULL", zero_one[2]),
        ((0.5, 0.5), (0, 0.5), (1, 3), "NULL", zero_one[2]),
        ((0.25, 0.25, 0.5), (0, 2, 3), (1, 0.5, 2), "NULL", zero_one[3]),
        ((0.25, 0.25, 0.5), (0, 2, 3), (1, 0.5, 2), COSTS["plain"][0], plain),
    ]:
        model = gaussians % (named(prior), named(mean), named(sd))
        yield model, text, gaussian_risk(*[list(map(mpf, x)) for x in (prior, mean, sd)], cost)
    rates = "bayes_known(c(%s), x = likelihood_poisson(c(%s)))"
    prior, rate = (0.25, 0.25, 0.5), (3, 12, 40.5)
    model = rates % (named(prior), named(rate))
    for text, cost in [("NULL", zero_one[3]), (COSTS["plain"][0], plain)]:
        yield model, text, poisson_risk(list(map(mpf, prior)), list(map(mpf, rate)), cost)
    gammas = "bayes_known(c(%s), x = likelihood_gamma(shape = c(%s), rate = c(%s)))"
    binomials = "bayes_known(c(%s), x = likelihood_negative_binomial(size = c(%s), mean = c(%s)))"
    for model, risk, first, second in [
        (gammas, gamma_risk, (0.5, 2, 7), (0.25, 0.5, 1)),
        (binomials, negative_binomial_risk, (0.5, 2, 16), (3, 8, 20)),
    ]:
        prior = (0.25, 0.25, 0.5)
        for text, cost in [("NULL", zero_one[3]), (COSTS["plain"][0], plain)]:
            values = [list(map(mpf, x)) for x in (prior, first, second)]
            yield model % (named(prior), named(first), named(second)), text, risk(*values, cost)
