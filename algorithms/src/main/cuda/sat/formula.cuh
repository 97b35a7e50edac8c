/// @file
/// A formula as kernels see it, the values of its variables, and the counters of its clauses.
///
/// Layer: algorithm. A literal is 2 * v for variable v, 2 * v + 1 for its negation. A clause has no variable twice. An edge is
/// a position in `literals`: a clause with one of its literals.
///
/// A variable's value is 0 (none yet), 1 (true), 2 (false) or 3 (both: a contradiction); as bits, so that values are added by
/// "or". A clause's state is how many of its literals have no value, or `satisfied`; and the exclusive or of these literals, which
/// is the literal itself where there is one. Of a satisfied clause it is 0, whatever came before, so that states do not depend
/// on the order in which variables were decided.
///
/// Limits: edges < 2^31 - 8, variables < 2^30.
#pragma once

#include "magpie/kernel.cuh"
#include "magpie/parallel/append.cuh"
#include "magpie/parallel/warp.cuh"
#include "magpie/stm.cuh"

namespace sat {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using magpie::array;
using magpie::thread;

inline constexpr u32 undecided = 0;
inline constexpr u32 both = 3;
inline constexpr u32 satisfied = 0x80000000u;
MAGPIE_CONSTANT(undecided)
MAGPIE_CONSTANT(both)

/// Whether launches are recorded or traced, each by itself: then a series of phases is not one of them.
inline constexpr u32 observed = magpie::stm::recording || magpie::tracing ? 1 : 0;
MAGPIE_CONSTANT(observed)

/// Places in `totals`, which the host reads between launches.
enum total : u32 {
  open_clauses,    ///< that no value satisfies
  empty_clauses,   ///< of these, clauses all of whose literals are false
  units,           ///< literals that were listed, or by marks: variables that were decided
  contradictions,  ///< variables that are true and false
  open_variables,  ///< that have no value, and stand in an open clause
  bias_sum,        ///< of these the sum of |W+ - W-|, in units of 1 / bias_one
  false_surveys,   ///< of these those that surveys say can be neither
  open_literals,   ///< of open clauses
  sweeps,          ///< of a launch
  unconverged,     ///< 1 if surveys still changed after these
  unsatisfied,     ///< clauses that were listed for the local search
  total_count
};
MAGPIE_CONSTANT(open_clauses)
MAGPIE_CONSTANT(empty_clauses)
MAGPIE_CONSTANT(units)
MAGPIE_CONSTANT(contradictions)
MAGPIE_CONSTANT(open_variables)
MAGPIE_CONSTANT(bias_sum)
MAGPIE_CONSTANT(false_surveys)
MAGPIE_CONSTANT(open_literals)
MAGPIE_CONSTANT(sweeps)
MAGPIE_CONSTANT(unconverged)
MAGPIE_CONSTANT(unsatisfied)
MAGPIE_CONSTANT(total_count)

/// What nobody writes.
struct formula_view {
  u32 variables;
  u32 clauses;
  array<const u32> clause_offsets;  ///< clauses + 1: the edges of each clause
  array<const u32> literals;        ///< of each edge
  /// 2 * variables + 1: the places of each literal in `clause_of`; those of a variable lie together.
  array<const u32> literal_offsets;
  array<const u32> clause_of;  ///< of each such place: the clause of its edge

  MAGPIE_INLINE u32 clause_begin(u32 a) const { return magpie::ld_plain(&clause_offsets[a]); }
  MAGPIE_INLINE u32 clause_end(u32 a) const { return magpie::ld_plain(&clause_offsets[a + 1]); }
  MAGPIE_INLINE u32 literal(u32 edge) const { return magpie::ld_plain(&literals[edge]); }
  MAGPIE_INLINE u32 begin(u32 literal) const { return magpie::ld_plain(&literal_offsets[literal]); }
  MAGPIE_INLINE u32 end(u32 literal) const { return magpie::ld_plain(&literal_offsets[literal + 1]); }
  /// The clause at a place of a literal.
  MAGPIE_INLINE u32 clause_at(u32 place) const { return magpie::ld_plain(&clause_of[place]); }
};

/// Clauses whose data are loaded at a time.
inline constexpr u32 in_flight = 8;

/// Calls body(clause, load(clause)) for the clauses at places `first` up to `end`, loading several at a time: in short lists
/// what follows takes as long as its loads take one after the other.
template <class Load, class Body>
MAGPIE_FORCE_INLINE void for_clauses(const formula_view& formula, u32 first, u32 end, Load&& load, Body&& body) {
  for (u32 place = first; place < end; place += in_flight) {
    u32 clause[in_flight];
    decltype(load(0u)) loaded[in_flight];
    MAGPIE_UNROLL
    for (u32 i = 0; i < in_flight; ++i) clause[i] = place + i < end ? formula.clause_at(place + i) : 0;
    MAGPIE_UNROLL
    for (u32 i = 0; i < in_flight; ++i) {
      if (place + i < end) loaded[i] = load(clause[i]);
    }
    MAGPIE_UNROLL
    for (u32 i = 0; i < in_flight; ++i) {
      if (place + i < end) body(clause[i], loaded[i]);
    }
  }
}

/// The value of a variable that makes a literal true.
MAGPIE_INLINE u32 value_for(u32 literal) { return 1u + (literal & 1u); }

/// Adds to a total what the lanes of a warp have each. All lanes, converged.
MAGPIE_INLINE void add_up(const thread& self, u64* to, u64 own) {
  own = magpie::warp_reduce(self, own, magpie::plus<u64>{});
  if (self.lane() == 0 && own != 0) magpie::red_add_rlx_dev(to, own);
}

/// SplitMix64's mixing step, and the draws of a sequence (Steele, Lea and Flood, OOPSLA 2014).
MAGPIE_INLINE u64 mixed(u64 z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
MAGPIE_INLINE u64 draw(u64 key, u64 index) { return mixed(key + (index + 1) * 0x9e3779b97f4a7c15u); }
/// In [0, 1), a multiple of 2^-53.
MAGPIE_INLINE double unit_of(u64 random) { return static_cast<double>(random >> 11) * 0x1p-53; }

}  // namespace sat
