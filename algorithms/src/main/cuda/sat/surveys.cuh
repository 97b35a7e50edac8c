/// @file
/// Sweeps over the surveys of a formula, and what they say of its variables.
///
/// A survey, of an edge between clause a and literal l, is how probable it is that a warns l's variable to satisfy it, as all other
/// literals of a are warned to be false (Braunstein, Mezard and Zecchina, "Survey propagation: an algorithm for satisfiability",
/// Random Structures and Algorithms 27, 2005). A sweep computes all anew from those of the sweep before: what is read is not
/// written by the same launch, so surveys are the same whatever the order.
///
/// Cached products: `sum_literals` adds up log(1 - survey) over the edges of each literal, those that are 1 counted apart, as
/// their log has no value. A sweep subtracts the edge's own from that, so that it costs O(edges), not O(edges * degree). Products are
/// only ever compared with each other, so both are divided by a power of 2 that makes the larger one a double.
///
/// Layer: algorithm. Participation: whole warps. Shared state: an edge's survey is written by the one lane that has its clause, a
/// literal's sum by the one that has the literal; `changes` by maxima. A lane steps through the edges of its literal or clause
/// alone, so a launch takes as long as the longest list. Determinism: schedule_independent.
#pragma once

#include <cmath>
#include <cstring>

#include "formula.cuh"

namespace sat {

/// The unit of sums of biases, and of keys for sorting.
inline constexpr u32 bias_one = 1u << 30;
MAGPIE_CONSTANT(bias_one)

/// Of numbers that are not negative: ordered as they are.
MAGPIE_INLINE u64 bits_of(double x) {
  u64 bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

/// The power of 2 that is about e to a power.
MAGPIE_INLINE double twos_of(double x) { return std::rint(x * 1.4426950408889634); }

/// e to the power of a number of at most 0, divided by a power of 2. Not by `exp`, of which newer C libraries have a version that
/// older ones lack.
MAGPIE_INLINE double power_of_e(double x, double unit) {
  const double twos = twos_of(x);
  if (twos - unit < -1100) return 0;                                                // less than the smallest double
  const double rest = (x - twos * 0x1.62e42feep-1) - twos * 0x1.a39ef35793c76p-33;  // ln 2 in two parts
  return std::ldexp(1 + std::expm1(rest), static_cast<int>(twos - unit));
}

/// A product of (1 - survey) over some edges of a literal, as a logarithm: that of a thousand clauses is less than any double.
struct survey_product {
  double log;     ///< of the factors above 0; at most 0
  bool vanishes;  ///< some factor is 0

  /// The product divided by a power of 2.
  MAGPIE_INLINE double in_units(double unit) const { return vanishes ? 0.0 : power_of_e(log, unit); }
  /// 1 less the product, exact where that is small.
  MAGPIE_INLINE double complement() const { return vanishes ? 1.0 : -std::expm1(log); }
};

/// The power of 2 by which two products are divided, so that the larger one is about 1, and the other a double if it matters.
MAGPIE_INLINE double common_unit(const survey_product& a, const survey_product& b) {
  if (a.vanishes || b.vanishes) return twos_of(a.vanishes ? b.log : a.log);
  return twos_of(a.log > b.log ? a.log : b.log);
}

/// Surveys, and of each literal the product of (1 - survey) over its edges.
struct survey_view {
  array<double> survey;  ///< of each edge; 0 where the clause is satisfied or the literal has a value
  array<double> log;     ///< of each literal: the sum of log(1 - survey) of those below 1
  array<u32> ones;       ///< and how many are 1

  MAGPIE_INLINE survey_product product(u32 literal) const {
    return {magpie::ld_plain(&log[literal]), magpie::ld_plain(&ones[literal]) != 0};
  }
};

/// How far the sweeps of a batch have come: sweep s leaves its largest change in `changes[s]`. Once that of one is below the
/// tolerance, the launches for those after it do nothing.
struct batch_of_sweeps {
  u32 sweep;         ///< from 1; changes[0] is not below the tolerance
  double tolerance;  ///< more than 0
  array<u64> changes;

  MAGPIE_INLINE bool is_over() const { return magpie::ld_plain(&changes[sweep - 1]) < bits_of(tolerance); }
};

/// Draws the first surveys, in [0, 1).
struct start_surveys {
  u64 key;
  array<double> survey;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 e : self.items(survey.size())) magpie::st_plain(&survey[e], unit_of(draw(key, e)));
  }
};
MAGPIE_KERNEL(start_surveys)

/// Surveys of clauses that are satisfied and of literals that have a value: 0, as if they were not there.
struct drop_surveys {
  formula_view formula;
  array<const u32> value;
  array<const u32> left;
  array<double> survey;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 a : self.items(formula.clauses)) {
      const u32 clause = static_cast<u32>(a);
      const bool closed = magpie::ld_plain(&left[clause]) == satisfied;
      for (u32 e = formula.clause_begin(clause); e < formula.clause_end(clause); ++e) {
        if (closed || magpie::ld_plain(&value[formula.literal(e) >> 1]) != undecided) magpie::st_plain(&survey[e], 0.0);
      }
    }
  }
};
MAGPIE_KERNEL(drop_surveys)

/// The first half of a sweep: products over the edges of each literal.
struct sum_literals {
  formula_view formula;
  batch_of_sweeps batch;
  array<const double> survey;
  array<double> log;
  array<u32> ones;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (batch.is_over()) return;
    for (u64 l : self.items(u64{2} * formula.variables)) {
      const u32 literal = static_cast<u32>(l);
      double sum = 0;
      u32 certain = 0;
      for (u32 place = formula.begin(literal); place < formula.end(literal); ++place) {
        const double s = magpie::ld_plain(&survey[magpie::ld_plain(&formula.edges[place])]);
        if (s >= 1) {
          ++certain;
        } else {
          sum += std::log1p(-s);
        }
      }
      magpie::st_plain(&log[literal], sum);
      magpie::st_plain(&ones[literal], certain);
    }
  }
};
MAGPIE_KERNEL(sum_literals)

/// The second half: the surveys of each clause, by the products of the others' warnings before and behind an edge.
struct update_surveys {
  formula_view formula;
  batch_of_sweeps batch;
  array<const u32> value;
  array<const u32> left;
  survey_view surveys;
  array<double> warned;  ///< of each edge: how probable it is that the literal is warned to be false by others
  array<double> before;  ///< of each edge: the product of that over those before it in the clause

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (batch.is_over()) return;
    u64 most = 0;
    for (u64 a : self.items(formula.clauses)) {
      const u32 clause = static_cast<u32>(a);
      if (magpie::ld_plain(&left[clause]) == satisfied) continue;
      const u32 first = formula.clause_begin(clause);
      const u32 last = formula.clause_end(clause);
      double product = 1;
      for (u32 e = first; e < last; ++e) {
        const u32 l = formula.literal(e);
        if (magpie::ld_plain(&value[l >> 1]) != undecided) continue;
        const double w = warning(l, magpie::ld_own(&surveys.survey[e]));
        magpie::st_plain(&warned[e], w);
        magpie::st_plain(&before[e], product);
        product *= w;
      }
      product = 1;
      for (u32 e = last; e-- > first;) {
        if (magpie::ld_plain(&value[formula.literal(e) >> 1]) != undecided) continue;
        const double s = magpie::ld_own(&before[e]) * product;
        const u64 change = bits_of(std::fabs(s - magpie::ld_own(&surveys.survey[e])));
        if (change > most) most = change;
        magpie::st_plain(&surveys.survey[e], s);
        product *= magpie::ld_own(&warned[e]);
      }
    }
    most = magpie::warp_reduce(self, most, magpie::maximum<u64>{});
    if (self.lane() == 0 && most != 0) magpie::red_max_rlx_dev(&batch.changes[batch.sweep], most);
  }

 private:
  /// How probable it is that a literal's variable is warned to make it false, by the clauses other than the one whose survey of
  /// it is `own`: 0 where it can be neither.
  MAGPIE_INLINE double warning(u32 l, double own) const {
    const u32 ones = magpie::ld_plain(&surveys.ones[l]) - (own >= 1 ? 1 : 0);
    double log = magpie::ld_plain(&surveys.log[l]);
    if (own < 1) log -= std::log1p(-own);
    if (log > 0) log = 0;  // what rounding may leave of a sum of nothing else
    const survey_product same{log, ones != 0};
    const survey_product opposite = surveys.product(l ^ 1u);
    const double unit = common_unit(same, opposite);
    const double is_false = opposite.complement() * same.in_units(unit);
    const double is_true = same.complement() * opposite.in_units(unit);
    const double all = is_false + is_true + same.in_units(0) * opposite.in_units(unit);
    return all > 0 ? is_false / all : 0;
  }
};
MAGPIE_KERNEL(update_surveys)

/// Of each variable how biased it is, as a key for sorting, the most biased first, and the literal that it is biased to.
struct rate_variables {
  formula_view formula;
  array<const u32> value;
  array<const u32> left;
  survey_view surveys;
  array<u32> key;      ///< bias_one less the bias; more than bias_one for what is not to be decided
  array<u32> literal;  ///< of each variable
  array<u64> totals;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u64 open = 0;
    u64 sum = 0;
    u64 neither = 0;
    for (u64 each : self.items(formula.variables)) {
      const u32 v = static_cast<u32>(each);
      u32 place = bias_one + 1;
      u32 chosen = 2 * v;
      if (magpie::ld_plain(&value[v]) == undecided && is_in_open_clause(v)) {
        const survey_product positive = surveys.product(2 * v);
        const survey_product negative = surveys.product(2 * v + 1);
        const double unit = common_unit(positive, negative);
        const double to_true = positive.complement() * negative.in_units(unit);
        const double to_false = negative.complement() * positive.in_units(unit);
        const double all = to_true + to_false + positive.in_units(0) * negative.in_units(unit);
        const double bias = all > 0 ? (to_true - to_false) / all : 0;
        const u32 size = static_cast<u32>(std::fabs(bias) * bias_one);
        place = bias_one - (size < bias_one ? size : bias_one);
        chosen += bias < 0 ? 1 : 0;
        ++open;
        sum += bias_one - place;
        neither += all > 0 ? 0 : 1;
      }
      magpie::st_plain(&key[v], place);
      magpie::st_plain(&literal[v], chosen);
    }
    add_up(self, &totals[open_variables], open);
    add_up(self, &totals[bias_sum], sum);
    add_up(self, &totals[false_surveys], neither);
  }

 private:
  MAGPIE_INLINE bool is_in_open_clause(u32 v) const {
    for (u32 place = formula.begin(2 * v); place < formula.end(2 * v + 1); ++place) {
      if (magpie::ld_plain(&left[formula.clause_at(place)]) != satisfied) return true;
    }
    return false;
  }
};
MAGPIE_KERNEL(rate_variables)

}  // namespace sat
