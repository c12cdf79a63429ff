#include <engine/likelihood/normal/gaussian.cpp>
#include <engine/likelihood/normal/gaussian_pooling.cpp>
#include <engine/likelihood/normal/mixture.cpp>
#include <engine/likelihood/normal/mixture_terms.cpp>
#include <engine/likelihood/normal/moments.cpp>
