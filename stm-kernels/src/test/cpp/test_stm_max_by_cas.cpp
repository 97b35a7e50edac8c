// flavors: sim
// The conflicts again with maximum as a compare-exchange loop, the protocol of the `cpu` machine, under the simulator.
#define MAGPIE_SIM_MAX_BY_CAS
#include "test_stm_conflicts.cpp"
