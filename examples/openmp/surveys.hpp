/// @file
/// Survey propagation, algorithm 6 of the study, by the formulas of Braunstein, Mezard and Zecchina (2005): surveys are
/// computed until they change no more, the most biased variables are fixed, and what is left without a bias, or does not
/// converge, goes to a simple solver, WalkSAT.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "files.hpp"
#include "team.hpp"

namespace baseline {

struct survey_options {
  std::uint64_t seed = 1;
  double tolerance = 0.01;     ///< surveys that change by less have converged
  int sweeps = 1000;           ///< at most, until they have to
  double fraction = 0.01;      ///< of the variables left that are fixed at a time
  double paramagnetic = 0.01;  ///< a mean bias below it says nothing
  int flips_per_variable = 200;
  double noise = 0.5;  ///< how often WalkSAT takes any variable of a clause
};

enum class survey_outcome { solved, contradiction, unconverged, paramagnetic };

/// A product of many numbers from 0 to 1, which may be less than any double but 0.
class tiny {
 public:
  void times(double factor) { times(factor, 0); }
  void times(const tiny& other) { times(other.fraction_, other.exponent_); }
  double value() const { return over(0); }
  std::int64_t exponent() const { return fraction_ == 0 ? std::numeric_limits<std::int64_t>::min() / 2 : exponent_; }
  /// Divided by a power of 2.
  double over(std::int64_t exponent) const {
    if (fraction_ == 0 || exponent_ == exponent) return fraction_;
    return std::ldexp(fraction_, static_cast<int>(std::max<std::int64_t>(exponent_ - exponent, -10'000)));
  }

 private:
  static constexpr int step = 400;
  double fraction_ = 1;
  std::int64_t exponent_ = 0;

  void times(double fraction, std::int64_t exponent) {
    fraction_ *= fraction;
    exponent_ += exponent;
    if (fraction_ < 0x1p-400 && fraction_ > 0) {
      fraction_ *= 0x1p400;
      exponent_ -= step;
    }
  }
};

/// Sorts by tasks of one parallel region.
template <class Iterator, class Less>
void sort_by_tasks(Iterator begin, Iterator end, Less less) {
  if (end - begin < 1 << 13) {
    std::sort(begin, end, less);
    return;
  }
  const Iterator middle = begin + (end - begin) / 2;
#pragma omp task
  sort_by_tasks(begin, middle, less);
  sort_by_tasks(middle, end, less);
#pragma omp taskwait
  std::inplace_merge(begin, middle, end, less);
}

class survey_propagation {
 public:
  survey_propagation(const formula& given, const survey_options& options, int grain)
      : options_(options), grain_(grain), values_(static_cast<std::size_t>(given.variables), 0), random_(options.seed) {
    simplify(given);
    list_occurrences();
  }

  survey_outcome run() {
    if (!propagate({})) {
      unsatisfiable_ = true;
      return survey_outcome::contradiction;
    }
    std::uniform_real_distribution<double> any(0, 1);
    for (double& survey : surveys_) survey = any(random_);
    while (true) {
      list_what_is_left();
      if (clauses_left_.empty()) return finish();
      if (!converge()) return search() ? finish() : survey_outcome::unconverged;
      auto [list, sum] = biased();
      if (std::isnan(sum)) return survey_outcome::contradiction;
      if (sum / static_cast<double>(list.size()) < options_.paramagnetic) {
        return search() ? finish() : survey_outcome::paramagnetic;
      }
      const auto count =
          std::max<std::size_t>(1, static_cast<std::size_t>(options_.fraction * static_cast<double>(list.size())));
      std::vector<std::int32_t> fixed;
      for (std::size_t i = 0; i < count; ++i) fixed.push_back(list[i].second);
      ++decimations_;
      if (!propagate(fixed)) return survey_outcome::contradiction;
    }
  }

  /// Of a solved formula 1 or -1 for each variable.
  const std::vector<std::int8_t>& values() const { return values_; }
  /// Whether unit clauses alone contradict each other.
  bool unsatisfiable() const { return unsatisfiable_; }
  std::int64_t decimations() const { return decimations_; }
  std::int64_t sweeps() const { return sweeps_; }

 private:
  const survey_options options_;
  const int grain_;
  std::vector<std::int32_t> offsets_{0};  ///< of clauses
  std::vector<std::int32_t> literals_;    ///< an edge of the factor graph each
  std::vector<std::int32_t> clause_of_;
  std::vector<std::int32_t> places_;  ///< of each literal where its edges begin in `edges_`
  std::vector<std::int32_t> edges_;
  std::vector<std::int8_t> values_;  ///< of variables; 0: not fixed
  std::vector<std::int32_t> free_;   ///< of each clause the literals without a value
  std::vector<char> open_;           ///< whether a clause is not satisfied yet
  std::vector<double> surveys_;      ///< of each edge
  std::vector<double> next_;
  std::vector<double> pi_;  ///< how probable it is that other clauses want the edge's literal to be false
  std::vector<std::int32_t> clauses_left_;
  std::vector<std::int32_t> variables_left_;
  std::mt19937_64 random_;
  bool unsatisfiable_ = false;
  std::int64_t decimations_ = 0;
  std::int64_t sweeps_ = 0;

  std::int32_t clauses() const { return static_cast<std::int32_t>(offsets_.size()) - 1; }
  bool is_free(std::int32_t literal) const { return values_[literal >> 1] == 0; }
  bool is_true(std::int32_t literal) const { return values_[literal >> 1] == ((literal & 1) == 0 ? 1 : -1); }

  /// Takes each literal of a clause once, and no clause with a variable and its negation.
  void simplify(const formula& given) {
    for (std::int32_t c = 0; c < given.clauses(); ++c) {
      std::vector<std::int32_t> clause(given.literals.begin() + given.offsets[c],
                                       given.literals.begin() + given.offsets[c + 1]);
      std::sort(clause.begin(), clause.end());
      clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
      const auto both = std::adjacent_find(clause.begin(), clause.end(), [](auto a, auto b) { return (a ^ b) == 1; });
      if (both != clause.end()) continue;
      literals_.insert(literals_.end(), clause.begin(), clause.end());
      offsets_.push_back(static_cast<std::int32_t>(literals_.size()));
    }
  }

  void list_occurrences() {
    clause_of_.resize(literals_.size());
    places_.assign(2 * values_.size() + 1, 0);
    for (const std::int32_t literal : literals_) ++places_[literal + 1];
    std::partial_sum(places_.begin(), places_.end(), places_.begin());
    std::vector<std::int32_t> next(places_.begin(), places_.end() - 1);
    edges_.resize(literals_.size());
    free_.resize(static_cast<std::size_t>(clauses()));
    open_.assign(static_cast<std::size_t>(clauses()), 1);
    for (std::int32_t c = 0; c < clauses(); ++c) {
      free_[c] = offsets_[c + 1] - offsets_[c];
      for (std::int32_t e = offsets_[c]; e < offsets_[c + 1]; ++e) {
        clause_of_[e] = c;
        edges_[next[literals_[e]]++] = e;
      }
    }
    surveys_.resize(literals_.size());
    next_.resize(literals_.size());
    pi_.resize(literals_.size());
  }

  /// Makes literals true, and the last ones of clauses where all others are false; false if that is a contradiction.
  bool propagate(const std::vector<std::int32_t>& literals) {
    std::deque<std::int32_t> queue(literals.begin(), literals.end());
    const auto follow = [&](std::int32_t c) {
      for (std::int32_t e = offsets_[c]; e < offsets_[c + 1]; ++e) {
        if (is_free(literals_[e])) queue.push_back(literals_[e]);
      }
    };
    if (literals.empty()) {
      for (std::int32_t c = 0; c < clauses(); ++c) {
        if (free_[c] == 0) return false;
        if (free_[c] == 1) follow(c);
      }
    }
    for (; !queue.empty(); queue.pop_front()) {
      const std::int32_t literal = queue.front();
      if (is_true(literal)) continue;
      if (!is_free(literal)) return false;
      values_[literal >> 1] = (literal & 1) == 0 ? 1 : -1;
      for (std::int32_t i = places_[literal]; i < places_[literal + 1]; ++i) open_[clause_of_[edges_[i]]] = 0;
      const std::int32_t negation = literal ^ 1;
      for (std::int32_t i = places_[negation]; i < places_[negation + 1]; ++i) {
        const std::int32_t c = clause_of_[edges_[i]];
        if (!open_[c]) continue;
        --free_[c];
        if (free_[c] == 0) return false;
        if (free_[c] == 1) follow(c);
      }
    }
    return true;
  }

  void list_what_is_left() {
    clauses_left_.clear();
    variables_left_.clear();
    for (std::int32_t c = 0; c < clauses(); ++c) {
      if (open_[c]) clauses_left_.push_back(c);
    }
    for (std::int32_t v = 0; v < static_cast<std::int32_t>(values_.size()); ++v) {
      const auto is_open = [&](std::int32_t e) { return open_[clause_of_[e]] != 0; };
      if (values_[v] == 0 &&
          std::any_of(edges_.begin() + places_[2 * v], edges_.begin() + places_[2 * v + 2], is_open)) {
        variables_left_.push_back(v);
      }
    }
  }

  /// That no open clause with this literal warns its variable to make it true.
  tiny silence(std::int32_t literal) const {
    tiny product;
    for (std::int32_t i = places_[literal]; i < places_[literal + 1]; ++i) {
      if (open_[clause_of_[edges_[i]]]) product.times(1 - surveys_[edges_[i]]);
    }
    return product;
  }

  bool converge() {
    for (int sweep = 0; sweep < options_.sweeps; ++sweep) {
      ++sweeps_;
#pragma omp parallel
      {
        std::vector<tiny> behind;
#pragma omp for schedule(dynamic, grain_)
        for (std::size_t i = 0; i < variables_left_.size(); ++i) {
          const std::int32_t v = variables_left_[i];
          const tiny whole[2] = {silence(2 * v), silence(2 * v + 1)};
          warn(2 * v, whole[1], behind);
          warn(2 * v + 1, whole[0], behind);
        }
      }
      double change = 0;
#pragma omp parallel for schedule(dynamic, grain_) reduction(max : change)
      for (std::size_t i = 0; i < clauses_left_.size(); ++i) change = std::max(change, survey(clauses_left_[i]));
      surveys_.swap(next_);
      if (change < options_.tolerance) return true;
    }
    return false;
  }

  /// Sets pi of a literal's edges, from the product over the other clauses that have it, and that over those which have its
  /// negation. Products of the others are made of those before and those behind, as division by 0 would not do.
  void warn(std::int32_t literal, const tiny& opposite, std::vector<tiny>& behind) {
    const std::int32_t begin = places_[literal];
    const std::int32_t count = places_[literal + 1] - begin;
    behind.assign(static_cast<std::size_t>(count) + 1, {});
    for (std::int32_t i = count - 1; i >= 0; --i) {
      behind[i] = behind[i + 1];
      const std::int32_t e = edges_[begin + i];
      if (open_[clause_of_[e]]) behind[i].times(1 - surveys_[e]);
    }
    tiny before;
    for (std::int32_t i = 0; i < count; ++i) {
      const std::int32_t e = edges_[begin + i];
      if (!open_[clause_of_[e]]) continue;
      tiny same = before;
      same.times(behind[i + 1]);
      before.times(1 - surveys_[e]);
      const std::int64_t unit = std::max(same.exponent(), opposite.exponent());
      const double is_false = (1 - opposite.value()) * same.over(unit);
      const double is_true = (1 - same.value()) * opposite.over(unit);
      const double neither = same.value() * opposite.over(unit);
      const double sum = is_false + is_true + neither;
      pi_[e] = sum > 0 ? is_false / sum : 0;
    }
  }

  /// Computes the next surveys of a clause; gives the largest change.
  double survey(std::int32_t clause) {
    double product = 1;
    for (std::int32_t e = offsets_[clause]; e < offsets_[clause + 1]; ++e) {
      if (!is_free(literals_[e])) continue;
      next_[e] = product;
      product *= pi_[e];
    }
    product = 1;
    double change = 0;
    for (std::int32_t e = offsets_[clause + 1] - 1; e >= offsets_[clause]; --e) {
      if (!is_free(literals_[e])) continue;
      next_[e] *= product;
      product *= pi_[e];
      change = std::max(change, std::fabs(next_[e] - surveys_[e]));
    }
    return change;
  }

  /// The literals that surveys are for, the most biased first, and the sum of all biases; not a number if a variable can be
  /// neither true nor false.
  std::pair<std::vector<std::pair<double, std::int32_t>>, double> biased() {
    shared_list<std::pair<double, std::int32_t>> list;
    double sum = 0;
#pragma omp parallel for schedule(dynamic, grain_) reduction(+ : sum)
    for (std::size_t i = 0; i < variables_left_.size(); ++i) {
      const std::int32_t v = variables_left_[i];
      const tiny positive = silence(2 * v);
      const tiny negative = silence(2 * v + 1);
      const std::int64_t unit = std::max(positive.exponent(), negative.exponent());
      const double to_true = (1 - positive.value()) * negative.over(unit);
      const double to_false = (1 - negative.value()) * positive.over(unit);
      const double neither = positive.value() * negative.over(unit);
      const double bias = (to_true - to_false) / (to_true + to_false + neither);
      sum += std::fabs(bias);
      list.push({std::fabs(bias), bias < 0 ? 2 * v + 1 : 2 * v});
    }
    auto all = list.take();
    if (!std::isnan(sum)) {
#pragma omp parallel
#pragma omp single
      sort_by_tasks(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
      });
    }
    return {std::move(all), sum};
  }

  /// Variables that are in no open clause may have any value.
  survey_outcome finish() {
    for (std::int8_t& value : values_) {
      if (value == 0) value = 1;
    }
    return survey_outcome::solved;
  }

  /// WalkSAT on what is left, by one thread; the variables keep the values that solve it, or have none again.
  bool search() {
    for (const std::int32_t v : variables_left_) values_[v] = (random_() & 1) != 0 ? 1 : -1;
    std::vector<std::int32_t> truths(open_.size(), 0), place(open_.size(), 0), unsatisfied;
    const auto add = [&](std::int32_t c) {
      place[c] = static_cast<std::int32_t>(unsatisfied.size());
      unsatisfied.push_back(c);
    };
    for (const std::int32_t c : clauses_left_) {
      for (std::int32_t e = offsets_[c]; e < offsets_[c + 1]; ++e) truths[c] += is_true(literals_[e]);
      if (truths[c] == 0) add(c);
    }
    std::vector<char> left(values_.size(), 0);
    for (const std::int32_t v : variables_left_) left[v] = 1;
    std::vector<std::int32_t> candidates;
    const auto most = static_cast<std::uint64_t>(variables_left_.size()) * options_.flips_per_variable;
    for (std::uint64_t flip = 0; flip < most && !unsatisfied.empty(); ++flip) {
      const std::int32_t clause = unsatisfied[random_() % unsatisfied.size()];
      candidates.clear();
      for (std::int32_t e = offsets_[clause]; e < offsets_[clause + 1]; ++e) {
        if (left[literals_[e] >> 1]) candidates.push_back(literals_[e]);
      }
      const std::int32_t literal = chosen(candidates, truths);
      values_[literal >> 1] = static_cast<std::int8_t>(-values_[literal >> 1]);
      for (std::int32_t i = places_[literal]; i < places_[literal + 1]; ++i) {
        const std::int32_t c = clause_of_[edges_[i]];
        if (open_[c] && truths[c]++ == 0) {
          const std::int32_t last = unsatisfied.back();
          unsatisfied[place[c]] = last;
          place[last] = place[c];
          unsatisfied.pop_back();
        }
      }
      for (std::int32_t i = places_[literal ^ 1]; i < places_[(literal ^ 1) + 1]; ++i) {
        const std::int32_t c = clause_of_[edges_[i]];
        if (open_[c] && --truths[c] == 0) add(c);
      }
    }
    if (unsatisfied.empty()) return true;
    for (const std::int32_t v : variables_left_) values_[v] = 0;
    return false;
  }

  /// The false literal that is to become true: one that no clause misses, or any, or the one that the fewest miss.
  std::int32_t chosen(const std::vector<std::int32_t>& candidates, const std::vector<std::int32_t>& truths) {
    std::int32_t best = -1;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const std::int32_t literal : candidates) {
      std::int64_t broken = 0;
      for (std::int32_t i = places_[literal ^ 1]; i < places_[(literal ^ 1) + 1]; ++i) {
        const std::int32_t c = clause_of_[edges_[i]];
        broken += open_[c] && truths[c] == 1;
      }
      if (broken < least) {
        least = broken;
        best = literal;
      }
    }
    const bool any = least > 0 && std::uniform_real_distribution<double>(0, 1)(random_) < options_.noise;
    return any ? candidates[random_() % candidates.size()] : best;
  }
};

}  // namespace baseline
