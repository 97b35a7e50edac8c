/// @file
/// What the compiler calls before each load and store of a traced module: its instrumentation for ThreadSanitizer
/// (`-fsanitize=thread`), with functions of our own in place of that library's.
///
/// Layer: sim, included by sim.cuh in modules that are built with `MAGPIE_TRACE`. Their accesses, and those of atomic
/// builtins, go to the launch's access_trace.hpp, if it has one; all others cost a call and a look.
///
/// Limits: what is not instrumented is not seen: string functions, and inline assembly.
#pragma once

#include "magpie/sim/access_trace.hpp"
#include "magpie/sim/simulator.hpp"

#define MAGPIE_HOOK MAGPIE_UNTRACED __attribute__((visibility("hidden"), used, noinline))

MAGPIE_NAMESPACE_BEGIN

namespace simulator {

MAGPIE_UNTRACED inline void hook_plain(bool writes, const void* address, std::uint32_t bytes, const void* place) {
  if (!access_trace::concerns(address)) return;
  access_trace* const trace = access_trace::active();
  if (trace == nullptr) return;
  if (trace->notes_plain(address)) {
    simulation::current()->step_if_fine(writes ? action::store : action::load, address, writes ? step_store : step_load,
                                        bytes);
  }
  trace->plain(writes, address, bytes, place);
}
MAGPIE_UNTRACED inline void hook_atomic(trace_event kind, const volatile void* address, std::uint32_t bytes,
                                        const void* place) {
  access_trace* const trace = access_trace::active();
  if (trace == nullptr) return;
  const void* const at = const_cast<const void*>(address);
  if (trace->notes_atomic(at)) {
    const bool reads = kind == trace_event::shared_read;
    const bool writes = kind == trace_event::shared_write;
    simulation::current()->step_if_fine(reads    ? action::load
                                        : writes ? action::store
                                                 : action::update,
                                        at,
                                        reads    ? step_load
                                        : writes ? step_store
                                                 : step_update,
                                        bytes);
  }
  trace->atomic(kind, at, bytes, place);
}

}  // namespace simulator

MAGPIE_NAMESPACE_END

extern "C" {

MAGPIE_HOOK inline void __tsan_init() {}
MAGPIE_HOOK inline void __tsan_func_entry(void*) {}
MAGPIE_HOOK inline void __tsan_func_exit() {}
MAGPIE_HOOK inline void __tsan_vptr_update(void**, void*) {}
MAGPIE_HOOK inline void __tsan_vptr_read(void**) {}
MAGPIE_HOOK inline void __tsan_read_range(void* p, unsigned long bytes) {
  magpie::simulator::hook_plain(false, p, static_cast<std::uint32_t>(bytes), __builtin_return_address(0));
}
MAGPIE_HOOK inline void __tsan_write_range(void* p, unsigned long bytes) {
  magpie::simulator::hook_plain(true, p, static_cast<std::uint32_t>(bytes), __builtin_return_address(0));
}

#define MAGPIE_PLAIN_HOOKS(bytes)                                                \
  MAGPIE_HOOK inline void __tsan_read##bytes(void* p) {                          \
    magpie::simulator::hook_plain(false, p, bytes, __builtin_return_address(0)); \
  }                                                                              \
  MAGPIE_HOOK inline void __tsan_write##bytes(void* p) {                         \
    magpie::simulator::hook_plain(true, p, bytes, __builtin_return_address(0));  \
  }                                                                              \
  MAGPIE_HOOK inline void __tsan_unaligned_read##bytes(void* p) {                \
    magpie::simulator::hook_plain(false, p, bytes, __builtin_return_address(0)); \
  }                                                                              \
  MAGPIE_HOOK inline void __tsan_unaligned_write##bytes(void* p) {               \
    magpie::simulator::hook_plain(true, p, bytes, __builtin_return_address(0));  \
  }                                                                              \
  MAGPIE_HOOK inline void __tsan_volatile_read##bytes(void* p) {                 \
    magpie::simulator::hook_plain(false, p, bytes, __builtin_return_address(0)); \
  }                                                                              \
  MAGPIE_HOOK inline void __tsan_volatile_write##bytes(void* p) {                \
    magpie::simulator::hook_plain(true, p, bytes, __builtin_return_address(0));  \
  }
MAGPIE_PLAIN_HOOKS(1)
MAGPIE_PLAIN_HOOKS(2)
MAGPIE_PLAIN_HOOKS(4)
MAGPIE_PLAIN_HOOKS(8)
MAGPIE_PLAIN_HOOKS(16)
#undef MAGPIE_PLAIN_HOOKS

// Orders are the strongest there are: one host thread runs a launch.
#define MAGPIE_UPDATE_HOOK(bits, name, builtin)                                                            \
  MAGPIE_HOOK inline std::uint##bits##_t __tsan_atomic##bits##_##name(volatile std::uint##bits##_t* p,     \
                                                                      std::uint##bits##_t v, int) {        \
    magpie::simulator::hook_atomic(magpie::trace_event::atomic, p, bits / 8, __builtin_return_address(0)); \
    return builtin(p, v, __ATOMIC_SEQ_CST);                                                                \
  }
#define MAGPIE_EXCHANGE_HOOK(bits, name)                                                                         \
  MAGPIE_HOOK inline int __tsan_atomic##bits##_compare_exchange_##name(                                          \
      volatile std::uint##bits##_t* p, std::uint##bits##_t* expected, std::uint##bits##_t desired, int, int) {   \
    magpie::simulator::hook_atomic(magpie::trace_event::atomic, p, bits / 8, __builtin_return_address(0));       \
    return __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 1 : 0; \
  }
#define MAGPIE_ATOMIC_HOOKS(bits)                                                                                    \
  MAGPIE_HOOK inline std::uint##bits##_t __tsan_atomic##bits##_load(const volatile std::uint##bits##_t* p, int) {    \
    magpie::simulator::hook_atomic(magpie::trace_event::shared_read, p, bits / 8, __builtin_return_address(0));      \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                     \
  }                                                                                                                  \
  MAGPIE_HOOK inline void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* p, std::uint##bits##_t v, int) { \
    magpie::simulator::hook_atomic(magpie::trace_event::shared_write, p, bits / 8, __builtin_return_address(0));     \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                                        \
  }                                                                                                                  \
  MAGPIE_UPDATE_HOOK(bits, exchange, __atomic_exchange_n)                                                            \
  MAGPIE_UPDATE_HOOK(bits, fetch_add, __atomic_fetch_add)                                                            \
  MAGPIE_UPDATE_HOOK(bits, fetch_sub, __atomic_fetch_sub)                                                            \
  MAGPIE_UPDATE_HOOK(bits, fetch_and, __atomic_fetch_and)                                                            \
  MAGPIE_UPDATE_HOOK(bits, fetch_or, __atomic_fetch_or)                                                              \
  MAGPIE_UPDATE_HOOK(bits, fetch_xor, __atomic_fetch_xor)                                                            \
  MAGPIE_UPDATE_HOOK(bits, fetch_nand, __atomic_fetch_nand)                                                          \
  MAGPIE_EXCHANGE_HOOK(bits, strong)                                                                                 \
  MAGPIE_EXCHANGE_HOOK(bits, weak)
MAGPIE_ATOMIC_HOOKS(8)
MAGPIE_ATOMIC_HOOKS(16)
MAGPIE_ATOMIC_HOOKS(32)
MAGPIE_ATOMIC_HOOKS(64)
#undef MAGPIE_ATOMIC_HOOKS
#undef MAGPIE_EXCHANGE_HOOK
#undef MAGPIE_UPDATE_HOOK

MAGPIE_HOOK inline void __tsan_atomic_thread_fence(int) {}
MAGPIE_HOOK inline void __tsan_atomic_signal_fence(int) {}

}  // extern "C"

#undef MAGPIE_HOOK
