#include <engine/regions/conic.cpp>
#include <engine/regions/marginal_regions.cpp>
