/// @file
/// Decides variables, with all that follows by unit propagation: by transactions in rounds, or by marks.
///
/// Both give the same values and states, those of the closure under unit propagation, unless it has a contradiction; and both
/// notice one: a variable that is decided to be both, or a clause without a literal that could be true. By transactions every clause
/// is right at every moment; by marks after `recount` has found nothing more.
#pragma once

#include "formula.cuh"
#include "magpie/stm.cuh"

namespace sat {

/// The state of each clause before anything is decided.
struct start_clauses {
  formula_view formula;
  array<u32> left;
  array<u32> rest;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 each : self.items(formula.clauses)) {
      const u32 a = static_cast<u32>(each);
      u32 literals = 0;
      for (u32 e = formula.clause_begin(a); e < formula.clause_end(a); ++e) literals ^= formula.literal(e);
      magpie::st_plain(&left[a], formula.clause_end(a) - formula.clause_begin(a));
      magpie::st_plain(&rest[a], literals);
    }
  }
};
MAGPIE_KERNEL(start_clauses)

/// Counts open and empty clauses and open literals, and lists the literals of those that have one left.
///
/// Participation: whole warps. Shared state: the list behind `totals[units]`, which has room for all clauses; a literal may be
/// in it several times.
struct list_units {
  u32 clauses;
  array<const u32> left;
  array<const u32> rest;
  array<u32> list;
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u64 open = 0;
    u64 empty = 0;
    u64 all = 0;
    for (u64 a : self.items(clauses)) {
      const u32 literals = magpie::ld_plain(&left[a]);
      open += literals != satisfied ? 1 : 0;
      all += literals != satisfied ? literals : 0;
      empty += literals == 0 ? 1 : 0;
      if (literals == 1) {
        const u64 place = magpie::append(self, &totals[units]);
        magpie::st_plain(&list[place], magpie::ld_plain(&rest[a]));
      }
    }
    add_up(self, &totals[open_clauses], open);
    add_up(self, &totals[empty_clauses], empty);
    add_up(self, &totals[open_literals], all);
  }
};
MAGPIE_KERNEL(list_units)

/// Counts variables that were decided to be both.
struct count_contradictions {
  u32 variables;
  array<const u32> value;
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u64 found = 0;
    for (u64 v : self.items(variables)) found += magpie::ld_plain(&value[v]) == both ? 1 : 0;
    add_up(self, &totals[contradictions], found);
  }
};
MAGPIE_KERNEL(count_contradictions)

/// Makes a literal true. Items: literals. Objects: variables, each of which stands for its value, and clauses, each for its state.
///
/// Of the variable's clauses it opens those that are not satisfied yet, by hints: a satisfied one stays so, and nothing is done with
/// it, whatever the order of items. All claims are asked for together, and states change in place, under the locks.
///
/// Items in rounds: a clause that has one literal left pushes that. One transaction pushes so many at most; further ones are found
/// by `list_units`, which the host runs in any case.
struct decide {
  formula_view formula;
  magpie::stm::guarded<u32> value;
  magpie::stm::guarded<u32> left;
  magpie::stm::guarded<u32> rest;

  static constexpr u32 max_objects = 128;  // a variable of 5-clauses near the threshold has 105.6 of them on average
  static constexpr u32 max_writes = 0;
  static constexpr u32 max_pushes = 4;
  static constexpr magpie::stm::reads reads = magpie::stm::reads::unvalidated;  // what is read is claimed
  static constexpr bool order_dependent = true;  // the first item that satisfies a clause writes it, others leave it
  using state = u32;                             // the variable's value before

  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome plan(Tx& tx, u32 item, state& known) const {
    known = MAGPIE_TRY(tx.get(value, item >> 1));
    if ((known | value_for(item)) == known) return magpie::stm::outcome::cancel;
    if (known != undecided) return magpie::stm::outcome::commit;
#if defined(MAGPIE_SAT_UNGUARDED_COUNTERS)  // a planted fault, which the verifier must notice
    const u32 last = item;
    const u32 first = item;
#else
    const u32 first = item & ~1u;
    const u32 last = item | 1u;
#endif
    const u32 end = formula.end(last);
    for (u32 place = formula.begin(first); place < end; place += in_flight) {
      u32 clause[in_flight];
      u32 open = 0;
      const u32 here = end - place < in_flight ? end - place : in_flight;
      for_clauses(
          formula, place, place + here, [&](u32 a) { return tx.glance(left, a); },
          [&](u32 a, u32 literals) {
            if (literals != satisfied) clause[open++] = a;
          });
      if (!tx.open_each(left.guards, open, [&](u32 i) { return clause[i]; })) return magpie::stm::outcome::retry;
    }
    return magpie::stm::outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, u32 item, const state& known) const {
    tx.store(value, item >> 1, known | value_for(item));
    if (known != undecided) return;
    // Whatever is satisfied here is not open, or was satisfied before its claim; the rest is open, and looked at again.
    const auto hint = [&](u32 a) { return tx.glance(left, a); };
    for_clauses(formula, formula.begin(item), formula.end(item), hint, [&](u32 a, u32 hinted) {
      if (hinted == satisfied) return;
      tx.store(left, a, satisfied);
      tx.store(rest, a, 0);
    });
    const u32 opposite = item ^ 1u;
    u32 pushed = 0;
    for_clauses(formula, formula.begin(opposite), formula.end(opposite), hint, [&](u32 a, u32 hinted) {
      if (hinted == satisfied) return;
#if defined(MAGPIE_SAT_UNGUARDED_COUNTERS)
      const u32 literals = hinted;
      const u32 others = magpie::ld_rlx_dev(&rest.unguarded(a)) ^ opposite;
      magpie::st_rlx_dev(&left.unguarded(a), literals - 1);
      magpie::st_rlx_dev(&rest.unguarded(a), others);
#else
      const u32 literals = tx.load(left, a);
      const u32 others = tx.load(rest, a) ^ opposite;
      tx.store(left, a, literals - 1);
      tx.store(rest, a, others);
#endif
      if (literals == 2 && pushed < max_pushes) {
        tx.push(others);
        ++pushed;
      }
    });
  }
};
MAGPIE_REGION(decide)

/// Makes literals true, by marks: their variables' values, and nothing else. Shared state: `value`, "or", relaxed.
struct mark_literals {
  array<const u32> list;
  u64 count;
  array<u32> value;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(count)) {
      const u32 literal = magpie::ld_plain(&list[i]);
      magpie::red_or_rlx_dev(&value[literal >> 1], value_for(literal));
    }
  }
};
MAGPIE_KERNEL(mark_literals)

/// Counts every open clause anew, and makes the literal of one that has a single one left true.
///
/// Shared state: `value`, relaxed, which others change by "or": a value that is read is one of the closure, if perhaps not the
/// last, so whatever follows from it is in the closure, too. `totals[units]` counts the variables that got a value; when a launch
/// leaves it, none has changed during it, and all states are right.
struct recount {
  formula_view formula;
  array<u32> value;
  array<u32> left;
  array<u32> rest;
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u64 decided = 0;
    for (u64 each : self.items(formula.clauses)) {
      const u32 a = static_cast<u32>(each);
      if (magpie::ld_own(&left[a]) == satisfied) continue;
      u32 open = 0;
      u32 literals = 0;
      for (u32 e = formula.clause_begin(a); e < formula.clause_end(a) && open != satisfied; ++e) {
        const u32 l = formula.literal(e);
        const u32 known = magpie::ld_rlx_dev(&value[l >> 1]);
        if ((known & value_for(l)) != 0) {
          open = satisfied;
          literals = 0;
        } else if (known == undecided) {
          ++open;
          literals ^= l;
        }
      }
      magpie::st_plain(&left[a], open);
      magpie::st_plain(&rest[a], literals);
      if (open != 1) continue;
      const u32 known = magpie::or_rlx_dev(&value[literals >> 1], value_for(literals));
      decided += (known & value_for(literals)) == 0 ? 1 : 0;
    }
    add_up(self, &totals[units], decided);
  }
};
MAGPIE_KERNEL(recount)

}  // namespace sat
