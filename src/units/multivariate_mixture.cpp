#include <engine/likelihood/normal/multivariate_mixture.cpp>
#include <engine/likelihood/normal/multivariate_mixture_estimator.cpp>
#include <engine/likelihood/normal/multivariate_mixture_starts.cpp>
#include <engine/likelihood/normal/multivariate_mixture_step.cpp>
