#include <engine/likelihood/contract/overlap.cpp>
#include <engine/likelihood/contract/points.cpp>
#include <engine/likelihood/points/empirical.cpp>
#include <engine/likelihood/points/kernel.cpp>
#include <engine/likelihood/points/pair_counts.cpp>
#include <engine/likelihood/posterior/draws.cpp>
#include <engine/likelihood/posterior/pooling.cpp>
