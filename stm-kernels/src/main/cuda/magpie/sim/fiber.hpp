/// @file
/// Fibers: stacks of their own on one host thread, and the switch between them.
///
/// Layer: sim, used by sim.cuh only. Plain host C++. A fiber is entered once, runs until it switches away, and
/// goes on where it switched away when somebody switches back. A fiber may be abandoned: nothing on its stack is
/// unwound. Exceptions must be caught on the fiber that threw them.
///
/// The switch is 20 instructions on x86-64 (callee-saved registers, the control words of SSE and x87), `swapcontext`
/// on other machines and where `MAGPIE_FIBER_UCONTEXT` is defined; the latter makes two system calls. Measured for the
/// former on a 3 GHz server core: 4 to 6 ns. AddressSanitizer is told of every switch.
///
/// Stacks are mapped lazily, pooled for the life of the module, and have an unreadable page below them, up to
/// `stack_pool::most_guarded` at one time (each costs two of the process's 65,530 mappings); beyond that an overflow
/// runs into the neighbor's stack.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <vector>

#if !defined(__x86_64__) && !defined(MAGPIE_FIBER_UCONTEXT)
#define MAGPIE_FIBER_UCONTEXT
#endif
#if defined(MAGPIE_FIBER_UCONTEXT)
#include <ucontext.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

MAGPIE_NAMESPACE_BEGIN

/// A fiber's stack: `bytes` from `base` upwards, with a guard page below `base` if `guarded`.
struct fiber_stack {
  std::byte* base = nullptr;
  std::size_t bytes = 0;
  bool guarded = false;
};

/// All stacks of this module that are not in use. Thread-safe.
class stack_pool {
 public:
#if defined(__SANITIZE_ADDRESS__)
  static constexpr std::size_t stack_bytes = std::size_t{1} << 20;
#else
  static constexpr std::size_t stack_bytes = std::size_t{1} << 18;
#endif
  static constexpr std::size_t most_guarded = 12'000;

  static stack_pool& instance() {
    static stack_pool pool;
    return pool;
  }

  /// Gives `n` stacks; std::bad_alloc if the system has no more room.
  std::vector<fiber_stack> acquire(std::size_t n) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<fiber_stack> stacks;
    stacks.reserve(n);
    while (stacks.size() < n && !free_.empty()) {
      stacks.push_back(free_.back());
      free_.pop_back();
    }
    while (stacks.size() < n) {
      const fiber_stack fresh = map();
      if (fresh.base == nullptr) {
        free_.insert(free_.end(), stacks.begin(), stacks.end());
        throw std::bad_alloc();
      }
      stacks.push_back(fresh);
    }
#if defined(__SANITIZE_ADDRESS__)
    // Abandoned fibers leave the red zones of their frames behind.
    for (const fiber_stack& stack : stacks) __asan_unpoison_memory_region(stack.base, stack.bytes);
#endif
    return stacks;
  }

  void release(const std::vector<fiber_stack>& stacks) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const fiber_stack& stack : stacks) {
      if (free_.size() < most_kept) {
        free_.push_back(stack);
      } else {
        unmap(stack);
      }
    }
  }

  ~stack_pool() {
    for (const fiber_stack& stack : free_) unmap(stack);
  }

 private:
  static constexpr std::size_t most_kept = 4096;

  stack_pool() = default;

  static std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

  fiber_stack map() {
    const bool guarded = guarded_ < most_guarded;
    const std::size_t guard = guarded ? page() : 0;
    void* const p = mmap(nullptr, guard + stack_bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (p == MAP_FAILED) return {};
    if (guarded) {
      if (mprotect(p, guard, PROT_NONE) != 0) {
        munmap(p, guard + stack_bytes);
        return {};
      }
      ++guarded_;
    }
    return {static_cast<std::byte*>(p) + guard, stack_bytes, guarded};
  }

  void unmap(const fiber_stack& stack) {
    const std::size_t guard = stack.guarded ? page() : 0;
    if (stack.guarded) --guarded_;
    munmap(stack.base - guard, guard + stack.bytes);
  }

  std::mutex mutex_;
  std::vector<fiber_stack> free_;
  std::size_t guarded_ = 0;
};

#if !defined(MAGPIE_FIBER_UCONTEXT)

/// Saves the caller's registers on its stack and the stack pointer in `*from`, then goes on where `to` was saved.
/// System V ABI: rbx, rbp, r12 to r15, mxcsr and the x87 control word belong to the callee. Written outside of any
/// function, so that no optimizer draws conclusions from what it seems not to do.
extern "C" __attribute__((visibility("hidden"))) void magpie_sim_switch_stack(void** from, void* to);
__asm__(
    ".pushsection .text.magpie_sim_switch_stack,\"axG\",@progbits,magpie_sim_switch_stack,comdat\n"
    ".weak magpie_sim_switch_stack\n"
    ".hidden magpie_sim_switch_stack\n"
    ".type magpie_sim_switch_stack,@function\n"
    ".p2align 4\n"
    "magpie_sim_switch_stack:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  subq $8, %rsp\n"
    "  stmxcsr (%rsp)\n"
    "  fnstcw 4(%rsp)\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  ldmxcsr (%rsp)\n"
    "  fldcw 4(%rsp)\n"
    "  addq $8, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n"
    ".size magpie_sim_switch_stack,.-magpie_sim_switch_stack\n"
    ".popsection\n");

#endif

/// A flow of control: the host thread's own, or that of a fiber. Neither copied nor moved.
class fiber {
 public:
  fiber() = default;
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// Makes this a fiber that runs `entry` on `stack` when it is first switched to. `entry` calls `entered` first and
  /// never returns.
  void prepare(const fiber_stack& stack, void (*entry)()) {
    stack_ = stack;
#if defined(MAGPIE_FIBER_UCONTEXT)
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack.base;
    context_.uc_stack.ss_size = stack.bytes;
    context_.uc_link = nullptr;
    makecontext(&context_, entry, 0);
#else
    // As if `entry` had been called by nobody: no return address, then what the switch pops.
    struct frame {
      std::uint32_t mxcsr;
      std::uint32_t x87_control;
      std::uint64_t saved[6];
      void (*entry)();
      std::uint64_t return_address;
    } top{};
    __asm__ volatile("stmxcsr %0" : "=m"(top.mxcsr));
    __asm__ volatile("fnstcw %0" : "=m"(top.x87_control));
    top.entry = entry;
    static_assert(sizeof(frame) == 72);
    // So at entry's first instruction the stack pointer is 8 more than a multiple of 16, as the ABI wants it.
    std::byte* const at = stack.base + stack.bytes - sizeof(frame);
    std::memcpy(at, &top, sizeof top);
    stack_pointer_ = at;
#endif
  }

  /// Where its stack ends, above its first frame.
  const void* stack_end() const { return stack_.base + stack_.bytes; }

  /// Leaves `from`, which runs, for `to`.
  static void switch_to(fiber& from, fiber& to) {
#if defined(__SANITIZE_ADDRESS__)
    to.came_from_ = &from;
    __sanitizer_start_switch_fiber(&from.fake_stack_, to.stack_.base, to.stack_.bytes);
#endif
#if defined(MAGPIE_FIBER_UCONTEXT)
    swapcontext(&from.context_, &to.context_);
#else
    magpie_sim_switch_stack(&from.stack_pointer_, to.stack_pointer_);
#endif
    from.entered();
  }

  /// To be called by the running fiber when it is first entered.
  void entered() {
#if defined(__SANITIZE_ADDRESS__)
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(fake_stack_, &bottom, &bytes);
    // The host thread's stack is learned when its first fiber starts.
    came_from_->stack_.base = static_cast<std::byte*>(const_cast<void*>(bottom));
    came_from_->stack_.bytes = bytes;
#endif
  }

 private:
  fiber_stack stack_;
#if defined(MAGPIE_FIBER_UCONTEXT)
  ucontext_t context_;
#else
  void* stack_pointer_ = nullptr;
#endif
#if defined(__SANITIZE_ADDRESS__)
  void* fake_stack_ = nullptr;
  fiber* came_from_ = nullptr;
#endif
};

MAGPIE_NAMESPACE_END
