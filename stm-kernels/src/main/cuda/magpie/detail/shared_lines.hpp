/// @file
/// The lines of a module's table by which a host that is not compiled with these headers knows what launches share with it: where
/// members of structs lie that it fills or reads, and numbers that both have to mean the same by.
///
/// Layer: kernel, used by kernel.cuh, and by stm/launch_table.hpp for what only launches of regions share; host only (g++).
/// Lists are constants, which the compiler checks and counts out; names are those in the source. What a host needs more is added
/// to the list here, and looked up by its name there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "magpie/detail/table_line.hpp"
#include "magpie/platform/array.cuh"
#include "magpie/platform/launch_args.hpp"
#include "magpie/platform/trace_event.hpp"

/// A member of the struct that is called `shared_struct` where this stands.
#define MAGPIE_AT(name) \
  ::magpie::shared_member { #name, offsetof(shared_struct, name), sizeof(::std::declval <shared_struct&>().name) }

/// Appends `shared <name> <number>` to the string `table` for each of these constants or enumerators.
#define MAGPIE_SHARED_LINES(...) ::magpie::add_shared_lines(table, "", #__VA_ARGS__, {__VA_ARGS__})

MAGPIE_NAMESPACE_BEGIN

/// A number or an enumerator of any type.
struct shared_number {
  template <class T>
  constexpr shared_number(T value) : number(static_cast<std::int64_t>(value)) {}
  std::int64_t number;
};

/// Appends `shared <scope><name> <number>` for each; `names` has commas and spaces between them.
MAGPIE_COLD inline void add_shared_lines(std::string& table, std::string_view scope, std::string_view names,
                                         std::initializer_list<shared_number> numbers) {
  std::size_t at = 0;
  for (const shared_number& each : numbers) {
    at = names.find_first_not_of(", \n", at);
    const std::size_t comma = names.find(',', at);
    const std::size_t end = comma == std::string_view::npos ? names.size() : comma;
    add_line(table, {"shared", std::string(scope).append(names.substr(at, end - at)), each.number});
    at = end;
  }
}

struct shared_member {
  const char* name;
  std::size_t offset;
  std::size_t bytes;
};

/// Appends `shared sizeof(<struct>) <bytes>`, and `member <struct>.<member> <offset> <bytes>` for each.
MAGPIE_COLD inline void add_struct_lines(std::string& table, const std::string& type, std::size_t bytes,
                                         std::initializer_list<shared_member> members) {
  add_line(table, {"shared", "sizeof(" + type + ")", bytes});
  for (const shared_member& each : members)
    add_line(table, {"member", type + "." + each.name, each.offset, each.bytes});
}

/// Appends the lines of a struct, whose members are listed by `MAGPIE_AT`, to the string `table`.
#define MAGPIE_SHARED_STRUCT(type, ...)                                    \
  do {                                                                     \
    using shared_struct = type;                                            \
    ::magpie::add_struct_lines(table, #type, sizeof(type), {__VA_ARGS__}); \
  } while (false)

/// What every launch shares with its host.
MAGPIE_COLD inline std::string lines_of_launches() {
  std::string table;
  MAGPIE_SHARED_STRUCT(array<std::byte>, MAGPIE_AT(data), MAGPIE_AT(length));
  MAGPIE_SHARED_STRUCT(magpie_launch_args, MAGPIE_AT(threads), MAGPIE_AT(first), MAGPIE_AT(last), MAGPIE_AT(seed),
                       MAGPIE_AT(max_steps), MAGPIE_AT(width), MAGPIE_AT(helps), MAGPIE_AT(simulation),
                       MAGPIE_AT(grid));
  MAGPIE_SHARED_STRUCT(magpie_shared_grid, MAGPIE_AT(taken), MAGPIE_AT(threads), MAGPIE_AT(most_helpers),
                       MAGPIE_AT(ended), MAGPIE_AT(helpers));
  MAGPIE_SHARED_STRUCT(magpie_simulation, MAGPIE_AT(schedule), MAGPIE_AT(memory), MAGPIE_AT(seed), MAGPIE_AT(depth),
                       MAGPIE_AT(lasso), MAGPIE_AT(length), MAGPIE_AT(choices), MAGPIE_AT(choice_count),
                       MAGPIE_AT(stopped), MAGPIE_AT(taken), MAGPIE_AT(taken_capacity), MAGPIE_AT(taken_count),
                       MAGPIE_AT(steps), MAGPIE_AT(switches), MAGPIE_AT(trace), MAGPIE_AT(lasso_begin),
                       MAGPIE_AT(lasso_end), MAGPIE_AT(visits), MAGPIE_AT(visit_capacity), MAGPIE_AT(visit_count),
                       MAGPIE_AT(counts), MAGPIE_AT(accesses), MAGPIE_AT(search), MAGPIE_AT(fine));
  MAGPIE_SHARED_STRUCT(magpie_choice, MAGPIE_AT(step), MAGPIE_AT(thread), MAGPIE_AT(version));
  MAGPIE_SHARED_STRUCT(magpie_visit, MAGPIE_AT(state), MAGPIE_AT(thread));
  MAGPIE_SHARED_STRUCT(magpie_access_counts, MAGPIE_AT(launches), MAGPIE_AT(work), MAGPIE_AT(span),
                       MAGPIE_AT(transfers));
  MAGPIE_SHARED_STRUCT(magpie_search, MAGPIE_AT(steps), MAGPIE_AT(capacity), MAGPIE_AT(count), MAGPIE_AT(asleep),
                       MAGPIE_AT(asleep_count), MAGPIE_AT(asleep_from), MAGPIE_AT(most_pauses));
  MAGPIE_SHARED_STRUCT(magpie_step, MAGPIE_AT(address), MAGPIE_AT(thread), MAGPIE_AT(bytes), MAGPIE_AT(kind));
  MAGPIE_SHARED_STRUCT(magpie_trace, MAGPIE_AT(ranges), MAGPIE_AT(range_count), MAGPIE_AT(events), MAGPIE_AT(capacity),
                       MAGPIE_AT(count), MAGPIE_AT(forced_retries), MAGPIE_AT(forced_inner));
  MAGPIE_SHARED_STRUCT(magpie_range, MAGPIE_AT(begin), MAGPIE_AT(end), MAGPIE_AT(stride), MAGPIE_AT(datum));
  MAGPIE_SHARED_STRUCT(magpie_event, MAGPIE_AT(address), MAGPIE_AT(value), MAGPIE_AT(object), MAGPIE_AT(place),
                       MAGPIE_AT(item), MAGPIE_AT(attempt), MAGPIE_AT(thread), MAGPIE_AT(kind), MAGPIE_AT(bytes),
                       MAGPIE_AT(writes));
  MAGPIE_SHARED_LINES(launch_ok, launch_bounds_fault, launch_missing_lanes, launch_no_progress, launch_unknown_kernel,
                      launch_lasso, launch_thread_stopped, launch_access_fault, launch_misuse, launch_processor_fault,
                      launch_interrupted, launch_asleep, launch_cut, launch_too_long, launch_stuck);
  MAGPIE_SHARED_LINES(schedule_explicit, schedule_round_robin, schedule_random_walk, schedule_pct, schedule_lock_step,
                      schedule_ordered, memory_sequential, memory_weak, magpie_choice::by_default);
  MAGPIE_SHARED_LINES(step_local, step_pause, step_load, step_store, step_update, step_look, step_add, step_and,
                      step_or, step_min, step_max, step_begin, step_end, step_order, step_met);
  MAGPIE_SHARED_LINES(in_body, in_apply, in_committed, in_rolled_back, in_seek, in_irrevocable);
  MAGPIE_SHARED_LINES(trace_event::begin, trace_event::phase, trace_event::opened, trace_event::locked,
                      trace_event::canceled, trace_event::end, trace_event::inner_begin, trace_event::inner_undone,
                      trace_event::logged, trace_event::taken, trace_event::freed, trace_event::pushed,
                      trace_event::inner_kept, trace_event::bad_handle, trace_event::faulted,
                      trace_event::effects_undone, trace_event::in_vain, trace_event::read, trace_event::write_back,
                      trace_event::load, trace_event::store, trace_event::peek, trace_event::glance, trace_event::tally,
                      trace_event::plain_read, trace_event::plain_write, trace_event::shared_read,
                      trace_event::shared_write, trace_event::atomic, trace_event::leave_hint, trace_event::fixed_read);
  return table;
}

MAGPIE_NAMESPACE_END
