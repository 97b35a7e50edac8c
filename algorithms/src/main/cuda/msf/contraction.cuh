/// @file
/// Components that are numbered from 0 without gaps, and numbered again after each round's unions; what the forms `cycle`
/// (cycle_form.cuh) and `scan` (scan_form.cuh) have in common.
///
/// Words: `component[v]` is the number of vertex v's component, `leader[c]` a vertex of component c; leaders ascend with
/// the numbers. A round gives each component c a representative `rep[c]`, whose own is itself, and to a component that is
/// not its own the arc `pick[c]` over which it is united. A leader loses its component at most once, so `edge_of[leader]`
/// keeps that arc.
///
/// No kernel here has a read-modify-write: each word has one writer in a launch, and is read in later ones.
#pragma once

#include "forest.cuh"

namespace msf {

/// Each vertex is a component. Bytes: 12 per vertex out.
struct start_numbered {
  u32 vertices;
  array<u32> component;
  array<u32> leader;
  array<u32> edge_of;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      magpie::st_plain(&component[v], v);
      magpie::st_plain(&leader[v], v);
      magpie::st_plain(&edge_of[v], none);
    }
  }
};
MAGPIE_KERNEL(start_numbered)

/// Records the arcs of the components that end, and flags those that go on, for the scan that numbers them.
struct record_picks {
  u32 components;
  array<const u32> rep;
  array<const u32> pick;
  array<const u32> leader;
  array<u32> flags;
  array<u32> edge_of;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 c : self.items(components)) {
      const bool ends = magpie::ld_plain(&rep[c]) != c;
      magpie::st_plain(&flags[c], ends ? 0 : 1);
      if (ends) magpie::st_plain(&edge_of[magpie::ld_plain(&leader[c])], magpie::ld_plain(&pick[c]));
    }
  }
};
MAGPIE_KERNEL(record_picks)

/// `label[c]`: the next number of c's component. `number` is the exclusive sum of the flags.
struct renumber {
  u32 components;
  array<const u32> rep;
  array<const u32> number;
  array<const u32> leader;
  array<u32> label;
  array<u32> next_leader;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 c : self.items(components)) {
      const u32 r = magpie::ld_plain(&rep[c]);
      const u32 to = magpie::ld_plain(&number[r]);
      magpie::st_plain(&label[c], to);
      if (r == c) magpie::st_plain(&next_leader[to], magpie::ld_plain(&leader[c]));
    }
  }
};
MAGPIE_KERNEL(renumber)

/// At the end: `parent[v]`, which held the number of v's component, becomes the component's leader.
struct name_components {
  u32 vertices;
  array<const u32> leader;
  array<u32> parent;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 v : self.items(vertices)) {
      magpie::st_plain(&parent[v], magpie::ld_plain(&leader[magpie::ld_own(&parent[v])]));
    }
  }
};
MAGPIE_KERNEL(name_components)

}  // namespace msf
