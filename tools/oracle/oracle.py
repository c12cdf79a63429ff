"""Writes tests/testthat/oracle/, which test-numbers-oracle.R compares the package with.

Python 3 with mpmath; from the repository's root: python3 tools/oracle/oracle.py. The values are
log joints of new rows (log prior + log likelihood), the log likelihood of the data, expected
costs and Bayes risks, by the formulas of the help pages.
"""

import csv
from fractions import Fraction
from importlib import import_module
from pathlib import Path

from cases import all_cases
from costs import ACTIONS, COSTS, DECIDED, decide
from data import DATA, LEVELS
from formulas import NONE, Data, real
from likelihood_multivariate_gaussian import block, condition
from mpmath import mp, mpf

FILES = sorted(Path(__file__).parent.glob("likelihood_*.py"))
LIKELIHOODS = [import_module(file.stem) for file in FILES]
HERE = Path(__file__).resolve().parents[2] / "tests" / "testthat" / "oracle"


def scorers(data, parts, prior):
    base = data.log_prior(prior) if data.rows else {k: mp.log(real(p)) for k, p in prior.items()}
    densities = [(getattr(part, "features", []), part(data)) for part in parts]

    def log_joint(k, row, complete=False):
        """The log joint. With `complete`, blocks that miss a feature of the row are left out."""
        used = [d for f, d in densities if not (complete and None in [row[x] for x in f])]
        return base[k] + sum((d(k, row) for d in used), mpf(0))

    return base, log_joint


def log_likelihood(data, log_joint):
    """The log likelihood of the data. A block adds nothing for the rows that it left out."""
    return sum(real(w) * log_joint(row["class"], row, True) for row, w in data.rows)


def tolerance(data, parts):
    """The tolerance of a case. Rounding errors grow with the condition number of a block, and
    expectation-maximisation ends when it is near."""
    blocks = [part for part in parts if isinstance(part, block)]
    worst = max((condition(s) for b in blocks for s in b.estimate(data)[1].values()), default=1)
    stated = max((part.error(data) for part in parts if hasattr(part, "error")), default=mpf(0))
    return max(mpf("1e-13"), mpf(2) ** -52 * worst, stated)


def text(x):
    if x is None:
        return "NA"
    if isinstance(x, Fraction):
        assert Fraction(float(x)) == x, "not a double: %s" % x
        digits = "%.60f" % x if x.denominator > 1 else "%d" % x
        return digits.rstrip("0") if "." in digits else digits
    if isinstance(x, mpf):
        return "-Inf" if x == NONE else "Inf" if x == mp.inf else mp.nstr(x, 18)
    return str(x)


def write(name, header, rows):
    with open(HERE / (name + ".csv"), "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows([text(x) for x in row] for row in rows)


def main():
    cases, values, decisions = [], [], []
    for likelihood in LIKELIHOODS:
        DATA.update(getattr(likelihood, "DATA", {}))
    for number, case in enumerate(all_cases(LIKELIHOODS), 1):
        name, data_name, weights, features, spec, parts, prior = case
        rows, new = DATA[data_name]
        classes = sorted({row["class"] for row in rows}) if rows else list(prior)
        data = Data(rows, classes, LEVELS, weights)
        known, log_joint = scorers(data, parts, prior)
        # The log likelihood of kernels and of complement weights is not defined.
        defined = rows and "kernel" not in spec and "complement" not in spec
        fit = log_likelihood(data, log_joint) if defined else None
        limit = "%.2g" % tolerance(data, parts)
        cases.append((number, name, data_name, weights, features, spec, limit, fit))
        for i, row in enumerate(new, 1):
            joint = [log_joint(k, row) for k in known]
            values.append((number, i, *joint, *[None] * (3 - len(joint))))
            for cost in COSTS if (name, data_name, weights) in DECIDED else []:
                decisions.append((number, cost, i, *decide(joint, COSTS[cost][1])))
    for name, (rows, new) in DATA.items():
        for file, table in ((name, rows), (name + "-new", new)):
            if table:
                write(file, table[0], [row.values() for row in table])
    header = ("case", "name", "data", "weights", "features", "spec", "tolerance", "log_lik")
    write("cases", header, cases)
    write("log_joint", ("case", "row", "a", "b", "c"), values)
    write("costs", ("cost", "text"), [(name, cost) for name, (cost, _) in COSTS.items()])
    header = ("case", "cost", "row", "decision", *["cost_" + a for a in ACTIONS])
    write("decisions", header, decisions)
    found = [row for x in LIKELIHOODS if hasattr(x, "risks") for row in x.risks()]
    write("risks", ("model", "cost", "total"), found)


if __name__ == "__main__":
    main()
