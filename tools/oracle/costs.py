"""Costs, expected costs and Bayes risks."""

from formulas import NONE, log_sum
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
    # An impossible class adds nothing, even at an infinite cost.
    p = [(k, mp.exp(l - evidence)) for k, l in enumerate(joint) if l > NONE]
    expected = {action: sum(share * of[k] for k, share in p) for action, of in cost.items()}
    return [min(expected, key=expected.get), *map(expected.get, ACTIONS)]


def line_risk(prior, density, below, grid, cost):
    """The integral of the smallest cost over x, between the points at which the best action
    changes. `density(k, x)`: of class k at x; `below(k, x)`: the probability of class k below x."""
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


def count_risk(prior, log_probability, cost):
    """The risk of counts below 1000. The probability of larger counts is negligible."""
    total = mpf(0)
    for x in range(1000):
        here = [p * mp.exp(log_probability(k, x)) for k, p in enumerate(prior)]
        total += min(sum(c * p for c, p in zip(row, here)) for row in cost)
    return total


def named(values):
    return ", ".join("%s = %s" % (k, v) for k, v in zip("abc", values))


def zero_one(classes):
    return [[int(i != j) for j in range(classes)] for i in range(classes)]


PLAIN = list(COSTS["plain"][1].values())


def priced(likelihood, risk, *parameters):
    """The risks of a known likelihood of three classes, under two costs."""
    prior = (0.25, 0.25, 0.5)
    x = likelihood % tuple(map(named, parameters))
    model = "bayes_known(c(%s), x = %s)" % (named(prior), x)
    for text, cost in [("NULL", zero_one(3)), (COSTS["plain"][0], PLAIN)]:
        yield model, text, risk(*[list(map(mpf, x)) for x in (prior, *parameters)], cost)
