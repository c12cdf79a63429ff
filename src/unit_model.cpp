// Doors share most of what they instantiate: in three units they compile twice as fast as one by
// one.
#include "bind_decide.cpp"
#include "bind_draw.cpp"
#include "bind_fit.cpp"
#include "bind_score.cpp"
