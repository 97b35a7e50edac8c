/// @file
/// Local search on what decimation leaves, by many flips at a time: WalkSAT (Selman, Kautz and Cohen, AAAI 1994), in rounds.
///
/// A round chooses a variable for each clause that is not satisfied, from the state that the round before has left; flips the
/// chosen ones, by transactions or of these a set no two of which share a clause; and lists the clauses that are not satisfied
/// now. Each flip is made only if its clause is not satisfied then, and with all counters of its clauses, so that a counter is right
/// at the end of each round. At least one flip is made in each.
#pragma once

#include "formula.cuh"
#include "magpie/stm.cuh"

namespace sat {

/// Gives each variable without a value one by chance. `fixed` keeps which had one.
struct start_values {
  u64 key;
  array<u32> value;
  array<u32> fixed;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 v : self.items(value.size())) {
      const u32 known = magpie::ld_own(&value[v]);
      magpie::st_plain(&fixed[v], known == undecided ? 0u : 1u);
      if (known == undecided) magpie::st_plain(&value[v], 1u + static_cast<u32>(draw(key, v) >> 63));
    }
  }
};
MAGPIE_KERNEL(start_values)

/// Counts the true literals of each clause, and lists the clauses without one.
///
/// Participation: whole warps. Shared state: the list behind `totals[unsatisfied]`, which has room for all clauses.
struct count_true {
  formula_view formula;
  array<const u32> value;
  array<u32> truths;
  array<u32> list;
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 each : self.items(formula.clauses)) {
      const u32 a = static_cast<u32>(each);
      u32 count = 0;
      for (u32 e = formula.clause_begin(a); e < formula.clause_end(a); ++e) {
        const u32 l = formula.literal(e);
        count += magpie::ld_plain(&value[l >> 1]) == value_for(l) ? 1 : 0;
      }
      magpie::st_plain(&truths[a], count);
      if (count == 0) magpie::st_plain(&list[magpie::append(self, &totals[unsatisfied])], a);
    }
  }
};
MAGPIE_KERNEL(count_true)

/// Chooses the literal to be made true of each listed clause: one that breaks no clause if there is such a one; else, as often
/// as the noise says, any, and otherwise one that breaks the fewest. Ties by chance. Nothing that is read changes meanwhile.
struct choose_flips {
  formula_view formula;
  u64 count;
  u64 key;  ///< of the round
  double noise;
  array<const u32> list;
  array<const u32> fixed;
  array<const u32> truths;
  array<u32> chosen;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(count)) {
      const u32 a = magpie::ld_plain(&list[i]);
      const u64 own = draw(key, a);
      u32 candidates = 0;
      u32 any = 0;
      u32 best = 0;
      u32 least = ~0u;
      u64 best_ticket = 0;
      u64 any_ticket = 0;
      for (u32 e = formula.clause_begin(a); e < formula.clause_end(a); ++e) {
        const u32 l = formula.literal(e);
        if (magpie::ld_plain(&fixed[l >> 1]) != 0) continue;
        const u64 ticket = draw(own, 2 + 2 * (e - formula.clause_begin(a)));
        const u64 other = draw(own, 3 + 2 * (e - formula.clause_begin(a)));
        const u32 broken = broken_by(l);
        if (candidates == 0 || broken < least || (broken == least && ticket > best_ticket)) {
          least = broken;
          best = l;
          best_ticket = ticket;
        }
        if (candidates == 0 || other > any_ticket) {
          any = l;
          any_ticket = other;
        }
        ++candidates;
      }
      magpie::st_plain(&chosen[i], least != 0 && unit_of(draw(own, 0)) < noise ? any : best);
    }
  }

 private:
  /// Clauses whose only true literal is the opposite one.
  MAGPIE_INLINE u32 broken_by(u32 literal) const {
    u32 broken = 0;
    const u32 opposite = literal ^ 1u;
    for (u32 place = formula.begin(opposite); place < formula.end(opposite); ++place) {
      broken += magpie::ld_plain(&truths[formula.clause_at(place)]) == 1 ? 1 : 0;
    }
    return broken;
  }
};
MAGPIE_KERNEL(choose_flips)

/// Makes the chosen literal of a clause true, unless the clause is satisfied by now. Items: places in the list. Objects: variables,
/// each of which stands for its value, and clauses, each for its number of true literals.
struct flip {
  formula_view formula;
  array<const u32> list;
  array<const u32> chosen;
  magpie::stm::guarded<u32> value;
  magpie::stm::guarded<u32> truths;

  static constexpr u32 max_objects = 16;
  static constexpr u32 max_writes = 16;

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, u32 item) const {
    if (MAGPIE_TRY(tx.get(truths, magpie::ld_plain(&list[item]))) != 0) return magpie::stm::outcome::cancel;
    const u32 literal = magpie::ld_plain(&chosen[item]);
    MAGPIE_TRY(tx.set(value, literal >> 1, value_for(literal)));
    for (u32 place = formula.begin(literal); place < formula.end(literal); ++place) {
      const u32 a = formula.clause_at(place);
      const u32 count = MAGPIE_TRY(tx.get(truths, a));
      MAGPIE_TRY(tx.set(truths, a, count + 1));
    }
    for (u32 place = formula.begin(literal ^ 1u); place < formula.end(literal ^ 1u); ++place) {
      const u32 a = formula.clause_at(place);
      const u32 count = MAGPIE_TRY(tx.get(truths, a));
      MAGPIE_TRY(tx.set(truths, a, count - 1));
    }
    return magpie::stm::outcome::commit;
  }
};
MAGPIE_REGION(flip)

/// The rank of a listed clause in a round: no two have the same, and no mark of another round is as high or higher.
MAGPIE_INLINE u64 rank_of(u32 round, u64 key, u32 clause) {
  return u64{round} << 32 | static_cast<u32>((clause ^ static_cast<u32>(key >> 32)) * (static_cast<u32>(key) | 1u));
}

/// Marks the clauses of each chosen variable by the highest rank that wants them. Shared state: `marks`, maxima.
struct mark_flips {
  formula_view formula;
  u64 count;
  u64 key;    ///< of the round
  u32 round;  ///< from 1
  array<const u32> list;
  array<const u32> chosen;
  array<u64> marks;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(count)) {
      const u32 v = magpie::ld_plain(&chosen[i]) >> 1;
      const u64 rank = rank_of(round, key, magpie::ld_plain(&list[i]));
      for (u32 place = formula.begin(2 * v); place < formula.end(2 * v + 1); ++place) {
        magpie::red_max_rlx_dev(&marks[formula.clause_at(place)], rank);
      }
    }
  }
};
MAGPIE_KERNEL(mark_flips)

/// Flips the variables that have all their clauses' marks. These share no clause, so each datum has one writer; the clause of the
/// highest rank is among them.
struct flip_marked {
  formula_view formula;
  u64 count;
  u64 key;
  u32 round;
  array<const u32> list;
  array<const u32> chosen;
  array<const u64> marks;
  array<u32> value;
  array<u32> truths;
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u64 done = 0;
    for (u64 i : self.items(count)) {
      const u32 literal = magpie::ld_plain(&chosen[i]);
      const u32 first = literal & ~1u;
      const u64 rank = rank_of(round, key, magpie::ld_plain(&list[i]));
      bool owned = true;
      for (u32 place = formula.begin(first); place < formula.end(first + 1) && owned; ++place) {
        owned = magpie::ld_plain(&marks[formula.clause_at(place)]) == rank;
      }
      if (!owned) continue;
      magpie::st_plain(&value[literal >> 1], value_for(literal));
      for (u32 place = formula.begin(literal); place < formula.end(literal); ++place) {
        u32* const count_of = &truths[formula.clause_at(place)];
        magpie::st_plain(count_of, magpie::ld_own(count_of) + 1);
      }
      for (u32 place = formula.begin(literal ^ 1u); place < formula.end(literal ^ 1u); ++place) {
        u32* const count_of = &truths[formula.clause_at(place)];
        magpie::st_plain(count_of, magpie::ld_own(count_of) - 1);
      }
      ++done;
    }
    add_up(self, &totals[flipped], done);
  }
};
MAGPIE_KERNEL(flip_marked)

/// Lists the clauses that are not satisfied after a round: those of the last list that still are not, and those of the chosen
/// variables, whether these were flipped or not.
///
/// Participation: whole warps. Shared state: `stamp`, the last round that listed a clause, by exchange, which one thread wins; the
/// new list.
struct list_unsatisfied {
  formula_view formula;
  u64 count;
  u32 round;  ///< from 1
  u32 size_at;
  array<const u32> list;
  array<const u32> chosen;
  array<const u32> truths;
  array<u32> stamp;
  array<u32> next;
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(count)) {
      look_at(self, magpie::ld_plain(&list[i]));
      const u32 v = magpie::ld_plain(&chosen[i]) >> 1;
      for (u32 place = formula.begin(2 * v); place < formula.end(2 * v + 1); ++place) {
        look_at(self, formula.clause_at(place));
      }
    }
  }

 private:
  MAGPIE_FORCE_INLINE void look_at(const thread& self, u32 a) const {
    if (magpie::ld_plain(&truths[a]) != 0 || magpie::exch_rlx_dev(&stamp[a], round) == round) return;
    magpie::st_plain(&next[magpie::append(self, &totals[size_at])], a);
  }
};
MAGPIE_KERNEL(list_unsatisfied)

}  // namespace sat
