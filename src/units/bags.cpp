#include <engine/likelihood/bag/bernoulli.cpp>
#include <engine/likelihood/bag/gaussian_bag.cpp>
#include <engine/likelihood/bag/multinomial.cpp>
#include <engine/likelihood/bag/poisson_bag.cpp>
