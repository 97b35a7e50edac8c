/// @file
/// A build that neither records nor samples nor breaks anything: recorder, notes and early locks take no room in a transaction,
/// nor do the pushes and pools of a region without any, nor what long logs need in one with short logs.
#include "magpie/stm.cuh"
#include "magpie/stm/policies.cuh"

namespace {

namespace stm = magpie::stm;

static_assert(!stm::recording && !stm::has_mutants && !stm::logged_write::keeps_place);
static_assert(std::is_empty_v<stm::recorder>);
static_assert(!stm::samples_conflicts && std::is_empty_v<stm::conflict_notes>);
static_assert(std::is_empty_v<stm::push_log<0>> && std::is_empty_v<stm::no_pools>);
static_assert(sizeof(stm::logged_write) == 24);
static_assert(sizeof(stm::fixed_log<2, 3>) == 2 * sizeof(void*) + 3 * sizeof(stm::logged_write));
static_assert(sizeof(stm::fixed_log<256, 9>) == 256 * sizeof(void*) + 9 * sizeof(stm::logged_write));
static_assert(sizeof(stm::fixed_log<300, 8>) == 300 * (sizeof(void*) + 12) + 8 * sizeof(stm::logged_write));

/// What its protocol has to keep where objects are claimed, with a long log more, if it looks again at what it read.
template <class Policy>
struct kept {
  typename Policy::registrations remembered;
  bool eager, has_read;
};
template <class Policy>
struct kept_with_a_look {
  std::uint64_t looked_at;
  typename Policy::registrations remembered;
  bool eager, has_read;
};

/// What a transaction has to keep.
template <class Policy, class Log, class Protocol = kept<Policy>>
struct members : stm::phase_check {
  const stm::control& control;
  Log log;
  stm::run_statistics statistics;
  Protocol protocol;
  std::uint32_t rank, objects, writes, inner_writes, polls, operations;
  stm::cause cause;
  bool inner_canceled;
};
template <class Policy, class Log>
using long_members = members<Policy, Log, kept_with_a_look<Policy>>;

template <class Policy, class Log, stm::reads Reads = stm::reads::validated>
constexpr bool has_no_more = sizeof(stm::transaction<Policy, Log, Reads>) == sizeof(members<Policy, Log>);
template <class Policy, class Log>
constexpr bool has_a_look = sizeof(stm::transaction<Policy, Log, stm::reads::validated>) ==
                            sizeof(long_members<Policy, Log>);

static_assert(has_no_more<stm::hand_off, stm::fixed_log<2, 2>>);
static_assert(has_no_more<stm::hand_off, stm::fixed_log<16, 16>>);
static_assert(has_no_more<stm::hand_off, stm::fixed_log<stm::most_compared, stm::most_compared>>);
static_assert(has_no_more<stm::hand_off, stm::paged_log, stm::reads::unvalidated>);
static_assert(has_a_look<stm::hand_off, stm::paged_log>);
static_assert(has_no_more<stm::priority_rule, stm::fixed_log<2, 2>>);
static_assert(has_no_more<stm::pessimistic, stm::fixed_log<2, 2>>);

// Versions are kept under policies that have them alone.
static_assert(sizeof(stm::fixed_log<2, 3, stm::kept::version>) ==
              sizeof(stm::fixed_log<2, 3>) + 2 * sizeof(stm::opened_version));

}  // namespace
