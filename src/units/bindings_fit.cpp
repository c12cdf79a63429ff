#include <bind_fit.cpp>
#include <bind_groups.cpp>
#include <bind_parameters.cpp>
#include <bind_score.cpp>
