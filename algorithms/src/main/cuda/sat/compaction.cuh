/// @file
/// The open formula: clauses that are not satisfied, with the literals that have no value; sweeps go over it alone.
///
/// It is made of the one before, or at first of the formula, whenever variables have been decided: clauses and literals
/// keep their order, variables their numbers. So what goes over all literals still visits those of decided variables, whose
/// lists are empty. The host scans the counts between these kernels.
///
/// Layer: algorithm. Shared state: each datum is written by the one lane that has its clause, or its literal.
/// Determinism: schedule_independent.
#pragma once

#include "formula.cuh"

namespace sat {

/// What nobody writes while a kernel reads it.
struct open_formula {
  u32 variables;
  u32 clauses;
  array<const u32> clause_offsets;   ///< the edges of each clause, and behind the last
  array<const u32> literals;         ///< of each edge
  array<const u32> literal_offsets;  ///< the places of each literal in `edges`, and behind the last
  array<const u32> edges;            ///< of each literal, ascending

  MAGPIE_INLINE u32 clause_begin(u32 a) const { return magpie::ld_plain(&clause_offsets[a]); }
  MAGPIE_INLINE u32 clause_end(u32 a) const { return magpie::ld_plain(&clause_offsets[a + 1]); }
  MAGPIE_INLINE u32 literal(u32 edge) const { return magpie::ld_plain(&literals[edge]); }
  MAGPIE_INLINE u32 begin(u32 literal) const { return magpie::ld_plain(&literal_offsets[literal]); }
  MAGPIE_INLINE u32 end(u32 literal) const { return magpie::ld_plain(&literal_offsets[literal + 1]); }
  MAGPIE_INLINE u32 edge_at(u32 place) const { return magpie::ld_plain(&edges[place]); }
};

/// Where an edge is that is left out.
inline constexpr u32 nowhere = ~0u;

/// The clauses of the formula itself.
struct number_clauses {
  array<u32> origin;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 a : self.items(origin.size())) magpie::st_plain(&origin[a], static_cast<u32>(a));
  }
};
MAGPIE_KERNEL(number_clauses)

/// Of each clause whether it is open, and how many of its literals are; for scans.
struct count_open {
  u32 clauses;
  array<const u32> origin;  ///< of each clause: its number in the formula
  array<const u32> left;    ///< of each clause of the formula
  array<u32> kept;
  array<u32> length;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 a : self.items(clauses)) {
      const u32 literals = magpie::ld_plain(&left[magpie::ld_plain(&origin[a])]);
      magpie::st_plain(&kept[a], literals != satisfied ? 1u : 0u);
      magpie::st_plain(&length[a], literals != satisfied ? literals : 0u);
    }
  }
};
MAGPIE_KERNEL(count_open)

/// Moves open clauses with their literals and surveys.
struct move_clauses {
  open_formula formula;
  array<const u32> origin;
  array<const u32> left;
  array<const u32> value;
  array<const double> survey;
  array<const u32> clause_to;  ///< the scan of `kept`, and behind it the sum
  array<const u32> begin_to;   ///< the scan of `length`, likewise
  array<u32> new_offsets;
  array<u32> new_origin;
  array<u32> new_literals;
  array<double> new_survey;
  array<u32> edge_to;  ///< of each edge: its new place, or `nowhere`

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 each : self.items(formula.clauses)) {
      const u32 a = static_cast<u32>(each);
      u32 to = magpie::ld_plain(&begin_to[a]);
      if (a + 1 == formula.clauses) {
        magpie::st_plain(&new_offsets[magpie::ld_plain(&clause_to[a + 1])], magpie::ld_plain(&begin_to[a + 1]));
      }
      const u32 of = magpie::ld_plain(&origin[a]);
      const bool open = magpie::ld_plain(&left[of]) != satisfied;
      if (open) {
        magpie::st_plain(&new_offsets[magpie::ld_plain(&clause_to[a])], to);
        magpie::st_plain(&new_origin[magpie::ld_plain(&clause_to[a])], of);
      }
      for (u32 e = formula.clause_begin(a); e < formula.clause_end(a); ++e) {
        const u32 l = formula.literal(e);
        const bool stays = open && magpie::ld_plain(&value[l >> 1]) == undecided;
        magpie::st_plain(&edge_to[e], stays ? to : nowhere);
        if (!stays) continue;
        magpie::st_plain(&new_literals[to], l);
        magpie::st_plain(&new_survey[to], magpie::ld_plain(&survey[e]));
        ++to;
      }
    }
  }
};
MAGPIE_KERNEL(move_clauses)

/// Of each literal the edges that stay; for a scan.
struct count_edges {
  open_formula formula;
  array<const u32> edge_to;
  array<u32> count;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 each : self.items(u64{2} * formula.variables)) {
      const u32 l = static_cast<u32>(each);
      u32 stay = 0;
      for (u32 place = formula.begin(l); place < formula.end(l); ++place) {
        stay += magpie::ld_plain(&edge_to[formula.edge_at(place)]) != nowhere ? 1 : 0;
      }
      magpie::st_plain(&count[l], stay);
    }
  }
};
MAGPIE_KERNEL(count_edges)

/// Moves them.
struct move_edges {
  open_formula formula;
  array<const u32> edge_to;
  array<const u32> new_offsets;  ///< of literals: the scan of `count`
  array<u32> new_edges;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 each : self.items(u64{2} * formula.variables)) {
      const u32 l = static_cast<u32>(each);
      u32 to = magpie::ld_plain(&new_offsets[l]);
      for (u32 place = formula.begin(l); place < formula.end(l); ++place) {
        const u32 edge = magpie::ld_plain(&edge_to[formula.edge_at(place)]);
        if (edge != nowhere) magpie::st_plain(&new_edges[to++], edge);
      }
    }
  }
};
MAGPIE_KERNEL(move_edges)

/// Of each edge its clause.
struct number_edges {
  open_formula formula;
  array<u32> clause;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 each : self.items(formula.clauses)) {
      const u32 a = static_cast<u32>(each);
      for (u32 e = formula.clause_begin(a); e < formula.clause_end(a); ++e) magpie::st_plain(&clause[e], a);
    }
  }
};
MAGPIE_KERNEL(number_edges)

/// Of each place of a literal the clause of its edge, as `formula_view` has it.
struct list_clauses {
  array<const u32> edges;   ///< of each place
  array<const u32> clause;  ///< of each edge
  array<u32> clause_of;     ///< of each place

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 place : self.items(clause_of.size())) {
      magpie::st_plain(&clause_of[place], magpie::ld_plain(&clause[magpie::ld_plain(&edges[place])]));
    }
  }
};
MAGPIE_KERNEL(list_clauses)

}  // namespace sat
