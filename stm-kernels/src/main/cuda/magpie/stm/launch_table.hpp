/// @file
/// The lines of a module's table that say what launches of regions share with the host: where it lies, and numbers that both
/// have to mean the same by.
///
/// Layer: stm, used by region.cuh; host only (g++). Fields of `control` and counters are found by the compiler, so that
/// each is listed where it is declared and nowhere else in C++. Numbers that are one by one are listed here.
#pragma once

#include "magpie/kernel.cuh"
#include "magpie/stm/detail/history.cuh"
#include "magpie/stm/detail/log.cuh"
#include "magpie/stm/detail/policy.cuh"
#include "magpie/stm/detail/pool.cuh"
#include "magpie/stm/guarded.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// Appends the line of a field that is no struct with members of its own.
MAGPIE_COLD inline void add_control_line(std::string& lines, const std::string& prefix, std::string_view name,
                                         std::size_t offset, std::size_t bytes, std::size_t elements) {
  add_line(lines, {"control", prefix + std::string(name), offset, bytes, elements});
}

/// `control <field, of a struct's member.field> <offset> <bytes of an element> <elements>` for each field of T, which lies
/// `base` bytes behind the control block's beginning.
template <class T>
MAGPIE_COLD std::string control_lines(std::size_t base = 0, const std::string& prefix = "") {
  std::string lines;
  const T object{};
  const auto fields = reflection::field_pointers(object);
  const auto line = [&]<std::size_t I>() {
    const auto* field = std::get<I>(fields);
    using field_type = std::remove_cvref_t<decltype(*field)>;
    const std::size_t offset = base + static_cast<std::size_t>(reinterpret_cast<const std::byte*>(field) -
                                                               reinterpret_cast<const std::byte*>(&object));
    constexpr std::string_view name = reflection::field_name<T, I>();
    if constexpr (!std::is_class_v<field_type>) {
      add_control_line(lines, prefix, name, offset, sizeof(field_type), 1);
    } else if constexpr (requires { field->of; }) {
      add_control_line(lines, prefix, name, offset, sizeof(field->of[0]), std::size(field->of));
    } else {
      lines += control_lines<field_type>(offset, prefix + std::string(name) + ".");
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) { (line.template operator()<I>(), ...); }
  (std::make_index_sequence<reflection::field_count<T>>());
  return lines;
}

/// `counter <name> <place> <words>` for each enumerator of `counter::place`.
MAGPIE_COLD inline std::string counter_lines() {
  std::string lines;
  [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
    static constexpr std::string_view names[] = {reflection::enumerator_name<static_cast<counter::place>(I)>()...};
    for (std::uint32_t first = 0, end = 1; first < counter::total; first = end++) {
      while (end < counter::total && names[end].empty()) ++end;
      if (!names[first].empty()) add_line(lines, {"counter", std::string(names[first]), first, end - first});
    }
  }
  (std::make_integer_sequence<std::uint32_t, counter::total>());
  return lines;
}

/// What holds for all policies, and for recordings.
MAGPIE_COLD inline std::string lines_of_regions() {
  std::string table;
  MAGPIE_SHARED_STRUCT(objects, MAGPIE_AT(words), MAGPIE_AT(count), MAGPIE_AT(policy));
  MAGPIE_SHARED_STRUCT(pool<0>, MAGPIE_AT(slots), MAGPIE_AT(recycled), MAGPIE_AT(first_fresh), MAGPIE_AT(capacity));
  MAGPIE_SHARED_STRUCT(history, MAGPIE_AT(entries), MAGPIE_AT(used), MAGPIE_AT(clock), MAGPIE_AT(origin),
                       MAGPIE_AT(capacity), MAGPIE_AT(threads), MAGPIE_AT(arrays), MAGPIE_AT(first_attempts),
                       MAGPIE_AT(sample), MAGPIE_AT(array), MAGPIE_AT(data), MAGPIE_AT(forced_retries),
                       MAGPIE_AT(noise_seed), MAGPIE_AT(given), MAGPIE_AT(given_ends));
  MAGPIE_SHARED_STRUCT(history_objects, MAGPIE_AT(words), MAGPIE_AT(stamps), MAGPIE_AT(count), MAGPIE_AT(first),
                       MAGPIE_AT(log2_stride));
  MAGPIE_SHARED_STRUCT(access_notes, MAGPIE_AT(memory), MAGPIE_AT(marks), MAGPIE_AT(ranges), MAGPIE_AT(noise));
  MAGPIE_SHARED_STRUCT(noted_memory, MAGPIE_AT(begin), MAGPIE_AT(bytes), MAGPIE_AT(first), MAGPIE_AT(stride),
                       MAGPIE_AT(datum));
  MAGPIE_SHARED_LINES(ended_by_commit, ended_by_cancel, ended_in_vain, cause::overflow, highest_rank, short_transaction,
                      paged_object_bytes, paged_write_bytes);
  MAGPIE_SHARED_LINES(access_kind::read, access_kind::write, access_kind::peek, access_kind::opened, access_kind::taken,
                      access_kind::freed, access_kind::pushed, access_kind::undone);
  MAGPIE_SHARED_LINES(record_format::header, record_format::data_bit, record_format::code_at,
                      record_format::accesses_at, record_format::write_bit, record_format::stamp_at,
                      record_format::kind_at, record_format::again_bit, record_format::line_at);
  MAGPIE_SHARED_LINES(access_notes::tallied, access_notes::atomic, seen::rolled_back_hook, seen::hints_in_hook);
  MAGPIE_SHARED_LINES(control::by_bits, control::linear_back_off, control::policys_back_off, counter::most_pools,
                      most_datum_bytes, objects::most_policies, objects::words_of_distance, history::max_arrays);
  return table;
}

/// Those of one policy; `thread_bytes` is that of transactions of 2 objects and 3 writes.
template <class Policy>
void add_lines_of_policy(std::string& table, const std::string& policy) {
  add_shared_lines(
      table, policy + "::",
      "tag, unclaimed, claim_bits, lock_bit, default_lanes, default_back_off, has_eager_attempts, "
      "default_eager_attempts, most_eager_objects, versions_apart, words_of_launch, has_descriptors, "
      "thread_bytes",
      {Policy::tag, Policy::unclaimed, Policy::claim_bits, Policy::lock_bit, Policy::default_lanes,
       Policy::default_back_off, Policy::has_eager_attempts, Policy::default_eager_attempts, Policy::most_eager_objects,
       Policy::versions_apart, Policy::words_of_launch, Policy::has_descriptors, Policy::thread_bytes(2, 3)});
}

/// Adds these lines to the module's table, once; also to that of a module of kernels alone, which may take objects.
[[maybe_unused]] inline const bool regions_are_told = [] {
  module_registry::instance().shared += lines_of_regions();
  return true;
}();

/// Tells where launches have their parameters and counters, once in a module, before its first region.
inline void add_launch_lines() {
  [[maybe_unused]] static const bool told = [] {
    module_registry::instance().table += control_lines<control>() + counter_lines();
    return true;
  }();
}

/// Tells what is of a policy, once in a module.
template <class Policy>
void add_policy_lines(const char* policy) {
  [[maybe_unused]] static const bool told = [&] {
    add_lines_of_policy<Policy>(module_registry::instance().shared, policy);
    return true;
  }();
}

}  // namespace stm

MAGPIE_NAMESPACE_END
