#include <engine/likelihood/count/gamma.cpp>
#include <engine/likelihood/count/negative_binomial.cpp>
#include <engine/likelihood/count/poisson.cpp>
