#include "bind_assess.cpp"
#include "bind_blocks.cpp"
#include "bind_evaluate.cpp"
#include "bind_temper.cpp"
