#include <engine/likelihood/normal/block_moments.cpp>
#include <engine/likelihood/normal/gaussian_em.cpp>
#include <engine/likelihood/normal/gaussian_em_rows.cpp>
#include <engine/likelihood/normal/gaussian_em_step.cpp>
#include <engine/likelihood/normal/multivariate_gaussian.cpp>
