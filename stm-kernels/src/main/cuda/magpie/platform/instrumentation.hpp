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
/// What an atomic operation reads or leaves its event has from the operation itself. Those that update are compare-exchange loops,
/// so that words of 16 bytes, two events each, need no library.
///
/// Orders are kept as x86 has them: all but sequentially consistent stores and fences need nothing besides what a call does.
///
/// Limits: not seen are `__builtin_memcpy` and its like of a constant size, which the compiler may expand in place, other
/// string functions, such as `memcmp`, and inline assembly; and what the call of a function that is not inlined takes from memory
/// as a struct by value, or returns straight into it: g++ calls nothing for these copies. Traced modules are built with more
/// inlining, so that only recursive and large functions, and those that must not or cannot be inlined, stay calls.
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

using word8 = std::uint8_t;
using word16 = std::uint16_t;
using word32 = std::uint32_t;
using word64 = std::uint64_t;

/// Whether `found` was there: then `desired` is now. Else gives what was.
template <class T>
MAGPIE_UNTRACED inline bool exchange(volatile T* p, T& found, T desired) {
  return __atomic_compare_exchange_n(p, &found, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
template <class T>
MAGPIE_UNTRACED inline T load(const volatile T* p) {
  return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}
template <class T>
MAGPIE_UNTRACED inline void store(volatile T* p, T value, int order) {
  if (order == __ATOMIC_SEQ_CST) {
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);
  } else {
    __atomic_store_n(p, value, __ATOMIC_RELEASE);
  }
}

// 16 bytes, which only a compare-exchange can have in place: a builtin for all else is a call of a library.
#if defined(__SIZEOF_INT128__) && (defined(__x86_64__) || defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16))
#define MAGPIE_HOOKS_WORD128
__extension__ typedef unsigned __int128 word128;
#if defined(__x86_64__)
#define MAGPIE_CX16 __attribute__((target("cx16")))
#else
#define MAGPIE_CX16
#endif
MAGPIE_CX16 MAGPIE_UNTRACED inline bool exchange(volatile word128* p, word128& found, word128 desired) {
  const word128 expected = found;
  found = __sync_val_compare_and_swap(p, expected, desired);
  return found == expected;
}
MAGPIE_UNTRACED inline word128 load(const volatile word128* p) {
  word128 found = 0;
  exchange(const_cast<volatile word128*>(p), found, found);
  return found;
}
MAGPIE_UNTRACED inline void store(volatile word128* p, word128 value, int) {
  word128 found = 0;
  while (!exchange(p, found, value)) {
  }
}
#endif

/// An atomic operation that is about to happen, for the launch's trace, if that notes it.
class noted_atomic {
 public:
  MAGPIE_UNTRACED noted_atomic(trace_event kind, const volatile void* p, std::uint32_t bytes, const void* place)
      : trace_(hook_atomic(kind, p, bytes, place)) {}
  noted_atomic(const noted_atomic&) = delete;
  noted_atomic& operator=(const noted_atomic&) = delete;

  template <class T>
  MAGPIE_UNTRACED T read(T value) const {
    if (trace_ != nullptr) trace_->read(static_cast<std::uint64_t>(value), above(value));
    return value;
  }
  template <class T>
  MAGPIE_UNTRACED void wrote(T value) const {
    if (trace_ != nullptr) trace_->wrote(static_cast<std::uint64_t>(value), above(value));
  }
  template <class T>
  MAGPIE_UNTRACED void left(T value) const {
    if (trace_ != nullptr) trace_->left(static_cast<std::uint64_t>(value), above(value));
  }

 private:
  template <class T>
  MAGPIE_UNTRACED static std::uint64_t above(T value) {
    if constexpr (sizeof(T) > 8) return static_cast<std::uint64_t>(value >> 64);
    return 0;
  }

  access_trace* const trace_;
};

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

#define MAGPIE_NOTE_HOOK(kind) \
  const magpie::hooks::noted_atomic noted(magpie::trace_event::kind, p, sizeof *p, __builtin_return_address(0))
#define MAGPIE_UPDATE_HOOK(bits, name, value)                                                                      \
  MAGPIE_HOOK inline magpie::hooks::word##bits __tsan_atomic##bits##_##name(volatile magpie::hooks::word##bits* p, \
                                                                            magpie::hooks::word##bits v, int) {    \
    MAGPIE_NOTE_HOOK(atomic);                                                                                      \
    magpie::hooks::word##bits old = magpie::hooks::load(p);                                                        \
    while (!magpie::hooks::exchange(p, old, static_cast<magpie::hooks::word##bits>(value))) {                      \
    }                                                                                                              \
    noted.wrote(static_cast<magpie::hooks::word##bits>(value));                                                    \
    return old;                                                                                                    \
  }
#define MAGPIE_EXCHANGE_HOOK(bits, name)                                                                              \
  MAGPIE_HOOK inline int __tsan_atomic##bits##_compare_exchange_##name(volatile magpie::hooks::word##bits* p,         \
                                                                       magpie::hooks::word##bits* expected,           \
                                                                       magpie::hooks::word##bits desired, int, int) { \
    MAGPIE_NOTE_HOOK(atomic);                                                                                         \
    const bool done = magpie::hooks::exchange(p, *expected, desired);                                                 \
    done ? noted.wrote(desired) : noted.left(*expected);                                                              \
    return done ? 1 : 0;                                                                                              \
  }
#define MAGPIE_ATOMIC_HOOKS(bits)                                                                                      \
  MAGPIE_HOOK inline magpie::hooks::word##bits __tsan_atomic##bits##_load(const volatile magpie::hooks::word##bits* p, \
                                                                          int) {                                       \
    MAGPIE_NOTE_HOOK(shared_read);                                                                                     \
    return noted.read(magpie::hooks::load(p));                                                                         \
  }                                                                                                                    \
  MAGPIE_HOOK inline void __tsan_atomic##bits##_store(volatile magpie::hooks::word##bits* p,                           \
                                                      magpie::hooks::word##bits v, int order) {                        \
    MAGPIE_NOTE_HOOK(shared_write);                                                                                    \
    magpie::hooks::store(p, v, order);                                                                                 \
    noted.wrote(v);                                                                                                    \
  }                                                                                                                    \
  MAGPIE_UPDATE_HOOK(bits, exchange, v)                                                                                \
  MAGPIE_UPDATE_HOOK(bits, fetch_add, old + v)                                                                         \
  MAGPIE_UPDATE_HOOK(bits, fetch_sub, old - v)                                                                         \
  MAGPIE_UPDATE_HOOK(bits, fetch_and, (old & v))                                                                       \
  MAGPIE_UPDATE_HOOK(bits, fetch_or, old | v)                                                                          \
  MAGPIE_UPDATE_HOOK(bits, fetch_xor, old ^ v)                                                                         \
  MAGPIE_UPDATE_HOOK(bits, fetch_nand, ~(old & v))                                                                     \
  MAGPIE_EXCHANGE_HOOK(bits, strong)                                                                                   \
  MAGPIE_EXCHANGE_HOOK(bits, weak)
MAGPIE_ATOMIC_HOOKS(8)
MAGPIE_ATOMIC_HOOKS(16)
MAGPIE_ATOMIC_HOOKS(32)
MAGPIE_ATOMIC_HOOKS(64)
#if defined(MAGPIE_HOOKS_WORD128)
MAGPIE_ATOMIC_HOOKS(128)
#undef MAGPIE_HOOKS_WORD128
#undef MAGPIE_CX16
#endif
#undef MAGPIE_ATOMIC_HOOKS
#undef MAGPIE_EXCHANGE_HOOK
#undef MAGPIE_UPDATE_HOOK
#undef MAGPIE_NOTE_HOOK

MAGPIE_HOOK inline void __tsan_atomic_thread_fence(int order) {
  if (order == __ATOMIC_SEQ_CST) __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
MAGPIE_HOOK inline void __tsan_atomic_signal_fence(int) {}

}  // extern "C"

#undef MAGPIE_HOOK
