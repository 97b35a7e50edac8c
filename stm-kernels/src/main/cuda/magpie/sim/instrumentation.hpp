/// @file
/// What an access that no accessor makes is on `sim`, in modules that are built with `MAGPIE_TRACE`: an event of the launch's
/// trace, if it has one, and where steps are fine, a step of its own.
///
/// Layer: sim, included by sim.cuh.
#pragma once

#include "magpie/platform/access_trace.hpp"
#include "magpie/sim/simulator.hpp"

MAGPIE_NAMESPACE_BEGIN

MAGPIE_UNTRACED_CALL inline void hook_plain(bool writes, const void* address, std::uint32_t bytes, const void* place) {
  if (!access_trace::concerns(address)) return;
  access_trace* const trace = access_trace::active();
  if (trace == nullptr) return;
  if (trace->notes_plain(address)) {
    simulator::simulation* const running = simulator::simulation::current();
    running->step_if_fine(writes ? simulator::action::store : simulator::action::load, address,
                          writes ? step_store : step_load, bytes);
    if (writes) running->note_store(address, bytes);
  }
  trace->plain(writes, address, bytes, place);
}
/// The trace that is to be told what the operation read or left; null: none is.
MAGPIE_UNTRACED_CALL inline access_trace* hook_atomic(trace_event kind, const volatile void* address,
                                                      std::uint32_t bytes, const void* place) {
  if (!access_trace::concerns(address)) return nullptr;
  access_trace* const trace = access_trace::active();
  if (trace == nullptr) return nullptr;
  const void* const at = const_cast<const void*>(address);
  if (trace->notes_atomic(at)) {
    const bool reads = kind == trace_event::shared_read;
    const bool writes = kind == trace_event::shared_write;
    simulator::simulation* const running = simulator::simulation::current();
    running->step_if_fine(reads    ? simulator::action::load
                          : writes ? simulator::action::store
                                   : simulator::action::update,
                          at,
                          reads    ? step_load
                          : writes ? step_store
                                   : step_update,
                          bytes);
    if (!reads) running->note_store(at, bytes);
  }
  return trace->atomic(kind, at, bytes, place) ? trace : nullptr;
}

MAGPIE_NAMESPACE_END

#include "magpie/platform/instrumentation.hpp"
