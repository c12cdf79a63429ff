#include <engine/evaluation/low_rank.cpp>
#include <engine/evaluation/newton.cpp>
#include <engine/evaluation/prior_check.cpp>
#include <engine/evaluation/prior_fit.cpp>
#include <engine/evaluation/prior_interval.cpp>
#include <engine/evaluation/prior_likelihood.cpp>
#include <engine/evaluation/prior_rows.cpp>
#include <engine/evaluation/prior_training.cpp>
