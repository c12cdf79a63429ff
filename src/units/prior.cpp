#include <engine/evaluation/prior_check.cpp>
#include <engine/evaluation/prior_fit.cpp>
#include <engine/evaluation/prior_training.cpp>
