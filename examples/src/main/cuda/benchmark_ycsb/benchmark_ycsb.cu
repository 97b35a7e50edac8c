/// @file
/// The benchmark `ycsb`: transactions of several requests, each of which reads a record with all its fields or updates one of
/// them.
#define MAGPIE_ALL_POLICIES  // hand_off and priority_rule; others are compiled when they are asked for

#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Part of an item: updates a field of a record, or reads all of them.
struct request {
  std::uint32_t record;
  std::uint32_t field;

  static constexpr std::uint32_t all = ~0u;
};

/// Item i makes the requests i * per_item to (i + 1) * per_item - 1. An update adds 1 to the record's version, and leaves in its
/// field the number of the request, counted from 1. So the versions that requests saw tell in which order a record was updated.
struct serve {
  magpie::stm::guarded<std::uint32_t> version;        // of each record
  magpie::stm::guarded_matrix<std::uint32_t> fields;  // of each record; the same objects
  magpie::array<const request> requests;
  std::uint32_t per_item;
  magpie::array<std::uint32_t> seen;  // of each request: the version before it
  magpie::array<std::uint32_t> sums;  // of each that reads: the fields that it read, modulo 2^32

  static constexpr std::uint32_t max_objects = 16, max_writes = 32;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    for (std::uint32_t k = 0; k < per_item; ++k) {
      const std::uint64_t at = std::uint64_t{item} * per_item + k;
      const request wanted = requests[at];
      const auto row = fields.row(wanted.record);
      const std::uint32_t before = MAGPIE_TRY(tx.get(version, wanted.record));
      magpie::st_plain(&seen[at], before);
      if (wanted.field == request::all) {
        std::uint32_t sum = 0;
        for (std::uint32_t field = 0; field < fields.columns; ++field) sum += MAGPIE_TRY(tx.get(row, field));
        magpie::st_plain(&sums[at], sum);
      } else {
        MAGPIE_TRY(tx.set(row, wanted.field, static_cast<std::uint32_t>(at + 1)));
        MAGPIE_TRY(tx.set(version, wanted.record, before + 1));
      }
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(serve)
