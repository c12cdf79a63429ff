"""Upper tails of quadratic forms in normal variables, by the formula of Imhof (1961), in 50 digits.

The characteristic function is inverted along the imaginary axis, without the saddle points of the
engine. Run alone, it prints in some minutes the values that tests/engine/test_quadratic_form.cpp
compares with.
"""

import mpmath as mp

mp.mp.dps = 50


def upper_tail(square, linear, at):
    """P(sum of square z^2 + linear z > at) for independent N(0, 1) z."""
    square = [mp.mpf(w) for w in square]
    linear = [mp.mpf(l) for l in linear]

    def log_transform(u):
        s = mp.mpc(0, u)
        return sum(
            s * s * l * l / (2 * (1 - 2 * s * w)) - mp.log(1 - 2 * s * w) / 2
            for w, l in zip(square, linear)
        )

    def integrand(u):
        return mp.im(mp.exp(log_transform(u) - mp.mpc(0, u * at))) / u

    # The integrand falls as u^(-1 - terms / 2) and turns with the frequency of `at`.
    ends = [mp.mpf(i) / 4 for i in range(81)] + [20 + 2 * i for i in range(1, 91)]
    total = mp.quad(integrand, ends, maxdegree=8)
    return mp.mpf(1) / 2 + total / mp.pi


CASES = {
    # name: weights of squares, of single terms, the value
    "mixed signs": (
        [(-1) ** i * (i + 1) / 8 for i in range(24)],
        [i % 3 / 2 for i in range(24)],
        4,
    ),
    "in the tail": ([(i + 1) / 32 for i in range(32)], [0.25] * 32, 100),
    "negative squares and a line": ([-(i + 1) / 16 for i in range(24)] + [0], [0.5] * 25, -1),
}

if __name__ == "__main__":
    for name, (square, linear, at) in CASES.items():
        print(name, mp.nstr(upper_tail(square, linear, mp.mpf(at)), 20))
