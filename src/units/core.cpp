#include <engine/core/diagnostics.cpp>
#include <engine/core/gamma_functions.cpp>
#include <engine/core/numbers.cpp>
#include <engine/core/triangle.cpp>
#include <engine/data/columns.cpp>
