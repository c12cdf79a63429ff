#include <bind_plan.cpp>
#include <bind_plane.cpp>
#include <bind_risk.cpp>
