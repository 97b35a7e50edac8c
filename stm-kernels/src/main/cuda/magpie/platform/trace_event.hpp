/// @file
/// The kinds of events in the trace of a launch on `cpu` or `sim`: what access_trace.hpp notes and a host reads.
///
/// Layer: platform, used by all machines, because transactions name the kinds on each.
#pragma once

#include <cstdint>

MAGPIE_NAMESPACE_BEGIN

/// Which part of a region runs: values of `trace_event::phase`, one bit each.
enum trace_phase : std::uint8_t {
  in_body = 1,  ///< or plan
  in_apply = 2,
  in_committed = 4,
  in_rolled_back = 8,
  in_seek = 16,
  in_irrevocable = 32,  ///< the rest of the body, or plan: only traces tell it apart
};

/// What an event of a launch's trace is. Accesses come last; the others carry what is said of each.
enum class trace_event : std::uint8_t {
  none = 0,
  begin = 1,            ///< an attempt begins; value: its number, from 1
  phase = 2,            ///< value: a `trace_phase`
  opened = 3,           ///< object: the tracking word
  locked = 4,           ///< all objects are locked: the attempt commits, here in the serial order
  canceled = 5,         ///< under claims that stood, here in the serial order; value: 1 if an inner transaction had
  end = 6,              ///< of an attempt; value: an `end_code`
  inner_begin = 7,      ///< of an attempt of an inner transaction
  inner_undone = 8,     ///< it was undone
  logged = 9,           ///< `tx.write`; address, value; object: that of the handle
  taken = 10,           ///< a slot; value; address: number of the pool
  freed = 11,           ///< the same
  pushed = 12,          ///< value: the item
  inner_kept = 13,      ///< an attempt of an inner transaction is part of what is around it
  bad_handle = 14,      ///< was never opened, or undone; address: what was to be accessed; the launch faults
  faulted = 15,         ///< the thread broke a rule or left an array; the launch faults
  effects_undone = 16,  ///< of an alternative: writes, pushes and slots, not what it read
  in_vain = 17,         ///< an attempt that failed goes on; value: its operations so far, `operations_in_vain` or more
  read = 32,            ///< `tx.read` from memory; object: that of the handle
  write_back = 33,      ///< of what `tx.write` logged, or, in place, of what undoes it; object
  load = 34,            ///< `tx.load`; object: that of the handle, null without
  store = 35,           ///< `tx.store`; the same
  peek = 36,            ///< `tx.peek`; object
  glance = 37,          ///< `tx.glance`
  tally = 38,           ///< `tx.tally`
  plain_read = 39,      ///< past the transaction: `a[i]`, `*p`, `ld_own`
  plain_write = 40,     ///< `a[i] = v`, `st_plain`
  shared_read = 41,     ///< relaxed or acquire
  shared_write = 42,
  atomic = 43,      ///< a read-modify-write, also one that wrote nothing
  leave_hint = 44,  ///< `tx.leave_hint`
  fixed_read = 45,  ///< `ld_plain`: past the transaction, of what nobody is to write in the launch
};

/// From this operation of an attempt on, one that does nothing is told, and on `sim` is a step: schedules of attempts that make fewer
/// stay as they are.
inline constexpr std::uint32_t operations_in_vain = 1024;

MAGPIE_NAMESPACE_END
