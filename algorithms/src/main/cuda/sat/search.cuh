/// @file
/// Local search on what decimation leaves, by many flips at a time: WalkSAT (Selman, Kautz and Cohen, AAAI 1994), in rounds.
///
/// A round chooses a variable for each listed clause, from the state that the round before has left, or by sets keeps an
/// earlier choice; flips the chosen ones, by transactions or of these a set no two of which share a clause; and lists the
/// clauses that are not satisfied now, by sets also those that lost. Each flip is made only if its clause is not satisfied
/// then, and with all counters of its clauses, so that a counter is right at the end of each round. Each round flips at
/// least one variable, or, where others have satisfied all clauses of its list, empties the list.
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

/// Clauses whose only true literal is the opposite one.
MAGPIE_INLINE u32 broken_by(const formula_view& formula, const array<u32>& truths, u32 literal) {
  u32 broken = 0;
  const u32 opposite = literal ^ 1u;
  for_clauses(
      formula, formula.begin(opposite), formula.end(opposite), [&](u32 a) { return magpie::ld_rlx_dev(&truths[a]); },
      [&](u32, u32 count) { broken += count == 1 ? 1 : 0; });
  return broken;
}

/// Which literal of a clause is to be made true: one that breaks no clause if there is such a one; else, as often as the noise
/// says, any, and otherwise one that breaks the fewest. Ties by chance, from the clause's own key.
struct choice {
  u64 own;
  u32 candidates = 0;
  u32 any = 0;
  u32 best = 0;
  u32 least = ~0u;
  u64 best_ticket = 0;
  u64 any_ticket = 0;

  /// Takes a literal of a variable that is not fixed, the one at a place of the clause, into account.
  MAGPIE_INLINE void consider(u32 literal, u32 place, u32 broken) {
    const u64 ticket = draw(own, 2 + 2 * place);
    const u64 other = draw(own, 3 + 2 * place);
    if (candidates == 0 || broken < least || (broken == least && ticket > best_ticket)) {
      least = broken;
      best = literal;
      best_ticket = ticket;
    }
    if (candidates == 0 || other > any_ticket) {
      any = literal;
      any_ticket = other;
    }
    ++candidates;
  }

  MAGPIE_INLINE u32 literal(double noise) const { return least != 0 && unit_of(draw(own, 0)) < noise ? any : best; }
};

/// The choice of a clause. Nothing that is read changes meanwhile.
MAGPIE_INLINE u32 choice_of(const formula_view& formula, const array<const u32>& fixed, const array<u32>& truths,
                            double noise, u32 a, u64 own) {
  choice found{own};
  const u32 first = formula.clause_begin(a);
  for (u32 e = first; e < formula.clause_end(a); ++e) {
    const u32 l = formula.literal(e);
    if (magpie::ld_plain(&fixed[l >> 1]) == 0) found.consider(l, e - first, broken_by(formula, truths, l));
  }
  return found.literal(noise);
}

/// The same by all lanes of a warp, which have the same clause: parts of the warp look at a literal each. Gives it to all.
MAGPIE_INLINE u32 choice_of_warp(const thread& self, const formula_view& formula, const array<const u32>& fixed,
                                 const array<u32>& truths, double noise, u32 a, u64 own) {
  constexpr u32 most_parts = 4;  // of 8 lanes, about as many as a literal has clauses
  const u32 parts = self.width() < 2 * most_parts ? 1 : most_parts;
  const u32 lanes = self.width() / parts;
  const u32 part = self.lane() / lanes;  // beyond the parts, where the width is no multiple
  const u32 first_lane = part * lanes;
  const u32 own_lanes = (lanes < 32 ? (1u << lanes) - 1u : ~0u) << first_lane;
  choice found{own};
  const u32 first = formula.clause_begin(a);
  const u32 end = formula.clause_end(a);
  for (u32 base = first; base < end; base += parts) {
    const bool here = part < parts && base + part < end;
    const u32 literal = here ? formula.literal(base + part) : 0;
    const bool candidate = here && magpie::ld_plain(&fixed[literal >> 1]) == 0;
    u32 place = candidate ? formula.begin(literal ^ 1u) + (self.lane() - first_lane) : 0;
    const u32 places_end = candidate ? formula.end(literal ^ 1u) : 0;
    u32 broken = 0;
    while (self.any(place < places_end)) {
      const bool only = place < places_end && magpie::ld_rlx_dev(&truths[formula.clause_at(place)]) == 1;
      broken += magpie::popcount(self.ballot(only) & own_lanes);
      place += lanes;
    }
    for (u32 p = 0; p < parts && base + p < end; ++p) {
      const u32 of_part = self.shuffle(candidate ? broken : ~0u, p * lanes);
      const u32 l = self.shuffle(literal, p * lanes);
      if (of_part != ~0u) found.consider(l, base + p - first, of_part);
    }
  }
  return found.literal(noise);
}

/// Chooses for each listed clause, for flips by transactions.
struct choose_flips {
  formula_view formula;
  u64 count;
  u64 key;  ///< of the round
  double noise;
  array<const u32> list;
  array<const u32> fixed;
  array<u32> truths;
  array<u32> chosen;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(count)) {
      const u32 a = magpie::ld_plain(&list[i]);
      magpie::st_plain(&chosen[i], choice_of(formula, fixed, truths, noise, a, draw(key, a)));
    }
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

/// Lists the clauses that are not satisfied after a round of transactions: those of the last list that still are not, and
/// those of the chosen variables, whether these were flipped or not.
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

/// Clauses that are to be satisfied, in any order: with the literal that each has chosen, or `nothing`, and the rounds that it waits.
struct clause_list {
  array<u32> clause;
  array<u32> chosen;
  array<u32> waited;

  MAGPIE_INLINE void put(u64 place, u32 a, u32 literal, u32 rounds) const {
    magpie::st_rlx_dev(&clause[place], a);
    magpie::st_rlx_dev(&chosen[place], literal);
    magpie::st_rlx_dev(&waited[place], rounds);
  }
};

inline constexpr u32 nothing = ~0u;

/// Rounds of flips by conflict-free sets. A round has two halves, each in any order: each clause of a list that is not
/// satisfied chooses a literal, and marks all clauses of its variable by its rank; then those are flipped that have all
/// marks, among them that of the highest rank. Flipped variables share no clause, so each datum has one writer, and a new
/// choice breaks as many clauses as it did when it was chosen.
///
/// A clause that loses keeps its choice, and goes before those that have waited less. Otherwise variables of many clauses,
/// which have many rivals, would hardly ever be flipped, and the search would take several times as many flips, or not
/// end. So a choice that was kept may be out of date, and break more clauses than another would by now. A loser is listed
/// again without a look whether another flip of the round has satisfied its clause; the next round drops it then.
///
/// Shared state: the next round's list, appended to; `marks`, maxima. Determinism: schedule_independent, but for the order of lists.
struct rounds_of_flips {
  formula_view formula;
  u64 key;
  double noise;
  u32 round;  ///< of step 0; from 1, less than 2^28
  array<const u32> fixed;
  array<u32> value;
  array<u32> truths;
  array<u64> marks;  ///< of each clause
  clause_list even;  ///< of even rounds
  clause_list odd;
  array<u64> sizes;  ///< of the lists of steps 0 to as many as there are, and last the flips so far

  MAGPIE_INLINE u64 size(u32 step) const { return magpie::ld_rlx_dev(&sizes[step]); }
  MAGPIE_INLINE u64* flips() const { return &sizes[sizes.size() - 1]; }

  MAGPIE_INLINE void choose(u32 step, u64 i) const {
    const clause_list& list = of(step);
    const u32 a = magpie::ld_rlx_dev(&list.clause[i]);
    if (magpie::ld_rlx_dev(&truths[a]) != 0) {  // by another's flip
      magpie::st_rlx_dev(&list.chosen[i], nothing);
      return;
    }
    u32 literal = magpie::ld_rlx_dev(&list.chosen[i]);
    if (literal == nothing) {
      literal = choice_of(formula, fixed, truths, noise, a, draw(draw_of(step), a));
      magpie::st_rlx_dev(&list.chosen[i], literal);
    }
    const u64 own = rank(step, a, magpie::ld_rlx_dev(&list.waited[i]));
    const u32 first = literal & ~1u;
    for (u32 place = formula.begin(first); place < formula.end(first + 1); ++place) {
      magpie::red_max_rlx_dev(&marks[formula.clause_at(place)], own);
    }
  }

  /// Gives the number of variables that it flips, 0 or 1.
  MAGPIE_FORCE_INLINE u32 flip(const thread& self, u32 step, u64 i) const {
    const clause_list& list = of(step);
    const clause_list& next = of(step + 1);
    const u32 literal = magpie::ld_rlx_dev(&list.chosen[i]);
    if (literal == nothing) return 0;
    const u32 a = magpie::ld_rlx_dev(&list.clause[i]);
    const u32 waited = magpie::ld_rlx_dev(&list.waited[i]);
    const u64 own = rank(step, a, waited);
    bool owned = true;
    for_clauses(
        formula, formula.begin(literal & ~1u), formula.end(literal | 1u),
        [&](u32 other) { return magpie::ld_rlx_dev(&marks[other]); },
        [&](u32, u64 mark) { owned = owned && mark == own; });
    if (!owned) {
      next.put(magpie::append(self, &sizes[step + 1]), a, literal, waited + 1);
      return 0;
    }
    magpie::st_rlx_dev(&value[literal >> 1], value_for(literal));
    const auto count_of = [&](u32 other) { return magpie::ld_rlx_dev(&truths[other]); };
    for_clauses(formula, formula.begin(literal), formula.end(literal), count_of,
                [&](u32 other, u32 count) { magpie::st_rlx_dev(&truths[other], count + 1); });
    for_clauses(formula, formula.begin(literal ^ 1u), formula.end(literal ^ 1u), count_of, [&](u32 other, u32 count) {
      magpie::st_rlx_dev(&truths[other], count - 1);
      if (count == 1) next.put(magpie::append(self, &sizes[step + 1]), other, nothing, 0);
    });
    return 1;
  }

  /// The same as `choose` by all lanes of a warp, for the same clause.
  MAGPIE_INLINE void choose_by_warp(const thread& self, u32 step, u64 i) const {
    const clause_list& list = of(step);
    const u32 a = magpie::ld_rlx_dev(&list.clause[i]);
    u32 literal = magpie::ld_rlx_dev(&list.chosen[i]);
    const u32 waited = magpie::ld_rlx_dev(&list.waited[i]);
    const bool satisfied_by_another = magpie::ld_rlx_dev(&truths[a]) != 0;
    self.sync_warp();  // before one of them writes
    if (satisfied_by_another) {
      if (self.lane() == 0) magpie::st_rlx_dev(&list.chosen[i], nothing);
      return;
    }
    if (literal == nothing) {
      literal = choice_of_warp(self, formula, fixed, truths, noise, a, draw(draw_of(step), a));
      if (self.lane() == 0) magpie::st_rlx_dev(&list.chosen[i], literal);
    }
    const u64 own = rank(step, a, waited);
    const u32 end = formula.end(literal | 1u);
    for (u32 place = formula.begin(literal & ~1u) + self.lane(); place < end; place += self.width()) {
      magpie::red_max_rlx_dev(&marks[formula.clause_at(place)], own);
    }
  }

  /// The same as `flip`, likewise; the number is that of lane 0.
  MAGPIE_FORCE_INLINE u32 flip_by_warp(const thread& self, u32 step, u64 i) const {
    const clause_list& list = of(step);
    const clause_list& next = of(step + 1);
    const u32 literal = magpie::ld_rlx_dev(&list.chosen[i]);
    if (literal == nothing) return 0;
    const u32 a = magpie::ld_rlx_dev(&list.clause[i]);
    const u32 waited = magpie::ld_rlx_dev(&list.waited[i]);
    const u64 own = rank(step, a, waited);
    const u32 even_begin = formula.begin(literal & ~1u);
    const u32 odd_begin = formula.end(literal & ~1u);
    const u32 end = formula.end(literal | 1u);
    bool owned = true;
    for (u32 place = even_begin + self.lane(); place < end; place += self.width()) {
      owned = owned && magpie::ld_rlx_dev(&marks[formula.clause_at(place)]) == own;
    }
    if (!self.all(owned)) {
      if (self.lane() == 0) next.put(magpie::append(self, &sizes[step + 1]), a, literal, waited + 1);
      return 0;
    }
    if (self.lane() == 0) magpie::st_rlx_dev(&value[literal >> 1], value_for(literal));
    for (u32 place = even_begin + self.lane(); place < end; place += self.width()) {
      const u32 other = formula.clause_at(place);
      const u32 count = magpie::ld_rlx_dev(&truths[other]);
      const bool is_literals = (place < odd_begin) == ((literal & 1u) == 0);
      magpie::st_rlx_dev(&truths[other], is_literals ? count + 1 : count - 1);
      if (!is_literals && count == 1) next.put(magpie::append(self, &sizes[step + 1]), other, nothing, 0);
    }
    return self.lane() == 0 ? 1 : 0;
  }

 private:
  /// The key of the draws of a round; start values have the draws before.
  MAGPIE_INLINE u64 draw_of(u32 step) const { return draw(key, u64{formula.variables} + round + step); }

  MAGPIE_INLINE const clause_list& of(u32 step) const { return (round + step) % 2 == 0 ? even : odd; }

  /// Of a round no two clauses have the same, and no mark of an earlier round is as high.
  MAGPIE_INLINE u64 rank(u32 step, u32 clause, u32 waited) const {
    const u64 chance = draw(~key, round + step);
    const u32 order = (clause ^ static_cast<u32>(chance >> 32)) * (static_cast<u32>(chance) | 1u);
    return u64{round + step} << 36 | u64{waited < 15 ? waited : 15} << 32 | order;
  }
};

/// The first half of a round.
struct choose_sets {
  rounds_of_flips rounds;
  u32 step;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(rounds.size(step))) rounds.choose(step, i);
  }
};
MAGPIE_KERNEL(choose_sets)

/// The second. Participation: whole warps.
struct flip_sets {
  rounds_of_flips rounds;
  u32 step;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u64 done = 0;
    for (u64 i : self.items(rounds.size(step))) done += rounds.flip(self, step, i);
    add_up(self, rounds.flips(), done);
  }
};
MAGPIE_KERNEL(flip_sets)

/// Many rounds, in one launch whose threads meet after each half. A warp takes a clause where there are warps for half of them,
/// since a round takes as long as its loads one after the other; else each lane takes one. It ends with an empty list.
struct search_sets {
  static constexpr bool meets_grid = true;
  static constexpr unsigned block_size = 512;
  static constexpr unsigned resident_blocks = 2;

  rounds_of_flips rounds;
  u32 steps;
  array<u32> arrived;  ///< a word of 0

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u32 due = 0;
    u64 flips = 0;
    for (u32 step = 0; step < steps; ++step) {
      const u64 size = rounds.size(step);
      if (size == 0) break;
      const bool by_warps = size <= 2 * u64{magpie::warp_count(self)};
      if (by_warps) {
        for (u64 i = magpie::warp_rank(self); i < size; i += magpie::warp_count(self)) {
          rounds.choose_by_warp(self, step, i);
        }
      } else {
        for (u64 i : self.items(size)) rounds.choose(step, i);
      }
      magpie::grid_barrier::wait(self, &arrived[0], due);
      if (by_warps) {
        for (u64 i = magpie::warp_rank(self); i < size; i += magpie::warp_count(self)) {
          flips += rounds.flip_by_warp(self, step, i);
        }
      } else {
        for (u64 i : self.items(size)) flips += rounds.flip(self, step, i);
      }
      magpie::grid_barrier::wait(self, &arrived[0], due);
    }
    add_up(self, rounds.flips(), flips);
  }
};
MAGPIE_KERNEL(search_sets)

}  // namespace sat
