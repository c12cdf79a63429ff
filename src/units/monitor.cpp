#include <engine/evaluation/change_processes.cpp>
#include <engine/evaluation/monitor.cpp>
#include <engine/evaluation/monitor_now.cpp>
#include <engine/evaluation/monitor_sample.cpp>
#include <engine/evaluation/monitor_start.cpp>
#include <engine/evaluation/odds_before.cpp>
#include <engine/evaluation/other_features.cpp>
#include <engine/evaluation/watched_features.cpp>
