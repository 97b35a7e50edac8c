/// @file
/// The module `components`: connected components and spanning forests, by unions over samples (sampled_form.cuh) and by
/// hooking without atomics (atomic_free_form.cuh).
#define MAGPIE_ALL_POLICIES  // `--policy` chooses one, also where there is no compiler

#include "atomic_free_form.cuh"
#include "sampled_form.cuh"
