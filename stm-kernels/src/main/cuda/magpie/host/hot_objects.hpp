/// @file
/// Which objects a region's transactions met at, by the names of its fields: what the host makes of a launch's conflicts.
///
/// Layer: host, used by region_launch.hpp; without state. Conflicts are counted in builds with `MAGPIE_SAMPLE_CONFLICTS`; what
/// one is, and at what cost, stands in stm/detail/conflicts.cuh. Java's `RegionReport.hotObjects` is the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "magpie/stm/detail/objects.cuh"
#include "magpie/detail/field_table.hpp"

namespace magpie::host {

/// An object, and how often transactions met at it.
struct hot_object {
  /// What `array` is where the object is in none of the region's arrays; `index` is its tracking word's address then.
  static constexpr const char* unknown = "unknown";

  std::string array;  ///< the region's field, `member.field` in a struct; the first one of those with the same objects
  std::uint64_t index;
  std::uint64_t conflicts;
};

/// The conflicts of a launch, or of several.
struct conflict_counts {
  std::vector<hot_object> hot;  ///< those with most conflicts first, equal ones by array and index
  std::uint64_t lost = 0;       ///< conflicts of objects that the table had no room for

  std::uint64_t total() const {
    std::uint64_t sum = lost;
    for (const hot_object& each : hot) sum += each.conflicts;
    return sum;
  }
  /// Its part of all conflicts, those that were lost included.
  double share(const hot_object& of) const { return static_cast<double>(of.conflicts) / static_cast<double>(total()); }

  /// Adds those of another launch of the same region, whose arrays may have grown since.
  void add(const conflict_counts& more) {
    std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> sums;
    for (const std::vector<hot_object>* each : {&std::as_const(hot), &more.hot}) {
      for (const hot_object& one : *each) sums[{one.array, one.index}] += one.conflicts;
    }
    hot.clear();
    for (const auto& [object, conflicts] : sums) hot.push_back({object.first, object.second, conflicts});
    std::stable_sort(hot.begin(), hot.end(), [](const auto& a, const auto& b) { return a.conflicts > b.conflicts; });
    lost += more.lost;
  }
};

/// Calls `visit(name, argument)` for each argument among the fields of a region, those of its structs included.
template <class T, class Visit>
void for_each_named_argument(const T& region, Visit&& visit, const std::string& prefix = "") {
  const auto fields = reflection::field_pointers(region);
  const auto each = [&]<std::size_t I>() {
    const auto& field = *std::get<I>(fields);
    const std::string name = prefix + std::string(reflection::field_name<T, I>());
    if constexpr (reflection::is_argument<std::remove_cvref_t<decltype(field)>>) {
      visit(name, field);
    } else {
      for_each_named_argument(field, visit, name + ".");
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) { (each.template operator()<I>(), ...); }
  (std::make_index_sequence<reflection::field_count<T>>());
}

/// What a launch of `region` left in the words of its `conflict_table`.
template <class Region>
conflict_counts conflicts_of(const Region& region, const std::vector<std::uint64_t>& words) {
  conflict_counts counts;
  for (std::size_t slot = 1; slot + 1 < words.size(); slot += 2) {
    const std::uint64_t address = words[slot];
    if (address == 0) continue;
    hot_object found{hot_object::unknown, address, words[slot + 1]};
    bool known = false;
    for_each_named_argument(region, [&](const std::string& name, const auto& field) {
      using type = std::remove_cvref_t<decltype(field)>;
      if constexpr (stm::any_objects<type>) {
        constexpr std::uint32_t stride = stm::stride_of_objects<type>;
        const std::uint64_t distance = address - reinterpret_cast<std::uintptr_t>(field.words);
        if (known || distance / stride >= field.count) return;
        known = true;
        found.array = name;
        found.index = distance / stride;
      }
    });
    counts.hot.push_back(std::move(found));
  }
  counts.lost = words[0];
  counts.add({});  // sorts
  return counts;
}

}  // namespace magpie::host
