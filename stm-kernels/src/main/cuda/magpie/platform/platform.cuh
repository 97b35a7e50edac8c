/// @file
/// Selects the machine this translation unit is compiled for, and gives its vocabulary: shared-memory accessors with
/// order and scope in their names, the thread's identity, warp collectives, pauses.
///
/// Layer: the lowest. Everything else in Magpie is written against the names declared here and never asks which
/// machine it runs on. The machine is chosen by the compiler: nvcc gives `cuda`, g++ gives `cpu`, g++ with
/// `-DMAGPIE_MACHINE_SIM` gives `sim`. All of it lives in an inline namespace per machine, so that shared objects of
/// several machines can be loaded into one process.
///
/// Accessors (each machine defines all of them; T is a trivially copyable type of 1, 2, 4 or 8 bytes; compare-exchange needs 4
/// or 8, and other read-modify-writes integers of that size):
/// | name | meaning |
/// |---|---|
/// | `ld_plain(p)` | ordinary load; only for data that nobody writes while the kernel runs (also 16-byte types) |
/// | `ld_own(p)` | ordinary load; only for data that no other thread writes while the kernel runs, or since the grid's last barrier (grid_barrier.cuh) |
/// | `st_plain(p, v)` | ordinary store; only for data that no other thread touches while the kernel runs |
/// | `ld_rlx_dev`, `ld_acq_dev` | relaxed / acquire load, device scope |
/// | `st_rlx_dev`, `st_rel_dev` | relaxed / release store, device scope |
/// | `ld_rlx_pair_dev(p)`, `st_rlx_pair_dev(p, v)` | two relaxed accesses of 8 bytes side by side, in one instruction where there is one; 16-byte aligned |
/// | `cas_rlx_dev`, `cas_acq_dev`, `cas_acqrel_dev` | compare-exchange `(p, expected, desired)`; gives the old value; the order also holds when it fails |
/// | `exch_rlx_dev`, `add_rlx_dev`, `and_rlx_dev`, `or_rlx_dev`, `min_rlx_dev`, `max_rlx_dev`, `max_acq_dev` | read-modify-write, gives the old value |
/// | `red_add_rlx_dev`, `red_or_rlx_dev`, `red_and_rlx_dev`, `red_min_rlx_dev`, `red_max_rlx_dev` | the same without a result (a reduction on the GPU) |
/// | `st_rlx_dev_last(p, v)`, `red_and_rlx_dev_last(p, v)` | as without the suffix; asks the L2 cache to evict the line before others (`cuda`). 4 or 8 bytes, the second one 4 |
/// | `add_for_host(p, n)`, `raise_for_host(p, v)` | `red_add_rlx_dev`, `red_max_rlx_dev` of 64 bits for what only the host reads, after the kernel; no step of a schedule (`sim`) |
/// | `enter_for_host(p, v)` | the same way: makes a word of 64 bits v if it is 0, else it stays for good; gives what it was |
/// | `prefetch(p)` | a hint that this thread will read or write at p soon; no access. `cpu` fetches the line, others do nothing |
/// | `fence_acqrel_dev()`, `fence_sc_dev()` | fences, device scope |
/// | `add_rn`, `sub_rn`, `mul_rn`, `fma_rn` | one correctly rounded operation on doubles that the compiler fuses with no other |
/// | `reciprocal_root(v)` | 1 / sqrt(v) of a positive float or double, with a relative error of at most 2^-22 or 2^-51; of a float below the normal range perhaps infinite |
/// | `holds(condition)` | tells the compiler that it is so, where it makes use of that (`cuda`) |
/// | `timestamp()` | the time in the machine's unit, in program order with the accessors around it; no fence. With `true` an attempt ends here, else one begins (`sim`) |
/// | `progress()` | tells the machine that this thread got something done; a search for livelocks listens (`sim`) |
/// | `begin_phase()` | tells the machine that all threads of the grid stand at a barrier, none of which has gone on; checks of plain accesses listen (`sim`) |
/// | `working_on(item)` | tells the machine which item of a region this thread begins; faults name it (`sim`, checked `cpu`) |
/// | `setback()` | tells the machine that this thread lost its work and starts over; `sim` may let others go first |
/// | `in_vain(n)` | tells the machine that the n-th operation of an attempt does nothing, as the attempt has failed; `sim` counts steps if there are many, traces have where |
/// | `trace(kind, value, object, address)`, `trace_next(kind, object)` | tell the machine what a transaction does (`sim`, launch_args.hpp) |
///
/// Shared data that is written while a kernel runs is accessed through these only. Ordinary accesses to data that others write
/// between two barriers of the grid, or in a kernel without any, race under the PTX memory model whatever the fences.
#pragma once

#include <cstdint>

/// Two words that `ld_rlx_pair_dev` and `st_rlx_pair_dev` move; not one atomic access but two, in no order.
namespace magpie {
struct alignas(16) word_pair {
  std::uint64_t first;
  std::uint64_t second;
};
}  // namespace magpie

#if defined(__CUDACC__)
#include "magpie/platform/cuda.cuh"
#elif defined(MAGPIE_MACHINE_SIM)
#include "magpie/sim/sim.cuh"
#else
#include "magpie/platform/cpu.cuh"
#endif

#include "magpie/platform/array.cuh"
#include "magpie/platform/grid_barrier.cuh"
#include "magpie/platform/passes.cuh"
#include "magpie/platform/warp_counters.cuh"
