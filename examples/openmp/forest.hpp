/// @file
/// Minimum spanning forests by Boruvka's method, algorithm 5 of the study: in each round the lightest edge that leaves a
/// component unites it with its partner, the smaller one going into the larger one under the locks of both.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "files.hpp"
#include "team.hpp"

namespace baseline {

/// The study assumes that weights differ; here the number of an edge's arc decides among equal ones. An edge is the arc from
/// its smaller end. In the listing every round begins with components of one vertex again; that would undo all merges.
template <class Weights>
class boruvka {
 public:
  boruvka(const graph& g, const Weights& weight, bool maximum, int grain)
      : g_(g),
        weight_(weight),
        maximum_(maximum),
        grain_(grain),
        n_(static_cast<std::size_t>(g.vertices())),
        element_(n_),
        lightest_(n_),
        component_(n_),
        parent_(n_),
        size_(n_, 1),
        locks_(n_) {
    std::iota(component_.begin(), component_.end(), 0);
    parent_ = component_;
  }

  struct forest {
    std::vector<std::int32_t> arcs;  ///< ascending
    std::int64_t rounds;
  };

  forest run() {
    forest found{{}, 0};
    while (true) {
      ++found.rounds;
      const std::vector<std::int32_t> united = round();
      if (united.empty()) break;
      found.arcs.insert(found.arcs.end(), united.begin(), united.end());
    }
    std::sort(found.arcs.begin(), found.arcs.end());
    return found;
  }

 private:
  static constexpr std::int32_t none = -1;

  const graph& g_;
  const Weights& weight_;
  const bool maximum_;
  const int grain_;
  const std::size_t n_;
  std::vector<std::int32_t> element_;    ///< Elem_wt: of each vertex the lightest edge that leaves its component
  std::vector<std::int32_t> lightest_;   ///< Comp_wt: the same of each component
  std::vector<std::int32_t> component_;  ///< Comp_to_elem, as a round begins
  std::vector<std::int32_t> parent_;     ///< trees: the root is the component
  std::vector<std::int32_t> size_;       ///< vertices of each component; its lock's
  std::vector<spin_lock> locks_;

  bool lighter(std::int32_t a, std::int32_t b) const {
    if (a == none || b == none) return a != none;
    if (weight_[a] != weight_[b]) return (weight_[a] < weight_[b]) != maximum_;
    return a < b;
  }

  void lower(std::int32_t& place, std::int32_t offer) const {
    std::atomic_ref word(place);
    std::int32_t held = word.load(std::memory_order_relaxed);
    while (lighter(offer, held) && !word.compare_exchange_weak(held, offer, std::memory_order_relaxed)) {
    }
  }

  /// The arcs by which components were united.
  std::vector<std::int32_t> round() {
#pragma omp parallel for schedule(static)
    for (std::size_t v = 0; v < n_; ++v) element_[v] = lightest_[v] = none;

      // Each edge once, for both of its ends.
#pragma omp parallel for schedule(dynamic, grain_)
    for (std::size_t v = 0; v < n_; ++v) {
      std::int32_t least = none;
      for (std::int32_t a = g_.offsets[v]; a < g_.offsets[v + 1]; ++a) {
        const std::int32_t w = g_.neighbors[a];
        if (w <= static_cast<std::int32_t>(v) || component_[w] == component_[v]) continue;
        if (lighter(a, least)) least = a;
        lower(element_[w], a);
      }
      lower(element_[v], least);
    }
#pragma omp parallel for schedule(dynamic, grain_)
    for (std::size_t v = 0; v < n_; ++v) lower(lightest_[component_[v]], element_[v]);

    // Of two components that choose one edge, the smaller number unites them.
    shared_list<std::int32_t> representatives;
#pragma omp parallel for schedule(dynamic, grain_)
    for (std::size_t v = 0; v < n_; ++v) {
      const std::int32_t edge = element_[v];
      if (edge == none || edge != lightest_[component_[v]]) continue;
      const std::int32_t partner = component_[other_end(edge, static_cast<std::int32_t>(v))];
      if (lightest_[partner] != edge || component_[v] < partner) representatives.push(static_cast<std::int32_t>(v));
    }

    const std::vector<std::int32_t> process = representatives.take();
    shared_list<std::int32_t> united;
#pragma omp parallel for schedule(dynamic, grain_)
    for (std::size_t i = 0; i < process.size(); ++i) {
      const std::int32_t edge = element_[process[i]];
      if (unite(process[i], other_end(edge, process[i]))) united.push(edge);
    }

#pragma omp parallel for schedule(dynamic, grain_)
    for (std::size_t v = 0; v < n_; ++v) {
      component_[v] = root(static_cast<std::int32_t>(v));
      store(parent_[v], component_[v]);  // others may walk through v: all that it ever has are its ancestors
    }
    return united.take();
  }

  std::int32_t other_end(std::int32_t arc, std::int32_t v) const {
    if (g_.neighbors[arc] != v) return g_.neighbors[arc];
    return static_cast<std::int32_t>(std::upper_bound(g_.offsets.begin(), g_.offsets.end(), arc) - g_.offsets.begin()) -
           1;
  }

  std::int32_t root(std::int32_t v) const {
    while (true) {
      const std::int32_t up = std::atomic_ref(const_cast<std::int32_t&>(parent_[v])).load(std::memory_order_acquire);
      if (up == v) return v;
      v = up;
    }
  }

  /// Unites the components of two vertices; false if they are one.
  bool unite(std::int32_t one, std::int32_t other) {
    while (true) {
      std::int32_t a = root(one);
      std::int32_t b = root(other);
      if (a == b) return false;
      if (b < a) std::swap(a, b);
      const std::lock_guard first(locks_[a]);  // in one order, so that nobody waits in a circle
      const std::lock_guard second(locks_[b]);
      // Whoever put one under another component had locked both.
      if (load(parent_[a]) != a || load(parent_[b]) != b) continue;
      const std::int32_t larger = size_[a] >= size_[b] ? a : b;
      const std::int32_t smaller = larger == a ? b : a;
      size_[larger] += size_[smaller];
      std::atomic_ref(parent_[smaller]).store(larger, std::memory_order_release);
      return true;
    }
  }
};

}  // namespace baseline
