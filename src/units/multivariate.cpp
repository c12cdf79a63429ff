#include <engine/likelihood/normal/block_moments.cpp>
#include <engine/likelihood/normal/gaussian_em.cpp>
#include <engine/likelihood/normal/multivariate_gaussian.cpp>
