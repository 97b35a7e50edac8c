/// @file
/// A tree whose nodes have their children in two halves of 16 bits, in a struct with the key; items insert keys.
// arguments: root=fill:65535:1 nodes=zeros:8 slots=pool:8
// items: 5
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct tree_node {
  std::uint32_t key;
  std::uint16_t left, right;
};

struct two_children_in_a_word {
  magpie::stm::guarded<std::uint16_t> root;
  magpie::stm::guarded<tree_node> nodes;
  magpie::stm::pool<0> slots;

  static constexpr std::uint32_t max_objects = 8, max_writes = 4;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr bool narrow_writes = true;
  static constexpr std::uint16_t none = 65535;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    MAGPIE_TRY(tx.reserve(slots, 1));
    const std::uint32_t key = (item * 7 + 3) % 5 * 10;
    const auto made = [&]() { return static_cast<std::uint16_t>(tx.take(slots)); };
    std::uint16_t at = MAGPIE_TRY(tx.get(root, 0));
    if (at == none) {
      const std::uint16_t slot = made();
      MAGPIE_TRY(tx.set(nodes, slot, {key, none, none}));
      MAGPIE_TRY(tx.set(root, 0, slot));
      return outcome::commit;
    }
    for (;;) {
      tree_node n = MAGPIE_TRY(tx.get(nodes, at));
      if (n.key == key) return outcome::cancel;
      std::uint16_t& child = key < n.key ? n.left : n.right;
      if (child == none) {
        child = made();
        MAGPIE_TRY(tx.set(nodes, child, {key, none, none}));
        MAGPIE_TRY(tx.set(nodes, at, n));
        return outcome::commit;
      }
      at = child;
    }
  }
};
MAGPIE_REGION(two_children_in_a_word)
