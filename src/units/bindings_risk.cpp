#include <bind_plane.cpp>
#include <bind_risk.cpp>
