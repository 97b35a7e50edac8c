/// @file
/// What a host passes to a module built for `cpu` or `sim`, and what it gets back. A host
/// that is not compiled with this finds what it needs of it by name, in the module's table (detail/shared_lines.hpp).
#pragma once

#include <cstdint>

/// One deviation from the default schedule of the simulator; see schedules.hpp.
struct magpie_choice {
  static constexpr std::uint32_t by_default = ~0u;

  std::uint64_t step;     ///< the switch point, counted from 0 in each launch
  std::uint32_t thread;   ///< the rank that goes on, or `by_default`
  std::uint32_t version;  ///< if not 0 and a load follows, that load reads the version-th older value
};

/// A state of a launch and who went on from there; see lasso.hpp.
struct magpie_visit {
  std::uint64_t state;   ///< hash of memory and of the threads' positions
  std::uint32_t thread;  ///< the rank that was chosen
  std::uint32_t reserved;
};

/// What launches accessed, added up; see access_counts.hpp.
struct magpie_access_counts {
  std::uint64_t launches;
  std::uint64_t work;       ///< accesses of all threads
  std::uint64_t span;       ///< of each launch those of the thread that did most
  std::uint64_t transfers;  ///< sectors of 32 bytes that warps accessed
};

/// One event of a launch's trace; see trace_event.hpp and access_trace.hpp.
struct magpie_event {
  std::uint64_t address;
  std::uint64_t value;    ///< what was read, or what is there after the write, zero-extended
  std::uint64_t object;   ///< address of the tracking word, 0 = none
  std::uint64_t place;    ///< where in the module's file the access is, 0 = not known
  std::uint64_t item;     ///< `magpie_place::no_item` = none
  std::uint32_t attempt;  ///< of the item, from 1
  std::uint32_t thread;
  std::uint8_t kind;    ///< a `trace_event`
  std::uint8_t bytes;   ///< of the access, at most 8
  std::uint8_t writes;  ///< 1 if memory was written
  std::uint8_t reserved[5];
};

/// Memory whose accesses are traced.
struct magpie_range {
  std::uint64_t begin;   ///< address
  std::uint64_t end;     ///< one past the last
  std::uint32_t stride;  ///< in cells: bytes from a datum to the next, a power of 2; else 0
  std::uint32_t datum;   ///< in cells: bytes of one that are traced
};

/// What of a launch is traced, and where the events go.
struct magpie_trace {
  const magpie_range* ranges;
  std::uint64_t range_count;
  magpie_event* events;
  std::uint64_t capacity;        ///< events there is room for
  std::uint64_t count;           ///< out: events, also those that found no room; cpu: 0 before the launch
  std::uint32_t forced_retries;  ///< so many first attempts of each item are rolled back, as if stolen from
  std::uint32_t forced_inner;    ///< 1 = so is the first attempt of each inner transaction
};

/// What a step of a launch does to what threads share; see step_log.hpp.
struct magpie_step {
  std::uint64_t address;  ///< of the access; of `step_met` the lanes, bit 0 for the warp's first
  std::uint32_t thread;
  std::uint16_t bytes;  ///< of the access; of `step_met` the thread's lane
  std::uint8_t kind;    ///< a `step_kind`
  std::uint8_t reserved;
};

/// Values of `magpie_step::kind`.
enum step_kind : std::uint8_t {
  step_local = 0,  ///< nothing: it starts, fences, or leaves a collective
  step_pause = 1,
  step_load = 2,
  step_store = 3,
  step_update = 4,  ///< a read-modify-write
  step_look = 5,    ///< one that left the word as it was
  step_add = 6,     ///< these have no result, so that two of one kind commute
  step_and = 7,
  step_or = 8,
  step_min = 9,
  step_max = 10,
  step_begin = 11,  ///< an attempt looks at the time where it begins
  step_end = 12,    ///< ... and where it ends
  step_order = 13,  ///< an attempt takes its place in the serial order
  step_met = 14,    ///< no step: a collective lets lanes go
};

/// One launch of a search through schedules: what its steps did, and who is not to go on.
struct magpie_search {
  magpie_step* steps;         ///< out
  std::uint64_t capacity;     ///< steps there is room for
  std::uint64_t count;        ///< out: steps, also those that found no room
  const magpie_step* asleep;  ///< next steps of threads; each sleeps until another thread's depends on it
  std::uint64_t asleep_count;
  std::uint64_t asleep_from;  ///< the step before which they stand there; they sleep where no choice is listed
  std::uint64_t most_pauses;  ///< of each thread; ~0 = no bound
};

/// How `sim` schedules a launch, and what became of it. Owned by the host; the launch reads the first part and writes
/// the second, on every path that returns a code other than `launch_unknown_kernel`.
struct magpie_simulation {
  std::uint32_t schedule;        ///< a `schedule_kind`
  std::uint32_t memory;          ///< a `memory_kind`
  std::uint64_t seed;            ///< of the kinds that draw; takes the place of `magpie_launch_args::seed`
  std::uint32_t depth;           ///< PCT: d, the number of ordering constraints to hit; at least 1
  std::uint32_t lasso;           ///< 1 = end the launch when a state comes again without progress
  std::uint64_t length;          ///< PCT: k, the steps to spread the change points over; at least 1 if d > 1
  const magpie_choice* choices;  ///< explicit: in ascending order of steps; ordered: the threads
  std::uint64_t choice_count;
  std::uint64_t stopped;  ///< rank | n << 32: that thread runs n steps and then never again; ~0 = none

  magpie_choice* taken;          ///< where the deviations from the default schedule go, which replay the launch
  std::uint64_t taken_capacity;  ///< room there, 0 = none
  std::uint64_t taken_count;     ///< out: deviations, also those that found no room
  std::uint64_t steps;           ///< out: choices made
  std::uint64_t switches;        ///< out: choices of another thread than the one that ran
  std::uint64_t trace;           ///< out: hash of the sequence of chosen ranks and versions
  std::uint64_t lasso_begin;     ///< out: step of the state that came again; 0 with `lasso_end` 0: none did
  std::uint64_t lasso_end;       ///< out: step where it came again

  magpie_visit* visits;          ///< where the states go, step by step, until a thread gets something done; or null
  std::uint64_t visit_capacity;  ///< room there
  std::uint64_t visit_count;     ///< out: states written

  magpie_access_counts* counts;  ///< what launches that end well access is added to these; or null

  magpie_trace* accesses;  ///< what is traced, in modules that are built to be; or null

  magpie_search* search;  ///< or null
  std::uint64_t fine;     ///< 1 = plain accesses to traced memory are steps, too, as are moments of attempts
};

/// Values of `magpie_simulation::schedule`.
enum schedule_kind : std::uint32_t {
  schedule_explicit = 0,
  schedule_round_robin = 1,
  schedule_random_walk = 2,
  schedule_pct = 3,
  schedule_lock_step = 4,
  schedule_ordered = 5,
};

/// Values of `magpie_simulation::memory`.
enum memory_kind : std::uint32_t {
  memory_sequential = 0,
  memory_weak = 1,
};

/// The grid of a launch on `cpu` whose parts take threads of it one by one; see shared_grid.hpp. All zero before the launch but for
/// `threads` and `most_helpers`. What all parts write lies apart from the rest.
struct magpie_shared_grid {
  std::uint64_t taken;         ///< pass << 32 | threads of it that were taken
  std::uint64_t threads;       ///< of the pass
  std::uint64_t most_helpers;  ///< parts that there may be but for the leading one
  std::uint64_t reserved[5];
  std::uint64_t ended;    ///< threads of the pass
  std::uint64_t helpers;  ///< parts that are running but for the leading one
  std::uint64_t reserved_too[6];
};

/// One launch, or a part of one. `cpu` runs logical threads of a grid of `threads`: those that this part takes from `grid`, or [first,
/// last); `sim` runs the whole grid.
struct magpie_launch_args {
  std::uint64_t threads;    ///< threads of the whole grid, at least 1, below 2^32
  std::uint64_t first;      ///< cpu without `grid`: first logical thread of this part
  std::uint64_t last;       ///< cpu without `grid`: one past the last
  std::uint64_t seed;       ///< sim: 0 = round robin, else seed of a random walk over schedules
  std::uint64_t max_steps;  ///< sim: bound of scheduling steps, 0 = none
  std::uint32_t width;      ///< sim: threads of a warp, 1 to 32
  std::uint32_t helps;      ///< cpu with `grid`: 0 = this part leads, which exactly one does
  /// sim: schedule, memory and outcome; null = by `seed`. cpu: of it only `accesses`; null = nothing is traced.
  magpie_simulation* simulation = nullptr;
  magpie_shared_grid* grid = nullptr;  ///< cpu: shared by the launch's parts; null = this part has threads of its own
};

/// Where a thread of a launch stands, for messages of faults.
struct magpie_place {
  static constexpr std::uint64_t no_item = ~std::uint64_t{0};

  const void* functor = nullptr;  ///< of the launch
  const char* fields = "";        ///< the `field` lines of its table
  std::uint32_t thread = 0;
  std::uint64_t item = no_item;  ///< the item of a region that it works on
};

/// Results of `magpie_launch`.
enum launch_code : std::int32_t {
  launch_ok = 0,
  launch_bounds_fault = 1,     ///< an index outside its array (checked builds)
  launch_missing_lanes = 2,    ///< a collective that some lanes of the warp cannot reach (sim)
  launch_no_progress = 3,      ///< the step bound was reached, or every thread is blocked (sim)
  launch_unknown_kernel = 4,   ///< no kernel of that index
  launch_lasso = 5,            ///< a state came again without progress (sim)
  launch_thread_stopped = 6,   ///< every thread ended but the stopped one, which never will (sim)
  launch_access_fault = 7,     ///< a plain access to data that the launch shares (sim; access_rules.hpp)
  launch_misuse = 8,           ///< a rule of the library was broken (checked builds), or an exception left a kernel
  launch_processor_fault = 9,  ///< the processor stopped it: a division by zero, a wild pointer, a full stack
  launch_interrupted = 10,     ///< `magpie_interrupt` ended it; on sim at a step
  launch_asleep = 11,          ///< a search: every thread that could go on sleeps (sim)
  launch_cut = 12,             ///< a search: every thread that could go on has paused as often as it may (sim)
  launch_too_long = 13,        ///< a search: it was not finished after all its steps, and threads had paused (sim)
  launch_stuck = 14,           ///< `magpie_interrupt` took a thread out of code that made no step (sim)
};
