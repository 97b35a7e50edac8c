/// @file
/// What the compiler calls before each load and store of a traced module: its instrumentation for ThreadSanitizer
/// (`-fsanitize=thread`), with functions of our own in place of that library's.
///
/// Layer: platform, included by the machines in modules that are built with `MAGPIE_TRACE`, behind their `hook_plain` and
/// `hook_atomic`, which tell the launch's access_trace.hpp, if it has one, of an access to come; all others cost a call and a
/// look. Compilers put nothing before string functions, so the module has `memcpy`, `memmove` and `memset` of its own, in the
/// same way, which all its code calls: such modules are built with `-fno-builtin-memcpy` and so on. What they copy is accessed
/// word by word.
///
/// Orders are kept as x86 has them: all but sequentially consistent stores and fences need nothing beside what a call does.
///
/// Limits: not seen are `__builtin_memcpy` and its like of a constant size, which the compiler may expand in place, other
/// string functions, such as `memcmp`, and inline assembly.
#pragma once

#include <cstddef>

#include "magpie/platform/access_trace.hpp"
#include "magpie/platform/traced.hpp"

#define MAGPIE_HOOK MAGPIE_UNTRACED __attribute__((visibility("hidden"), used, noinline))

MAGPIE_NAMESPACE_BEGIN

namespace hooks {

// The C library's own, by names that no compiler takes for a builtin; the last argument is how much room there is.
extern "C" void* magpie_c_library_memmove(void* to, const void* from, std::size_t bytes,
                                          std::size_t room) __asm__("__memmove_chk");
extern "C" void* magpie_c_library_memset(void* to, int value, std::size_t bytes,
                                         std::size_t room) __asm__("__memset_chk");

MAGPIE_UNTRACED inline void move_past_hooks(void* to, const void* from, std::size_t bytes) {
  magpie_c_library_memmove(to, from, bytes, ~std::size_t{0});
}

/// The bytes from an address to the end of its word, or from the beginning of a word to an address behind some of it.
MAGPIE_UNTRACED inline std::size_t word_behind(const void* p) { return 8 - reinterpret_cast<std::uintptr_t>(p) % 8; }
MAGPIE_UNTRACED inline std::size_t word_before(const void* p) {
  return (reinterpret_cast<std::uintptr_t>(p) - 1) % 8 + 1;
}

/// Copies as `memmove` does: where some of it is traced by pieces that lie in one word on either side, so that each is
/// accessed when its events say.
MAGPIE_UNTRACED inline void copy(void* to, const void* from, std::size_t bytes, const void* place) {
  const access_trace* const trace = access_trace::active();
  if (trace == nullptr || !(trace->overlaps(from, bytes) || trace->overlaps(to, bytes))) {
    return move_past_hooks(to, from, bytes);
  }
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  const bool from_its_end = reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from) < bytes;
  if (from_its_end) target += bytes, source += bytes;
  while (bytes > 0) {
    std::size_t piece = bytes;
    if (const std::size_t n = from_its_end ? word_before(source) : word_behind(source); n < piece) piece = n;
    if (const std::size_t n = from_its_end ? word_before(target) : word_behind(target); n < piece) piece = n;
    if (from_its_end) target -= piece, source -= piece;
    char word[8];
    hook_plain(false, source, static_cast<std::uint32_t>(piece), place);
    move_past_hooks(word, source, piece);
    hook_plain(true, target, static_cast<std::uint32_t>(piece), place);
    move_past_hooks(target, word, piece);
    if (!from_its_end) target += piece, source += piece;
    bytes -= piece;
  }
}
MAGPIE_UNTRACED inline void fill(void* to, int value, std::size_t bytes, const void* place) {
  const access_trace* const trace = access_trace::active();
  const bool traced = trace != nullptr && trace->overlaps(to, bytes);
  for (auto* target = static_cast<char*>(to); bytes > 0;) {
    const std::size_t piece = traced && word_behind(target) < bytes ? word_behind(target) : bytes;
    if (traced) hook_plain(true, target, static_cast<std::uint32_t>(piece), place);
    magpie_c_library_memset(target, value, piece, ~std::size_t{0});
    target += piece;
    bytes -= piece;
  }
}

}  // namespace hooks

MAGPIE_NAMESPACE_END

extern "C" {

// By other names, under which no header of the C library has declared them.
void* magpie_hook_memcpy(void* to, const void* from, std::size_t bytes) __asm__("memcpy");
void* magpie_hook_memmove(void* to, const void* from, std::size_t bytes) __asm__("memmove");
void* magpie_hook_memset(void* to, int value, std::size_t bytes) __asm__("memset");
MAGPIE_HOOK inline void* magpie_hook_memcpy(void* to, const void* from, std::size_t bytes) {
  magpie::hooks::copy(to, from, bytes, __builtin_return_address(0));
  return to;
}
MAGPIE_HOOK inline void* magpie_hook_memmove(void* to, const void* from, std::size_t bytes) {
  magpie::hooks::copy(to, from, bytes, __builtin_return_address(0));
  return to;
}
MAGPIE_HOOK inline void* magpie_hook_memset(void* to, int value, std::size_t bytes) {
  magpie::hooks::fill(to, value, bytes, __builtin_return_address(0));
  return to;
}

MAGPIE_HOOK inline void __tsan_func_entry(void*) {}
MAGPIE_HOOK inline void __tsan_func_exit() {}
MAGPIE_HOOK inline void __tsan_vptr_update(void**, void*) {}
MAGPIE_HOOK inline void __tsan_vptr_read(void**) {}
MAGPIE_HOOK inline void __tsan_read_range(void* p, unsigned long bytes) {
  magpie::hook_plain(false, p, static_cast<std::uint32_t>(bytes), __builtin_return_address(0));
}
MAGPIE_HOOK inline void __tsan_write_range(void* p, unsigned long bytes) {
  magpie::hook_plain(true, p, static_cast<std::uint32_t>(bytes), __builtin_return_address(0));
}

#define MAGPIE_PLAIN_HOOKS(bytes)                                     \
  MAGPIE_HOOK inline void __tsan_read##bytes(void* p) {               \
    magpie::hook_plain(false, p, bytes, __builtin_return_address(0)); \
  }                                                                   \
  MAGPIE_HOOK inline void __tsan_write##bytes(void* p) {              \
    magpie::hook_plain(true, p, bytes, __builtin_return_address(0));  \
  }                                                                   \
  MAGPIE_HOOK inline void __tsan_unaligned_read##bytes(void* p) {     \
    magpie::hook_plain(false, p, bytes, __builtin_return_address(0)); \
  }                                                                   \
  MAGPIE_HOOK inline void __tsan_unaligned_write##bytes(void* p) {    \
    magpie::hook_plain(true, p, bytes, __builtin_return_address(0));  \
  }                                                                   \
  MAGPIE_HOOK inline void __tsan_volatile_read##bytes(void* p) {      \
    magpie::hook_plain(false, p, bytes, __builtin_return_address(0)); \
  }                                                                   \
  MAGPIE_HOOK inline void __tsan_volatile_write##bytes(void* p) {     \
    magpie::hook_plain(true, p, bytes, __builtin_return_address(0));  \
  }
MAGPIE_PLAIN_HOOKS(1)
MAGPIE_PLAIN_HOOKS(2)
MAGPIE_PLAIN_HOOKS(4)
MAGPIE_PLAIN_HOOKS(8)
MAGPIE_PLAIN_HOOKS(16)
#undef MAGPIE_PLAIN_HOOKS

#define MAGPIE_UPDATE_HOOK(bits, name, builtin)                                                        \
  MAGPIE_HOOK inline std::uint##bits##_t __tsan_atomic##bits##_##name(volatile std::uint##bits##_t* p, \
                                                                      std::uint##bits##_t v, int) {    \
    magpie::hook_atomic(magpie::trace_event::atomic, p, bits / 8, __builtin_return_address(0));        \
    return builtin(p, v, __ATOMIC_SEQ_CST);                                                            \
  }
#define MAGPIE_EXCHANGE_HOOK(bits, name)                                                                         \
  MAGPIE_HOOK inline int __tsan_atomic##bits##_compare_exchange_##name(                                          \
      volatile std::uint##bits##_t* p, std::uint##bits##_t* expected, std::uint##bits##_t desired, int, int) {   \
    magpie::hook_atomic(magpie::trace_event::atomic, p, bits / 8, __builtin_return_address(0));                  \
    return __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ? 1 : 0; \
  }
#define MAGPIE_ATOMIC_HOOKS(bits)                                                                                 \
  MAGPIE_HOOK inline std::uint##bits##_t __tsan_atomic##bits##_load(const volatile std::uint##bits##_t* p, int) { \
    magpie::hook_atomic(magpie::trace_event::shared_read, p, bits / 8, __builtin_return_address(0));              \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                                  \
  }                                                                                                               \
  MAGPIE_HOOK inline void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* p, std::uint##bits##_t v,     \
                                                      int order) {                                                \
    magpie::hook_atomic(magpie::trace_event::shared_write, p, bits / 8, __builtin_return_address(0));             \
    if (order == __ATOMIC_SEQ_CST) {                                                                              \
      __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                                   \
    } else {                                                                                                      \
      __atomic_store_n(p, v, __ATOMIC_RELEASE);                                                                   \
    }                                                                                                             \
  }                                                                                                               \
  MAGPIE_UPDATE_HOOK(bits, exchange, __atomic_exchange_n)                                                         \
  MAGPIE_UPDATE_HOOK(bits, fetch_add, __atomic_fetch_add)                                                         \
  MAGPIE_UPDATE_HOOK(bits, fetch_sub, __atomic_fetch_sub)                                                         \
  MAGPIE_UPDATE_HOOK(bits, fetch_and, __atomic_fetch_and)                                                         \
  MAGPIE_UPDATE_HOOK(bits, fetch_or, __atomic_fetch_or)                                                           \
  MAGPIE_UPDATE_HOOK(bits, fetch_xor, __atomic_fetch_xor)                                                         \
  MAGPIE_UPDATE_HOOK(bits, fetch_nand, __atomic_fetch_nand)                                                       \
  MAGPIE_EXCHANGE_HOOK(bits, strong)                                                                              \
  MAGPIE_EXCHANGE_HOOK(bits, weak)
MAGPIE_ATOMIC_HOOKS(8)
MAGPIE_ATOMIC_HOOKS(16)
MAGPIE_ATOMIC_HOOKS(32)
MAGPIE_ATOMIC_HOOKS(64)
#undef MAGPIE_ATOMIC_HOOKS
#undef MAGPIE_EXCHANGE_HOOK
#undef MAGPIE_UPDATE_HOOK

MAGPIE_HOOK inline void __tsan_atomic_thread_fence(int order) {
  if (order == __ATOMIC_SEQ_CST) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
MAGPIE_HOOK inline void __tsan_atomic_signal_fence(int) {}

}  // extern "C"

#undef MAGPIE_HOOK
