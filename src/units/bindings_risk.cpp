#include <bind_arrow.cpp>
#include <bind_plan.cpp>
#include <bind_plane.cpp>
#include <bind_risk.cpp>
#include <plan_problem.cpp>
