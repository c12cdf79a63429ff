#include <bind_assess.cpp>
#include <bind_evaluate.cpp>
#include <context.cpp>
#include <decisions.cpp>
#include <frame.cpp>
#include <lists.cpp>
#include <model.cpp>
#include <world.cpp>
