#include <engine/evaluation/cross_validation.cpp>
#include <engine/evaluation/temper.cpp>
