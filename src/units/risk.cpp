#include <engine/risk/decision_table.cpp>
#include <engine/risk/monte_carlo.cpp>
#include <engine/risk/plane_risk.cpp>
#include <engine/risk/quadratic_law.cpp>
#include <engine/risk/ratio_risk.cpp>
