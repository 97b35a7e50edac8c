/// @file
/// Sweeps over the surveys of a formula, and what they say of its variables.
///
/// A survey, of an edge between clause a and literal l, is how probable it is that a warns l's variable to satisfy it, as all other
/// literals of a are warned to be false (Braunstein, Mezard and Zecchina, "Survey propagation: an algorithm for satisfiability",
/// Random Structures and Algorithms 27, 2005). A sweep computes all anew from those of the sweep before: what is read is not
/// written by the same launch, or phase of one, so surveys are the same whatever the order.
///
/// Cached products: `multiply_literals` multiplies (1 - survey) over the edges of each literal, those that are 0 counted
/// apart. A sweep divides the edge's own out of that, so that it costs O(edges + variables), not O(edges * degree); edges are
/// those of the open formula, variables all. A product of many factors can be less than any double, so it has an exponent of
/// its own; only the ratio of two products matters.
///
/// Surveys are those of the open formula, which `compaction.cuh` makes of what is left: nothing in it is decided.
///
/// Layer: algorithm. Participation: whole warps. Shared state: an edge's survey is written by the one lane that has its clause, a
/// literal's product by the one that has the literal; `changes` by maxima. A lane steps through the edges of its literal or clause
/// alone, so a launch takes as long as the longest list. Determinism: schedule_independent.
#pragma once

#include <cmath>
#include <cstring>

#include "compaction.cuh"
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

/// A product of numbers from 0 to 1, however many: `value` * 2^(-512 * scale), or 0 if some factor is.
struct scaled_product {
  double value = 1;  ///< at least 2^-512
  u32 scale = 0;
  u32 zeros = 0;  ///< factors that are 0

  static constexpr double step = 0x1p-512;

  /// By a number that is 0 or at least 2^-400.
  MAGPIE_INLINE void multiply(double factor) {
    if (factor == 0) {
      ++zeros;
      return;
    }
    value *= factor;
    if (value < step) {
      value *= 0x1p512;
      ++scale;
    }
  }

  MAGPIE_INLINE bool vanishes() const { return zeros != 0; }
};

/// What the warnings of a literal say of its variable, each up to the same factor.
struct verdict {
  double is_false;  ///< the literal is
  double is_true;
  double all;  ///< with that it is neither; 0 if it can be neither true nor false
};

/// Of the product over a literal's edges but for one of the factor `own`, which `same` includes, and of that over those of
/// the opposite literal. An `own` of 1 is none.
MAGPIE_INLINE verdict verdict_of(const scaled_product& same, double own, const scaled_product& opposite) {
  if (same.vanishes() && opposite.vanishes()) return {0, 0, 0};
  const u32 unit = same.vanishes()               ? opposite.scale
                   : opposite.vanishes()         ? same.scale
                   : same.scale < opposite.scale ? same.scale
                                                 : opposite.scale;
  const auto in_units = [&](const scaled_product& p) {
    if (p.vanishes() || p.scale > unit + 1) return 0.0;
    return p.scale == unit ? p.value : p.value * scaled_product::step;
  };
  const double s = in_units(same);
  const double o = in_units(opposite);
  const double opposite_less = opposite.vanishes() || opposite.scale != 0 ? 1 : 1 - opposite.value;
  double same_less = same.vanishes() || same.scale != 0 ? own : own - same.value;
  if (same_less < 0) same_less = 0;  // what rounding may leave where there is nothing else
  const double is_false = opposite_less * s;
  const double is_true = same_less * o;
  return {is_false, is_true, is_false + is_true + (unit == 0 ? s * o : 0.0)};
}

/// How a kernel reads what launches before it wrote, and no one else.
struct of_earlier_launches {
  template <class T>
  MAGPIE_INLINE static T load(const T* p) {
    return magpie::ld_plain(p);
  }
};

/// How a phase of a kernel reads what phases before it wrote: by no cache that only a launch's end empties.
struct of_earlier_phases {
  template <class T>
  MAGPIE_INLINE static T load(const T* p) {
    return magpie::ld_own(p);
  }
};

/// Surveys, and of each literal the product of (1 - survey) over its edges.
struct survey_view {
  array<double> survey;   ///< of each edge
  array<double> product;  ///< of each literal: the product's value; negative if `special` has more
  array<u32> special;     ///< of these: 4 * scale + zeros, of which 2 may be more

  template <class Written>
  MAGPIE_INLINE scaled_product product_of(u32 literal) const {
    return product_from<Written>(literal, Written::load(&product[literal]));
  }
  /// The same of a literal whose element of `product` is known.
  template <class Written>
  MAGPIE_INLINE scaled_product product_from(u32 literal, double value) const {
    if (value > 0) return {value, 0, 0};
    const u32 more = Written::load(&special[literal]);
    return {-value, more / 4, more % 4};
  }
};

/// How far the sweeps of a batch have come: sweep s leaves its largest change in `changes[s]`. Once that of one is below the
/// tolerance, the launches for those after it do nothing.
struct batch_of_sweeps {
  u32 sweep;         ///< from 1
  double tolerance;  ///< more than 0
  array<u64> changes;

  MAGPIE_INLINE bool is_over() const { return sweep > 1 && magpie::ld_plain(&changes[sweep - 1]) < bits_of(tolerance); }
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

/// The first half of a sweep: products over the edges of each literal, 1 where it has none.
template <class Written>
struct multiplication {
  open_formula formula;
  survey_view surveys;

  static constexpr u32 in_flight = 4;  ///< surveys that a lane loads at a time

  MAGPIE_INLINE void operator()(const thread& self) const {
    for (u64 l : self.items(u64{2} * formula.variables)) {
      const u32 literal = static_cast<u32>(l);
      scaled_product all;
      const u32 end = formula.end(literal);
      for (u32 place = formula.begin(literal); place < end; place += in_flight) {
        double s[in_flight];
        MAGPIE_UNROLL
        for (u32 i = 0; i < in_flight; ++i) {
          s[i] = place + i < end ? Written::load(&surveys.survey[formula.edge_at(place + i)]) : 0;
        }
        MAGPIE_UNROLL
        for (u32 i = 0; i < in_flight; ++i) all.multiply(1 - s[i]);
      }
      const u32 more = 4 * all.scale + (all.zeros < 2 ? all.zeros : 2);
      magpie::st_plain(&surveys.product[literal], more == 0 ? all.value : -all.value);
      if (more != 0) magpie::st_plain(&surveys.special[literal], more);
    }
  }
};

struct multiply_literals {
  open_formula formula;
  batch_of_sweeps batch;
  survey_view surveys;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (!batch.is_over()) multiplication<of_earlier_launches>{formula, surveys}(self);
  }
};
MAGPIE_KERNEL(multiply_literals)

/// The second half: the survey of each edge, the product of the warnings of the clause's other edges. A lane keeps the warnings
/// of a clause of at most `Kept` edges; those of longer ones are computed twice. `change` becomes the largest one, if that is more.
template <u32 Kept, class Written>
struct survey_update {
  open_formula formula;
  survey_view surveys;
  u64* change;

  MAGPIE_INLINE void operator()(const thread& self) const {
    double most = 0;
    for (u64 a : self.items(formula.clauses)) {
      const u32 first = formula.clause_begin(static_cast<u32>(a));
      const u32 length = formula.clause_end(static_cast<u32>(a)) - first;
      if (length <= Kept) {
        update_short(first, length, most);
      } else {
        update_long(first, length, most);
      }
    }
    const u64 largest = magpie::warp_reduce(self, bits_of(most), magpie::maximum<u64>{});
    if (self.lane() == 0 && largest != 0) magpie::red_max_rlx_dev(change, largest);
  }

 private:
  MAGPIE_INLINE void update_short(u32 first, u32 length, double& most) const {
    u32 literal[Kept];
    double survey[Kept];
    double same[Kept];
    double opposite[Kept];
    MAGPIE_UNROLL
    for (u32 i = 0; i < Kept; ++i) {
      literal[i] = i < length ? formula.literal(first + i) : 0;
      survey[i] = i < length ? magpie::ld_own(&surveys.survey[first + i]) : 0;
    }
    MAGPIE_UNROLL
    for (u32 i = 0; i < Kept; ++i) {  // all loads before what branches
      same[i] = i < length ? Written::load(&surveys.product[literal[i]]) : 1;
      opposite[i] = i < length ? Written::load(&surveys.product[literal[i] ^ 1u]) : 1;
    }
    double warned[Kept];
    MAGPIE_UNROLL
    for (u32 i = 0; i < Kept; ++i) {
      warned[i] = i < length ? warning(literal[i], survey[i], same[i], opposite[i]) : 1;
    }
    double after[Kept];  // the product of the warnings behind an edge
    after[Kept - 1] = 1;
    MAGPIE_UNROLL
    for (u32 i = Kept - 1; i > 0; --i) after[i - 1] = after[i] * warned[i];
    double before = 1;
    MAGPIE_UNROLL
    for (u32 i = 0; i < Kept; ++i) {
      if (i < length) replace(first + i, survey[i], before * after[i], most);
      before *= warned[i];
    }
  }

  MAGPIE_INLINE void update_long(u32 first, u32 length, double& most) const {
    scaled_product all;
    for (u32 i = 0; i < length; ++i) all.multiply(not_tiny(warning(first + i)));
    for (u32 i = 0; i < length; ++i) {
      const double own = not_tiny(warning(first + i));
      double others = all.zeros > (own == 0 ? 1u : 0u) || all.scale > 1 ? 0 : all.value / (own == 0 ? 1 : own);
      if (all.scale == 1) others *= scaled_product::step;
      replace(first + i, magpie::ld_own(&surveys.survey[first + i]), others < 1 ? others : 1, most);
    }
  }

  /// As factors of a product with an exponent: whatever is less makes it 0 in any case.
  MAGPIE_INLINE static double not_tiny(double warning) { return warning < 0x1p-400 ? 0 : warning; }

  MAGPIE_INLINE void replace(u32 edge, double old, double survey, double& most) const {
    const double change = std::fabs(survey - old);
    if (change > most) most = change;
    magpie::st_plain(&surveys.survey[edge], survey);
  }

  MAGPIE_INLINE double warning(u32 edge) const {
    const u32 l = formula.literal(edge);
    return warning(l, magpie::ld_own(&surveys.survey[edge]), Written::load(&surveys.product[l]),
                   Written::load(&surveys.product[l ^ 1u]));
  }

  /// How probable it is that a literal's variable is warned to make it false, by the clauses other than that of this survey; 0
  /// where it can be neither. The last two are elements of `product`.
  MAGPIE_INLINE double warning(u32 literal, double survey, double of_same, double of_opposite) const {
    scaled_product same = surveys.product_from<Written>(literal, of_same);
    const scaled_product opposite = surveys.product_from<Written>(literal ^ 1u, of_opposite);
    double own = 1 - survey;
    if (own == 0) {  // it is no part of the product's value
      --same.zeros;
      own = 1;
    }
    const verdict found = verdict_of(same, own, opposite);
    return found.all > 0 ? found.is_false / found.all : 0;
  }
};

template <u32 Kept>
struct update_surveys {
  open_formula formula;
  batch_of_sweeps batch;
  survey_view surveys;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (batch.is_over()) return;
    survey_update<Kept, of_earlier_launches>{formula, surveys, &batch.changes[batch.sweep]}(self);
  }
};
MAGPIE_KERNEL_AS(update_surveys_of_3, update_surveys<3>)
MAGPIE_KERNEL_AS(update_surveys_of_4, update_surveys<4>)
MAGPIE_KERNEL_AS(update_surveys_of_5, update_surveys<5>)
MAGPIE_KERNEL_AS(update_surveys_of_8, update_surveys<8>)

/// How biased variables are.
struct rating_view {
  array<u32>
      key;  ///< a key for sorting, the most biased first: bias_one less the bias; more for what is not to be decided
  array<u32> literal;  ///< of each variable the one that it is biased to
  array<u64> totals;
};

/// Rates each variable, by products of the surveys.
template <class Written>
struct rating_of_variables {
  open_formula formula;
  survey_view surveys;
  rating_view rated;

  MAGPIE_INLINE void operator()(const thread& self) const {
    u64 open = 0;
    u64 sum = 0;
    u64 neither = 0;
    for (u64 each : self.items(formula.variables)) {
      const u32 v = static_cast<u32>(each);
      u32 place = bias_one + 1;
      u32 chosen = 2 * v;
      if (formula.begin(2 * v) != formula.end(2 * v + 1)) {
        const verdict found = verdict_of(surveys.product_of<Written>(2 * v), 1, surveys.product_of<Written>(2 * v + 1));
        const double bias = found.all > 0 ? (found.is_true - found.is_false) / found.all : 0;
        const u32 size = static_cast<u32>(std::fabs(bias) * bias_one);
        place = bias_one - (size < bias_one ? size : bias_one);
        chosen += bias < 0 ? 1 : 0;
        ++open;
        sum += bias_one - place;
        neither += found.all > 0 ? 0 : 1;
      }
      magpie::st_plain(&rated.key[v], place);
      magpie::st_plain(&rated.literal[v], chosen);
    }
    add_up(self, &rated.totals[open_variables], open);
    add_up(self, &rated.totals[bias_sum], sum);
    add_up(self, &rated.totals[false_surveys], neither);
  }
};

struct rate_variables {
  open_formula formula;
  survey_view surveys;
  rating_view rated;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    rating_of_variables<of_earlier_launches>{formula, surveys, rated}(self);
  }
};
MAGPIE_KERNEL(rate_variables)

/// Sweeps until no survey changes by as much as the tolerance, and rates what the last sweep has left: what the kernels above do, in
/// one launch whose threads meet after each of their phases.
///
/// Sweep s leaves its largest change in `changes[s % 3]`, which is 0 by then: all have read that of s - 3 before anyone comes to
/// sweep s - 1, in whose first half it is cleared. `totals[sweeps]` becomes the number of sweeps, `totals[unconverged]` 1 if
/// that did not suffice.
template <u32 Kept>
struct converge_surveys {
  static constexpr bool meets_grid = true;

  open_formula formula;
  survey_view surveys;
  rating_view rated;
  u32 most;
  double tolerance;    ///< more than 0
  array<u64> changes;  ///< 3, of 0
  array<u32> arrived;  ///< a word of 0

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const multiplication<of_earlier_phases> multiply{formula, surveys};
    u32 due = 0;
    u32 sweep = 0;
    bool converged = false;
    while (!converged && sweep < most) {
      u64* const change = &changes[++sweep % 3];
      multiply(self);
      if (self.rank() == 0) magpie::st_rlx_dev(&changes[(sweep + 1) % 3], 0);
      magpie::grid_barrier::wait(self, &arrived[0], due);
      survey_update<Kept, of_earlier_phases>{formula, surveys, change}(self);
      magpie::grid_barrier::wait(self, &arrived[0], due);
      converged = magpie::ld_rlx_dev(change) < bits_of(tolerance);
    }
    multiply(self);
    magpie::grid_barrier::wait(self, &arrived[0], due);
    rating_of_variables<of_earlier_phases>{formula, surveys, rated}(self);
    if (self.rank() == 0) {
      magpie::st_rlx_dev(&rated.totals[sweeps], sweep);
      magpie::st_rlx_dev(&rated.totals[unconverged], converged ? 0 : 1);
    }
  }
};
MAGPIE_KERNEL_AS(converge_surveys_of_3, converge_surveys<3>)
MAGPIE_KERNEL_AS(converge_surveys_of_4, converge_surveys<4>)
MAGPIE_KERNEL_AS(converge_surveys_of_5, converge_surveys<5>)
MAGPIE_KERNEL_AS(converge_surveys_of_8, converge_surveys<8>)

}  // namespace sat
