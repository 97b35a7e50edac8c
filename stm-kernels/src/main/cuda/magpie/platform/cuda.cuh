/// @file
/// The `cuda` machine: accessors are inline PTX in the `.global` state space, the warp is the hardware's.
///
/// Layer: platform; see platform.cuh for the vocabulary. Why PTX: `cuda::atomic_ref` works on generic addresses, never
/// becomes a reduction (`red`), and carries a shared-memory fall-back for 64-bit minimum. All pointers handed to the
/// accessors must point to global memory. Minimum compute capability 7.5.
#pragma once

#include <type_traits>

#define MAGPIE_DEVICE __device__
#define MAGPIE_HOST_DEVICE __host__ __device__
#define MAGPIE_INLINE __device__ __forceinline__
/// For what depends on the place of its call, as accessors and `append`: inlined wherever it is called.
#define MAGPIE_FORCE_INLINE MAGPIE_INLINE
/// For what is rarely called and should not cost its caller registers.
#define MAGPIE_NOINLINE __device__ __noinline__ inline
/// Before host code that runs once in a module.
#define MAGPIE_COLD __attribute__((cold, noinline))
/// Before a variable of the module, which its kernels share and keep from launch to launch.
#define MAGPIE_MODULE_VARIABLE static __device__
/// Before a loop of few constant steps whose index must become a constant.
#define MAGPIE_UNROLL _Pragma("unroll")
/// Before a loop whose unrolled form would hold too many registers.
#define MAGPIE_NO_UNROLL _Pragma("unroll 1")
#define MAGPIE_NAMESPACE_BEGIN \
  namespace magpie {           \
  inline namespace magpie_cuda {
#define MAGPIE_NAMESPACE_END \
  }                          \
  }
#define MAGPIE_CHECKS_BOUNDS 0

#include "magpie/platform/access_notes.hpp"
#include "magpie/platform/range.cuh"
#include "magpie/platform/trace_event.hpp"

MAGPIE_NAMESPACE_BEGIN

/// Whether `max_*_dev` is one instruction that cannot fail (true) or a compare-exchange loop (false). Bounded waiting
/// in place is live only with the former (hand_off.cuh).
inline constexpr bool has_atomic_max = true;

/// Polls after which, in a launch that is being ended, a thread that does not free what it holds is taken to be gone by a fault
/// of its own; 0: that cannot be, as a fault ends all threads.
inline constexpr std::uint32_t polls_for_the_gone = 0;

MAGPIE_INLINE void holds(bool condition) { __builtin_assume(condition); }

/// Threads of a warp.
inline constexpr std::uint32_t warp_size = 32;

MAGPIE_INLINE double fma_rn(double a, double b, double c) { return __fma_rn(a, b, c); }
MAGPIE_INLINE double add_rn(double a, double b) { return __dadd_rn(a, b); }
MAGPIE_INLINE double sub_rn(double a, double b) { return __dsub_rn(a, b); }
MAGPIE_INLINE double mul_rn(double a, double b) { return __dmul_rn(a, b); }

MAGPIE_INLINE float reciprocal_root(float v) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(v));
  return root;
}
MAGPIE_INLINE double reciprocal_root(double v) { return rsqrt(v); }

/// Threads of a block of the kernel `Functor`: its `block_size`, if it has one.
template <class Functor>
constexpr unsigned block_size_of() {
  if constexpr (requires { Functor::block_size; }) {
    static_assert(Functor::block_size % 32 == 0 && Functor::block_size <= 1024, "a block is 1 to 32 whole warps");
    return Functor::block_size;
  } else {
    return 256;
  }
}

/// Whether some GPU's multiprocessor runs so many blocks of that many threads at the same time. Many run fewer: with compute
/// capability 7.5 there are 1,024 threads, with 8.6 and 8.9 1,536.
constexpr bool can_be_resident(std::uint64_t blocks, unsigned threads) { return blocks <= 2048 / threads; }

/// Blocks of the kernel `Functor` that the registers of a multiprocessor suffice for, its `resident_blocks`; 0, if it does not
/// say: the compiler's choice, which may be more than ever run, each with fewer registers and the rest in local memory.
template <class Functor>
constexpr unsigned resident_blocks_of() {
  if constexpr (requires { Functor::resident_blocks; }) {
    static_assert(can_be_resident(Functor::resident_blocks, block_size_of<Functor>()),
                  "a multiprocessor runs at most 2,048 threads");
    return Functor::resident_blocks;
  } else {
    return 0;
  }
}

namespace ptx {

template <class T>
MAGPIE_INLINE auto address(T* p) {
  return __cvta_generic_to_global(p);
}

template <class To, class From>
MAGPIE_INLINE To bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

// Each operation once for 32 and once for 64 bits; `volatile` keeps their order in the program, the memory clobber of
// acquire, release and fences keeps ordinary accesses on their side.
// clang-format off
#define MAGPIE_PTX_LOAD(name, order, clobber)                                                             \
  MAGPIE_INLINE std::uint32_t name(const std::uint32_t* p) {                                              \
    std::uint32_t v;                                                                                      \
    asm volatile("ld." order ".gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(address(p)) clobber);            \
    return v;                                                                                             \
  }                                                                                                       \
  MAGPIE_INLINE std::uint64_t name(const std::uint64_t* p) {                                              \
    std::uint64_t v;                                                                                      \
    asm volatile("ld." order ".gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(address(p)) clobber);            \
    return v;                                                                                             \
  }
#define MAGPIE_PTX_STORE(name, order, clobber)                                                            \
  MAGPIE_INLINE void name(std::uint32_t* p, std::uint32_t v) {                                            \
    asm volatile("st." order ".gpu.global.u32 [%0], %1;" ::"l"(address(p)), "r"(v) clobber);              \
  }                                                                                                       \
  MAGPIE_INLINE void name(std::uint64_t* p, std::uint64_t v) {                                            \
    asm volatile("st." order ".gpu.global.u64 [%0], %1;" ::"l"(address(p)), "l"(v) clobber);              \
  }
#define MAGPIE_PTX_NARROW_LOAD(name, order, clobber)                                                      \
  MAGPIE_INLINE std::uint8_t name(const std::uint8_t* p) {                                                \
    std::uint16_t v; /* no register is narrower */                                                        \
    asm volatile("ld." order ".gpu.global.u8 %0, [%1];" : "=h"(v) : "l"(address(p)) clobber);             \
    return static_cast<std::uint8_t>(v);                                                                  \
  }                                                                                                       \
  MAGPIE_INLINE std::uint16_t name(const std::uint16_t* p) {                                              \
    std::uint16_t v;                                                                                      \
    asm volatile("ld." order ".gpu.global.u16 %0, [%1];" : "=h"(v) : "l"(address(p)) clobber);            \
    return v;                                                                                             \
  }
#define MAGPIE_PTX_NARROW_STORE(name, order, clobber)                                                     \
  MAGPIE_INLINE void name(std::uint8_t* p, std::uint8_t v) {                                              \
    asm volatile("st." order ".gpu.global.u8 [%0], %1;" ::"l"(address(p)), "h"(std::uint16_t{v}) clobber); \
  }                                                                                                       \
  MAGPIE_INLINE void name(std::uint16_t* p, std::uint16_t v) {                                            \
    asm volatile("st." order ".gpu.global.u16 [%0], %1;" ::"l"(address(p)), "h"(v) clobber);              \
  }
#define MAGPIE_PTX_CAS(name, order, clobber)                                                              \
  MAGPIE_INLINE std::uint32_t name(std::uint32_t* p, std::uint32_t expected, std::uint32_t desired) {     \
    std::uint32_t old;                                                                                    \
    asm volatile("atom." order ".gpu.global.cas.b32 %0, [%1], %2, %3;"                                    \
                 : "=r"(old)                                                                              \
                 : "l"(address(p)), "r"(expected), "r"(desired) clobber);                                 \
    return old;                                                                                           \
  }                                                                                                       \
  MAGPIE_INLINE std::uint64_t name(std::uint64_t* p, std::uint64_t expected, std::uint64_t desired) {     \
    std::uint64_t old;                                                                                    \
    asm volatile("atom." order ".gpu.global.cas.b64 %0, [%1], %2, %3;"                                    \
                 : "=l"(old)                                                                              \
                 : "l"(address(p)), "l"(expected), "l"(desired) clobber);                                 \
    return old;                                                                                           \
  }
#define MAGPIE_PTX_RMW(name, order, operation, type, reg, ctype, clobber)                                 \
  MAGPIE_INLINE ctype name(ctype* p, ctype v) {                                                           \
    ctype old;                                                                                            \
    asm volatile("atom." order ".gpu.global." operation "." type " %0, [%1], %2;"                         \
                 : "=" reg(old)                                                                           \
                 : "l"(address(p)), reg(v) clobber);                                                      \
    return old;                                                                                           \
  }
#define MAGPIE_PTX_RED(name, operation, type, reg, ctype)                                                 \
  MAGPIE_INLINE void name(ctype* p, ctype v) {                                                            \
    asm volatile("red.relaxed.gpu.global." operation "." type " [%0], %1;" ::"l"(address(p)), reg(v));    \
  }
// clang-format on
#define MAGPIE_CLOBBER :"memory"
#define MAGPIE_NO_CLOBBER

MAGPIE_PTX_LOAD(ld_rlx, "relaxed", MAGPIE_NO_CLOBBER)
MAGPIE_PTX_LOAD(ld_acq, "acquire", MAGPIE_CLOBBER)
MAGPIE_PTX_STORE(st_rlx, "relaxed", MAGPIE_NO_CLOBBER)
MAGPIE_PTX_STORE(st_rel, "release", MAGPIE_CLOBBER)
MAGPIE_PTX_NARROW_LOAD(ld_rlx, "relaxed", MAGPIE_NO_CLOBBER)
MAGPIE_PTX_NARROW_LOAD(ld_acq, "acquire", MAGPIE_CLOBBER)
MAGPIE_PTX_NARROW_STORE(st_rlx, "relaxed", MAGPIE_NO_CLOBBER)
MAGPIE_PTX_NARROW_STORE(st_rel, "release", MAGPIE_CLOBBER)
MAGPIE_PTX_CAS(cas_rlx, "relaxed", MAGPIE_NO_CLOBBER)
MAGPIE_PTX_CAS(cas_acq, "acquire", MAGPIE_CLOBBER)
MAGPIE_PTX_CAS(cas_acqrel, "acq_rel", MAGPIE_CLOBBER)
MAGPIE_PTX_RMW(exch_rlx, "relaxed", "exch", "b32", "r", std::uint32_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(exch_rlx, "relaxed", "exch", "b64", "l", std::uint64_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(add_rlx, "relaxed", "add", "u32", "r", std::uint32_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(add_rlx, "relaxed", "add", "u64", "l", std::uint64_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(and_rlx, "relaxed", "and", "b32", "r", std::uint32_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(and_rlx, "relaxed", "and", "b64", "l", std::uint64_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(or_rlx, "relaxed", "or", "b32", "r", std::uint32_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(or_rlx, "relaxed", "or", "b64", "l", std::uint64_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(min_rlx, "relaxed", "min", "u32", "r", std::uint32_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(min_rlx, "relaxed", "min", "u64", "l", std::uint64_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(min_rlx, "relaxed", "min", "s32", "r", std::int32_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(min_rlx, "relaxed", "min", "s64", "l", std::int64_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(max_rlx, "relaxed", "max", "u32", "r", std::uint32_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(max_rlx, "relaxed", "max", "u64", "l", std::uint64_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(max_rlx, "relaxed", "max", "s32", "r", std::int32_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(max_rlx, "relaxed", "max", "s64", "l", std::int64_t, MAGPIE_NO_CLOBBER)
MAGPIE_PTX_RMW(max_acq, "acquire", "max", "u32", "r", std::uint32_t, MAGPIE_CLOBBER)
MAGPIE_PTX_RMW(max_acq, "acquire", "max", "u64", "l", std::uint64_t, MAGPIE_CLOBBER)
MAGPIE_PTX_RED(red_add, "add", "u32", "r", std::uint32_t)
MAGPIE_PTX_RED(red_add, "add", "u64", "l", std::uint64_t)
MAGPIE_PTX_RED(red_and, "and", "b32", "r", std::uint32_t)
MAGPIE_PTX_RED(red_and, "and", "b64", "l", std::uint64_t)
MAGPIE_PTX_RED(red_or, "or", "b32", "r", std::uint32_t)
MAGPIE_PTX_RED(red_or, "or", "b64", "l", std::uint64_t)
MAGPIE_PTX_RED(red_min, "min", "u32", "r", std::uint32_t)
MAGPIE_PTX_RED(red_min, "min", "u64", "l", std::uint64_t)
MAGPIE_PTX_RED(red_min, "min", "s32", "r", std::int32_t)
MAGPIE_PTX_RED(red_min, "min", "s64", "l", std::int64_t)
MAGPIE_PTX_RED(red_max, "max", "u32", "r", std::uint32_t)
MAGPIE_PTX_RED(red_max, "max", "u64", "l", std::uint64_t)
MAGPIE_PTX_RED(red_max, "max", "s32", "r", std::int32_t)
MAGPIE_PTX_RED(red_max, "max", "s64", "l", std::int64_t)

#undef MAGPIE_PTX_LOAD
#undef MAGPIE_PTX_STORE
#undef MAGPIE_PTX_NARROW_LOAD
#undef MAGPIE_PTX_NARROW_STORE
#undef MAGPIE_PTX_CAS
#undef MAGPIE_PTX_RMW
#undef MAGPIE_PTX_RED
#undef MAGPIE_CLOBBER
#undef MAGPIE_NO_CLOBBER

template <class T>
using raw = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;
/// The type minimum and maximum compare in: the signedness of T with a fixed width.
template <class T>
using ordered =
    std::conditional_t<std::is_signed_v<T>, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>, raw<T>>;

/// For loads and stores; read-modify-writes take 4 and 8 bytes only, of which there is a function each.
template <class T>
MAGPIE_INLINE raw<T>* as_raw(T* p) {
  static_assert(sizeof(T) == sizeof(raw<T>) && std::is_trivially_copyable_v<T>,
                "shared words have 1, 2, 4 or 8 bytes and are trivially copyable");
  return reinterpret_cast<raw<T>*>(p);
}
template <class T>
MAGPIE_INLINE const raw<T>* as_raw(const T* p) {
  static_assert(sizeof(T) == sizeof(raw<T>) && std::is_trivially_copyable_v<T>,
                "shared words have 1, 2, 4 or 8 bytes and are trivially copyable");
  return reinterpret_cast<const raw<T>*>(p);
}
template <class T>
MAGPIE_INLINE ordered<T>* as_ordered(T* p) {
  static_assert(std::is_integral_v<T>, "minimum and maximum need an integer type");
  return reinterpret_cast<ordered<T>*>(p);
}

}  // namespace ptx

template <class T>
MAGPIE_INLINE T ld_plain(const T* p) {
  if constexpr (sizeof(T) == 4) {
    return ptx::bits<T>(__ldg(reinterpret_cast<const unsigned int*>(p)));
  } else if constexpr (sizeof(T) == 8) {
    return ptx::bits<T>(__ldg(reinterpret_cast<const uint2*>(p)));
  } else if constexpr (sizeof(T) == 16 && alignof(T) >= 16) {
    return ptx::bits<T>(__ldg(reinterpret_cast<const uint4*>(p)));
  } else {
    return *p;
  }
}
template <class T>
MAGPIE_INLINE T ld_own(const T* p) {
  return *p;
}
template <class T>
MAGPIE_INLINE void st_plain(T* p, std::type_identity_t<T> v) {
  *p = v;
}

#define MAGPIE_FORWARD_LOAD(name, operation)             \
  template <class T>                                     \
  MAGPIE_INLINE T name(const T* p) {                     \
    MAGPIE_NOTE_ACCESS(p);                               \
    return ptx::bits<T>(ptx::operation(ptx::as_raw(p))); \
  }
#define MAGPIE_FORWARD_STORE(name, operation)                  \
  template <class T>                                           \
  MAGPIE_INLINE void name(T* p, std::type_identity_t<T> v) {   \
    MAGPIE_NOTE_ACCESS(p);                                     \
    ptx::operation(ptx::as_raw(p), ptx::bits<ptx::raw<T>>(v)); \
  }
#define MAGPIE_FORWARD_RED(name, operation)                    \
  template <class T>                                           \
  MAGPIE_INLINE void name(T* p, std::type_identity_t<T> v) {   \
    MAGPIE_NOTE_ATOMIC(p);                                     \
    ptx::operation(ptx::as_raw(p), ptx::bits<ptx::raw<T>>(v)); \
  }
#define MAGPIE_FORWARD_RMW(name, operation)                                          \
  template <class T>                                                                 \
  MAGPIE_INLINE T name(T* p, std::type_identity_t<T> v) {                            \
    static_assert(std::is_integral_v<T>, "read-modify-write needs an integer type"); \
    MAGPIE_NOTE_ATOMIC(p);                                                           \
    return ptx::bits<T>(ptx::operation(ptx::as_raw(p), ptx::bits<ptx::raw<T>>(v)));  \
  }
#define MAGPIE_FORWARD_CAS(name, operation)                                                                 \
  template <class T>                                                                                        \
  MAGPIE_INLINE T name(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {           \
    MAGPIE_NOTE_ATOMIC(p);                                                                                  \
    return ptx::bits<T>(                                                                                    \
        ptx::operation(ptx::as_raw(p), ptx::bits<ptx::raw<T>>(expected), ptx::bits<ptx::raw<T>>(desired))); \
  }
#define MAGPIE_FORWARD_ORDERED(name, operation)                                 \
  template <class T>                                                            \
  MAGPIE_INLINE auto name(T* p, std::type_identity_t<T> v) {                    \
    MAGPIE_NOTE_ATOMIC(p);                                                      \
    return ptx::operation(ptx::as_ordered(p), static_cast<ptx::ordered<T>>(v)); \
  }

MAGPIE_FORWARD_LOAD(ld_rlx_dev, ld_rlx)
MAGPIE_FORWARD_LOAD(ld_acq_dev, ld_acq)
MAGPIE_FORWARD_STORE(st_rlx_dev, st_rlx)
MAGPIE_FORWARD_STORE(st_rel_dev, st_rel)
MAGPIE_FORWARD_CAS(cas_rlx_dev, cas_rlx)
MAGPIE_FORWARD_CAS(cas_acq_dev, cas_acq)
MAGPIE_FORWARD_CAS(cas_acqrel_dev, cas_acqrel)
MAGPIE_FORWARD_RMW(exch_rlx_dev, exch_rlx)
MAGPIE_FORWARD_RMW(add_rlx_dev, add_rlx)
MAGPIE_FORWARD_RMW(and_rlx_dev, and_rlx)
MAGPIE_FORWARD_RMW(or_rlx_dev, or_rlx)
MAGPIE_FORWARD_ORDERED(min_rlx_dev, min_rlx)
MAGPIE_FORWARD_ORDERED(max_rlx_dev, max_rlx)
MAGPIE_FORWARD_ORDERED(max_acq_dev, max_acq)
MAGPIE_FORWARD_RED(red_add_rlx_dev, red_add)
MAGPIE_FORWARD_RED(red_and_rlx_dev, red_and)
MAGPIE_FORWARD_RED(red_or_rlx_dev, red_or)
MAGPIE_FORWARD_ORDERED(red_min_rlx_dev, red_min)
MAGPIE_FORWARD_ORDERED(red_max_rlx_dev, red_max)

#undef MAGPIE_FORWARD_LOAD
#undef MAGPIE_FORWARD_STORE
#undef MAGPIE_FORWARD_RED
#undef MAGPIE_FORWARD_RMW
#undef MAGPIE_FORWARD_CAS
#undef MAGPIE_FORWARD_ORDERED

// Which lines the L2 cache evicts before others. From compute capability 8.0 on.
namespace ptx {

#if __CUDA_ARCH__ >= 800
MAGPIE_INLINE std::uint64_t goes_first() {
  std::uint64_t v;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(v));
  return v;
}
MAGPIE_INLINE void st_rlx_last(std::uint32_t* p, std::uint32_t v) {
  asm volatile("st.relaxed.gpu.global.L2::cache_hint.u32 [%0], %1, %2;" ::"l"(address(p)), "r"(v), "l"(goes_first()));
}
MAGPIE_INLINE void st_rlx_last(std::uint64_t* p, std::uint64_t v) {
  asm volatile("st.relaxed.gpu.global.L2::cache_hint.u64 [%0], %1, %2;" ::"l"(address(p)), "l"(v), "l"(goes_first()));
}
MAGPIE_INLINE void red_and_last(std::uint32_t* p, std::uint32_t v) {
  asm volatile("red.relaxed.gpu.global.and.L2::cache_hint.b32 [%0], %1, %2;" ::"l"(address(p)), "r"(v),
               "l"(goes_first()));
}
#else
template <class T>
MAGPIE_INLINE void st_rlx_last(T* p, T v) {
  st_rlx(p, v);
}
MAGPIE_INLINE void red_and_last(std::uint32_t* p, std::uint32_t v) { red_and(p, v); }
#endif

}  // namespace ptx

template <class T>
MAGPIE_INLINE void st_rlx_dev_last(T* p, std::type_identity_t<T> v) {
  MAGPIE_NOTE_ACCESS(p);
  ptx::st_rlx_last(ptx::as_raw(p), ptx::bits<ptx::raw<T>>(v));
}
MAGPIE_INLINE void red_and_rlx_dev_last(std::uint32_t* p, std::uint32_t v) {
  MAGPIE_NOTE_ATOMIC(p);
  ptx::red_and_last(p, v);
}

MAGPIE_INLINE word_pair ld_rlx_pair_dev(const word_pair* p) {
  word_pair v;
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(v.first), "=l"(v.second) : "l"(ptx::address(p)));
  return v;
}
MAGPIE_INLINE void st_rlx_pair_dev(word_pair* p, word_pair v) {
  asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(ptx::address(p)), "l"(v.first), "l"(v.second));
}

MAGPIE_INLINE void add_for_host(std::uint64_t* p, std::uint64_t n) { red_add_rlx_dev(p, n); }
MAGPIE_INLINE void raise_for_host(std::uint64_t* p, std::uint64_t v) { red_max_rlx_dev(p, v); }
MAGPIE_INLINE std::uint64_t enter_for_host(std::uint64_t* p, std::uint64_t v) {
  const std::uint64_t seen = ld_rlx_dev(p);
  return seen != 0 ? seen : cas_rlx_dev(p, std::uint64_t{0}, v);
}

/// Other warps run while one waits.
MAGPIE_INLINE void prefetch(const void*) {}

MAGPIE_INLINE void fence_acqrel_dev() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
MAGPIE_INLINE void fence_sc_dev() { asm volatile("fence.sc.gpu;" ::: "memory"); }

/// Lets other threads run for about `nanoseconds` (0: a hint only). Never a substitute for a bound on a wait.
MAGPIE_INLINE void pause(std::uint32_t nanoseconds) { __nanosleep(nanoseconds); }

/// Between two polls of a wait; `poll` counts them. Short: longer ones delay the hand-over, none at all crowds the
/// memory that the holder needs (both measured).
MAGPIE_INLINE void pause_while_polling(std::uint32_t) { __nanosleep(20); }

/// Nanoseconds of a timer that all threads of the GPU read; advances in steps of up to a microsecond.
MAGPIE_INLINE std::uint64_t timestamp([[maybe_unused]] bool ends = false) {
  std::uint64_t v;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(v)::"memory");
  return v;
}

/// Nobody listens here.
MAGPIE_INLINE void progress() {}
MAGPIE_INLINE void begin_phase() {}
MAGPIE_INLINE void setback() {}
MAGPIE_INLINE void in_vain(std::uint32_t) {}

/// Launches are traced on `cpu` and `sim`: nvcc puts nothing in front of plain accesses.
inline constexpr bool tracing = false;
MAGPIE_INLINE void trace(trace_event, std::uint64_t = 0, const void* = nullptr, const void* = nullptr) {}
MAGPIE_INLINE void trace_next(trace_event, const void*) {}
MAGPIE_INLINE bool forces_retry(bool) { return false; }
MAGPIE_INLINE void working_on(std::uint64_t) {}

/// Number of bits set.
MAGPIE_INLINE std::uint32_t popcount(std::uint32_t v) { return static_cast<std::uint32_t>(__popc(v)); }
/// Number of zero bits above the highest set one; 32 for 0.
MAGPIE_INLINE std::uint32_t countl_zero(std::uint32_t v) { return static_cast<std::uint32_t>(__clz(v)); }
/// Index of the lowest set bit; undefined for 0.
MAGPIE_INLINE std::uint32_t lowest_bit(std::uint32_t v) { return static_cast<std::uint32_t>(__ffs(v)) - 1u; }

/// The thread that runs a kernel: its identity, its share of a launch's items, and its warp's collectives.
///
/// Participation: a collective is called by all lanes of the warp, converged. `active_lanes` is the exception.
struct thread {
  /// Position in the grid, in [0, size()).
  MAGPIE_INLINE std::uint32_t rank() const { return blockIdx.x * blockDim.x + threadIdx.x; }
  /// Threads in the grid; a multiple of width().
  MAGPIE_INLINE std::uint32_t size() const { return gridDim.x * blockDim.x; }
  /// Position in the warp, in [0, width()).
  MAGPIE_INLINE std::uint32_t lane() const { return threadIdx.x & (warp_size - 1u); }
  /// Threads of a warp.
  MAGPIE_INLINE static constexpr std::uint32_t width() { return warp_size; }

  /// This thread's share of [0, n): a grid stride. n + size() must not overflow `Index`.
  template <class Index>
  MAGPIE_INLINE strided_range<Index> items(Index n) const {
    return {static_cast<Index>(rank()), n, static_cast<Index>(size())};
  }
  /// First items of this warp's shares of [0, n): the same sequence on every lane; the lane's item is base + lane(),
  /// which may lie beyond n.
  template <class Index>
  MAGPIE_INLINE strided_range<Index> warp_items(Index n) const {
    return {static_cast<Index>(rank() - lane()), n, static_cast<Index>(size())};
  }

  MAGPIE_INLINE std::uint32_t ballot(bool predicate) const { return __ballot_sync(all_lanes, predicate); }
  MAGPIE_INLINE bool any(bool predicate) const { return __any_sync(all_lanes, predicate) != 0; }
  MAGPIE_INLINE bool all(bool predicate) const { return __all_sync(all_lanes, predicate) != 0; }
  /// The value of lane `source` (taken modulo the width).
  template <class T>
  MAGPIE_INLINE T shuffle(T v, std::uint32_t source) const {
    return __shfl_sync(all_lanes, v, static_cast<int>(source));
  }
  /// The value of the lane `distance` above; the own value where there is none.
  template <class T>
  MAGPIE_INLINE T shuffle_down(T v, std::uint32_t distance) const {
    return __shfl_down_sync(all_lanes, v, distance);
  }
  /// The value of the lane `distance` below; the own value where there is none.
  template <class T>
  MAGPIE_INLINE T shuffle_up(T v, std::uint32_t distance) const {
    return __shfl_up_sync(all_lanes, v, distance);
  }
  /// Sum over the warp, on every lane.
  template <class T>
  MAGPIE_INLINE T reduce_add(T v) const {
    for (std::uint32_t distance = warp_size / 2; distance > 0; distance /= 2) {
      v += __shfl_xor_sync(all_lanes, v, static_cast<int>(distance));
    }
    return v;
  }
  /// The least over the warp, on every lane.
  MAGPIE_INLINE std::uint32_t reduce_min(std::uint32_t v) const {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(all_lanes, v);
#else
    for (std::uint32_t distance = warp_size / 2; distance > 0; distance /= 2) {
      const std::uint32_t other = __shfl_xor_sync(all_lanes, v, static_cast<int>(distance));
      v = other < v ? other : v;
    }
    return v;
#endif
  }
  /// Orders the warp's accesses to memory before it with those after it, and converges the warp.
  MAGPIE_INLINE void sync_warp() const { __syncwarp(all_lanes); }

  /// The lanes that happen to be here, this one among them; no promise which. For aggregation only.
  MAGPIE_INLINE std::uint32_t active_lanes() const { return __activemask(); }
  /// The value of lane `source` among `lanes`, which are here together (from `active_lanes`).
  template <class T>
  MAGPIE_INLINE T shuffle_among(std::uint32_t lanes, T v, std::uint32_t source) const {
    return __shfl_sync(lanes, v, static_cast<int>(source));
  }
  /// Those of `lanes`, which are here together, whose predicate holds.
  MAGPIE_INLINE std::uint32_t ballot_among(std::uint32_t lanes, bool predicate) const {
    return __ballot_sync(lanes, predicate);
  }
  /// Whether the predicate holds on any of `lanes`, each of which calls it with the same lanes.
  MAGPIE_INLINE bool any_among(std::uint32_t lanes, bool predicate) const { return __any_sync(lanes, predicate) != 0; }
  /// Brings `lanes` of the warp together, this one among them, each of which calls it with the same lanes. For speed
  /// alone: lanes that took different paths step together again.
  MAGPIE_INLINE void converge(std::uint32_t lanes) const { __syncwarp(lanes); }

 private:
  static constexpr std::uint32_t all_lanes = 0xffffffffu;
};

MAGPIE_NAMESPACE_END
