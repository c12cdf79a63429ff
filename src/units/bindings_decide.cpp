#include <bind_decide.cpp>
#include <bind_monitor.cpp>
#include <bind_prior.cpp>
#include <bind_search.cpp>
