#include <engine/evaluation/cross_validation.cpp>
#include <engine/evaluation/folds.cpp>
#include <engine/evaluation/held_out.cpp>
#include <engine/evaluation/log_posterior.cpp>
#include <engine/evaluation/nested.cpp>
#include <engine/evaluation/risk_control.cpp>
#include <engine/evaluation/temper.cpp>
#include <engine/evaluation/temper_cases.cpp>
