"""Log marginal likelihoods under conjugate priors, from their definitions, in 50 digits.

Run alone, it prints the values that tests/engine/test_pooling.cpp compares with.
"""

import mpmath as mp

mp.mp.dps = 50


def table(counts, before):
    """Dirichlet-multinomial, of one order of the rows."""
    before = [mp.mpf(b) for b in before]
    total = sum(before)
    levels = sum(mp.loggamma(b + n) - mp.loggamma(b) for n, b in zip(counts, before))
    return levels + mp.loggamma(total) - mp.loggamma(total + sum(counts))


def scatter(weight, freedom, scale, squares):
    """Inverse Wishart, without the factor of pi."""
    size = scale.rows
    freedom = mp.mpf(freedom)

    def log_gamma(a):
        return sum(mp.loggamma(a - mp.mpf(i) / 2) for i in range(size))

    return (
        log_gamma((freedom + weight) / 2) - log_gamma(freedom / 2)
        + freedom / 2 * mp.log(mp.det(freedom * scale))
        - (freedom + weight) / 2 * mp.log(mp.det(freedom * scale + squares))
    )


def rate(total, weight, shape, exposure):
    """Gamma-Poisson, without the factorials."""
    shape, exposure = mp.mpf(shape), mp.mpf(exposure)
    return (
        mp.loggamma(shape + total) - mp.loggamma(shape)
        + shape * mp.log(exposure) - (shape + total) * mp.log(exposure + weight)
    )


if __name__ == "__main__":
    covariance = mp.matrix([[2, mp.mpf("0.5")], [mp.mpf("0.5"), 1]])
    squares = mp.matrix([[11, -3], [-3, 4]])
    for m in [mp.mpf("1.25"), mp.mpf(20), mp.mpf(4) ** 11]:
        shares = [mp.mpf(1) / 8, mp.mpf(3) / 8, mp.mpf(1) / 2]
        print(m)
        print("  table", mp.nstr(table([3, 0, 7], [m * p + mp.mpf("0.25") for p in shares]), 20))
        print("  one number", mp.nstr(scatter(9, m, mp.matrix([[2]]), mp.matrix([[11]])), 20))
        print("  two numbers", mp.nstr(scatter(9, m, covariance, squares), 20))
        print("  rate", mp.nstr(rate(17, 9, m * mp.mpf("1.5"), m), 20))
