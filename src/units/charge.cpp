#include <engine/charge/decision_table.cpp>
#include <engine/charge/monte_carlo.cpp>
#include <engine/charge/plane_risk.cpp>
#include <engine/charge/quadratic_law.cpp>
#include <engine/charge/ratio_risk.cpp>
