// A region, and what the table of a module that was compiled for every policy would say of them.
#define MAGPIE_POLICIES_TO_COMPARE
#define MAGPIE_ONLY_FIXED_LOGS
#include "magpie/stm.cuh"

struct nothing_to_do {
  magpie::stm::objects things;
  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx&, std::uint32_t) const {
    return magpie::stm::outcome::commit;
  }
};
MAGPIE_REGION(nothing_to_do)

#if !defined(__CUDACC__)
namespace stm = magpie::stm;
[[maybe_unused]] static const bool told =
    (stm::add_policy_lines<stm::priority_rule>("priority_rule"), stm::add_policy_lines<stm::pessimistic>("pessimistic"),
     stm::add_policy_lines<stm::coarse_lock>("coarse_lock"),
     stm::add_policy_lines<stm::invisible_reads>("invisible_reads"), stm::add_policy_lines<stm::locks>("locks"),
     stm::add_policy_lines<stm::hierarchical>("hierarchical"), stm::add_policy_lines<stm::pr_stm>("pr_stm"),
     stm::add_policy_lines<stm::block_level>("block_level"),
     stm::add_policy_lines<stm::optimistic_hand_off>("optimistic_hand_off"),
     stm::add_policy_lines<stm::obstruction_free>("obstruction_free"),
     stm::add_policy_lines<stm::pessimistic_in_place>("pessimistic_in_place"),
     stm::add_policy_lines<stm::invisible_reads_in_place>("invisible_reads_in_place"), true);
#endif
