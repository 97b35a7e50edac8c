/// @file
/// Ends a launch that the processor stops, or that its host gives up, without ending the process.
///
/// Layer: platform, used by cpu.cuh and sim.cuh. Plain host C++ on POSIX signals. A division by zero, an access where
/// there is no memory or the overflow of a stack raises a signal on the thread that ran into it. `fault_guard` is armed
/// around a kernel's code: while it is, such a signal takes its thread back to where the guard was armed, and the launch
/// ends with `launch_processor_fault`. `interrupt` sends a signal of its own to the threads of a launch that does not
/// end: a region may loop without ever calling the library. What was under way is abandoned: destructors do not run, and
/// what a kernel held (claims, memory it allocated) stays held. A thread that is interrupted is left only while it runs
/// code of this module, and so not within the C library, whose locks would stay locked: one that is always elsewhere, such
/// as asleep, is never left.
///
///     fault_guard guard(functor, __builtin_frame_address(0));
///     if (sigsetjmp(guard.back(), 0) == 0) {
///       guard.arm();
///       ... kernels ...
///       guard.disarm();
///     } else {
///       ... guard.what() ...
///     }
///
/// Signals of other threads, those that come while no guard is armed, and those that were sent (kill, raise) go to the
/// handler that was there before, so a JVM's own faults stay its own. It is called as the system would call it: with its
/// own signal mask, and only once if it asked for that. If there was no handler, the system's default action follows. If
/// the signal was ignored, it still is when it was sent, but a fault ends the process, as it would without this module.
/// Two things differ: a handler runs on the signal stack if the thread has one, and interrupted system calls are restarted
/// (SA_ONSTACK, SA_RESTART). Each module installs its handlers at its first launch and never takes them back, so a module
/// must not be unloaded after that.
///
/// Participation: one guard per thread and module at a time; up to `most_guards` in a module, beyond which launches run
/// unguarded. Under AddressSanitizer and ThreadSanitizer, which report such faults themselves, nothing is ever armed.
///
/// Shared state: `slots`; a slot belongs to the thread that took it by compare-exchange (acquire) until it gives it back
/// (release). A handler reads the slot of its own thread only; `interrupt` reads others' (acquire) and sends signals,
/// which at worst come late and find no guard. Handlers call nothing that is not async-signal-safe.
///
/// Cost: three system calls per launch or part of one; nothing inside the kernel.
#pragma once

#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

MAGPIE_NAMESPACE_BEGIN

class fault_guard {
 public:
  static constexpr std::size_t most_guards = 1024;
#if defined(__SANITIZE_ADDRESS__) || (defined(__SANITIZE_THREAD__) && !defined(MAGPIE_TRACE))
  static constexpr bool available = false;
#else
  static constexpr bool available = true;
#endif

  /// `launch` tells the guard's launch from others, for `interrupt`; the kernel's frames lie below `frame`, that of who
  /// arms the guard, unless `runs_on` says otherwise.
  fault_guard(const void* launch, const void* frame) : launch_(launch), frame_(frame) {
    if constexpr (available) {
      static const bool installed = install();
      if (installed) enter();
    }
  }
  fault_guard(const fault_guard&) = delete;
  fault_guard& operator=(const fault_guard&) = delete;
  ~fault_guard() {
    if (mine_ != nullptr) leave();
  }

  sigjmp_buf& back() { return back_; }
  void arm() { armed_ = mine_ != nullptr; }
  void disarm() { armed_ = false; }

  /// A machine that can end its launch by itself, at the next step, is asked to do that first; only a thread that gets
  /// nowhere for `patience` of its own time after that is taken out of what it does.
  void ask_first(void (*ask)(void*), void* whom) {
    ask_ = ask;
    asked_ = whom;
  }

  /// For kernels that run on other stacks: `end` gives the upper end of the current one. A signal handler calls it.
  void runs_on(const void* (*end)(void*), void* whom) {
    stack_end_ = end;
    stack_of_ = whom;
  }

  /// Whether `interrupt` ended it.
  bool was_interrupted() const { return signal_ == interrupting_signal(); }

  /// Where the launch was left, as a call there would have it: behind the instruction's first byte. Null in code of others, such
  /// as a library.
  const void* left_at() const { return is_own_code(left_at_) ? reinterpret_cast<const void*>(left_at_ + 1) : nullptr; }

  /// What the signal was about, after the launch was left.
  std::string what() const {
    char text[160];
    const auto address = static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(address_));
    switch (signal_) {
      case SIGFPE:
        return code_ == FPE_INTDIV ? "division of an integer by zero, or of the least one by -1" : "arithmetic fault";
      case SIGILL: return "illegal instruction, as of __builtin_trap()";
      case SIGBUS:
        std::snprintf(text, sizeof text, "access to the impossible or misaligned address 0x%llx", address);
        return text;
      case SIGSEGV:
        if (overflow_) return "overflow of the thread's stack";
        if (code_ != SEGV_MAPERR && code_ != SEGV_ACCERR) return "access to an address that cannot exist";
        std::snprintf(text, sizeof text,
                      address < 65'536 ? "access through a null pointer, at address 0x%llx"
                                       : "access to address 0x%llx, where it has no memory",
                      address);
        return text;
      case SIGABRT: return "call of abort(), as by a failed assertion or a damaged heap";
      default: return "still running after its time was up: an endless loop?";
    }
  }

  /// Ends the launch, on whatever threads it runs; from any thread, again until it has ended.
  static void interrupt(const void* launch) {
    if constexpr (!available) return;
    const std::size_t used = slots_used().load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < used; ++i) {
      slot& each = slots()[i];
      const pid_t thread = each.thread.load(std::memory_order_acquire);
      if (thread > 0 && each.launch.load(std::memory_order_relaxed) == launch) {
        each.wanted.store(true, std::memory_order_relaxed);
        syscall(SYS_tgkill, getpid(), thread, interrupting_signal());
      }
    }
  }

 private:
  /// Of a thread's own time, however little of a processor it gets: what computes for a second between two steps is no
  /// endless loop.
  static constexpr std::int64_t patience_nanos = 3'000'000'000;
  /// The handler of another party may run on this stack as well: a JVM's error report needs much.
  static constexpr std::size_t signal_stack_bytes = std::size_t{1} << 18;

  struct alignas(64) slot {
    std::atomic<pid_t> thread{0};  ///< 0 = free, -1 = being taken
    std::atomic<const void*> launch{nullptr};
    std::atomic<bool> wanted{false};  ///< somebody interrupts it
    std::atomic<pthread_t> handle{};
    fault_guard* guard = nullptr;
    void* stack = nullptr;  ///< stays with the slot
  };
  using slot_array = slot[most_guards];

  static slot_array& slots() {
    static constinit slot_array all{};
    return all;
  }
  /// One more than the highest slot that was ever taken.
  static std::atomic<std::size_t>& slots_used() {
    static constinit std::atomic<std::size_t> used{0};
    return used;
  }

  static int interrupting_signal() { return SIGRTMAX - 5; }
  static constexpr int faults[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGABRT};

  static constexpr int last_signal = 64;

  /// What was there before, by signal.
  static struct sigaction& previous(int signal) {
    static constinit struct sigaction handlers[last_signal + 1] = {};
    return handlers[signal];
  }
  /// Whether a handler that asked to be called once has been.
  static std::atomic<bool>& spent(int signal) {
    static constinit std::atomic<bool> all[last_signal + 1] = {};
    return all[signal];
  }

  /// Where this module's code lies.
  struct code_range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
  };
  static code_range& own_code() {
    static constinit code_range mine{};
    return mine;
  }
  static bool is_own_code(std::uintptr_t at) { return at >= own_code().begin && at < own_code().end; }
  static int find_own_code(dl_phdr_info* object, std::size_t, void*) {
    const auto here = reinterpret_cast<std::uintptr_t>(&fault_guard::handle);
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& segment = object->dlpi_phdr[i];
      const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
      if (segment.p_type != PT_LOAD || here < begin || here >= begin + segment.p_memsz) continue;
      own_code() = {begin, begin + segment.p_memsz};
      return 1;
    }
    return 0;
  }

  static bool install() {
    dl_iterate_phdr(&fault_guard::find_own_code, nullptr);
    for (const int signal : faults) {
      if (!install(signal)) return false;
    }
    return install(interrupting_signal());
  }
  static bool install(int signal) {
    struct sigaction ours {};
    ours.sa_sigaction = &fault_guard::handle;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigfillset(&ours.sa_mask);
    // Before the handler is there, so that it never finds none; and again, in case another came between.
    return sigaction(signal, nullptr, &previous(signal)) == 0 && sigaction(signal, &ours, &previous(signal)) == 0;
  }

  void enter() {
    slot_array& all = slots();
    for (std::size_t i = 0; i < most_guards; ++i) {
      pid_t nobody = 0;
      if (all[i].thread.load(std::memory_order_relaxed) != 0 ||
          !all[i].thread.compare_exchange_strong(nobody, -1, std::memory_order_acquire)) {
        continue;
      }
      slot& mine = all[i];
      if (mine.stack == nullptr) {
        void* const fresh = mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (fresh == MAP_FAILED) {
          mine.thread.store(0, std::memory_order_release);
          return;
        }
        mine.stack = fresh;
      }
      stack_t stack{};
      stack.ss_sp = mine.stack;
      stack.ss_size = signal_stack_bytes;
      if (sigaltstack(&stack, &stack_before_) != 0) {
        mine.thread.store(0, std::memory_order_release);
        return;
      }
      for (std::size_t used = slots_used().load(); used < i + 1 && !slots_used().compare_exchange_weak(used, i + 1);) {
      }
      mine.handle.store(pthread_self(), std::memory_order_relaxed);
      mine.guard = this;
      mine.launch.store(launch_, std::memory_order_relaxed);
      mine.wanted.store(false, std::memory_order_relaxed);  // a signal that comes late is for a launch before
      mine.thread.store(static_cast<pid_t>(syscall(SYS_gettid)), std::memory_order_release);
      mine_ = &mine;
      return;
    }
  }

  void leave() {
    armed_ = false;
    mine_->thread.store(-1, std::memory_order_relaxed);  // its own handler finds nothing from here on
    sigaltstack(&stack_before_, nullptr);
    mine_->guard = nullptr;
    mine_->launch.store(nullptr, std::memory_order_relaxed);
    mine_->thread.store(0, std::memory_order_release);
  }

  /// The armed guard of this thread, if it has one.
  static fault_guard* armed_here() {
    const pthread_t self = pthread_self();
    const std::size_t used = slots_used().load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < used; ++i) {
      const slot& each = slots()[i];
      // Acquire: the handle and the guard are those of the thread that is seen.
      if (each.thread.load(std::memory_order_acquire) > 0 &&
          pthread_equal(each.handle.load(std::memory_order_relaxed), self)) {
        return each.guard->armed_ ? each.guard : nullptr;
      }
    }
    return nullptr;
  }

  static void handle(int signal, siginfo_t* info, void* context) {
    const int error = errno;
    auto* const interrupted = static_cast<ucontext_t*>(context);
    fault_guard* const guard = armed_here();
    if (signal == interrupting_signal()) {
      if (guard != nullptr) {
        if (guard->gives_up(interrupted)) guard->leave_launch(signal, info, interrupted);
      } else if (previous(signal).sa_handler != SIG_DFL) {  // whose default would end the process
        pass_on(signal, info, interrupted);
      }
    } else if (guard != nullptr && raised_here(signal, info)) {
      guard->leave_launch(signal, info, interrupted);
    } else {
      pass_on(signal, info, interrupted);
    }
    errno = error;
  }

  /// Whether the code that runs on this thread raised the signal: by an instruction, or by abort(), which sends it.
  static bool raised_here(int signal, const siginfo_t* info) {
    return info->si_code > 0 || (signal == SIGABRT && info->si_code == SI_TKILL && info->si_pid == getpid());
  }

  /// Whether a launch that was asked to end has to be left, and can be where it was interrupted.
  bool gives_up(const ucontext_t* interrupted) {
    if (!mine_->wanted.load(std::memory_order_relaxed) || !is_late()) return false;
    return is_own_code(instruction(interrupted));
  }

  bool is_late() {
    if (ask_ == nullptr) return true;
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    const std::int64_t nanos = std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
    if (asked_at_ == 0) {
      asked_at_ = nanos;
      ask_(asked_);
      return false;
    }
    return nanos - asked_at_ >= patience_nanos;
  }

  [[noreturn]] void leave_launch(int signal, const siginfo_t* info, const ucontext_t* from) {
    armed_ = false;
    signal_ = signal;
    code_ = info->si_code;
    address_ = info->si_addr;
    left_at_ = instruction(from);
    overflow_ = beyond_stack(reinterpret_cast<std::uintptr_t>(address_), stack_pointer(from));
    // Not sigsetjmp's own way of saving the mask, which is a system call per launch. On Linux this sets the mask of this
    // thread; the function for threads needs a newer C library than modules are built for.
    sigprocmask(SIG_SETMASK, &from->uc_sigmask, nullptr);
    siglongjmp(back_, 1);
  }

  /// Whether a fault at an address means that the stack is full. Everything from the stack pointer up to the kernel's
  /// first frame belongs to the stack, so an address in there faults only if the stack has run past its lower end, however
  /// large the frame that took it there. Below the pointer, a call or a push may touch a word, and a leaf function 128
  /// bytes; a page is allowed for that. A wild pointer to anywhere else, even just above the stack, is not an overflow.
  bool beyond_stack(std::uintptr_t at, std::uintptr_t pointer) const {
    const void* const end = stack_end_ != nullptr ? stack_end_(stack_of_) : frame_;
    return pointer != 0 && at + 4'096 >= pointer && at < reinterpret_cast<std::uintptr_t>(end);
  }

  static std::uintptr_t stack_pointer([[maybe_unused]] const ucontext_t* of) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(of->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return static_cast<std::uintptr_t>(of->uc_mcontext.sp);
#else
    return 0;
#endif
  }

  static std::uintptr_t instruction([[maybe_unused]] const ucontext_t* of) {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(of->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return static_cast<std::uintptr_t>(of->uc_mcontext.pc);
#else
    return own_code().begin;
#endif
  }

  /// What would have happened without this module.
  static void pass_on(int signal, siginfo_t* info, ucontext_t* interrupted) {
    struct sigaction before = previous(signal);
    if ((before.sa_flags & SA_RESETHAND) != 0 && spent(signal).exchange(true)) before.sa_handler = SIG_DFL;
    if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
      const bool sent = info->si_code <= 0;
      if (sent && before.sa_handler == SIG_IGN) return;
      struct sigaction fatal {};
      fatal.sa_handler = SIG_DFL;
      sigaction(signal, &fatal, nullptr);
      // What faulted does so again after this. What was sent is sent again, and waits until then.
      if (sent) syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal, info);
      return;
    }
    sigset_t mask;
    sigemptyset(&mask);
    for (int each = 1; each <= last_signal; ++each) {
      if (sigismember(&interrupted->uc_sigmask, each) == 1 || sigismember(&before.sa_mask, each) == 1) {
        sigaddset(&mask, each);
      }
    }
    if ((before.sa_flags & SA_NODEFER) == 0) sigaddset(&mask, signal);
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    if ((before.sa_flags & SA_SIGINFO) != 0) {
      before.sa_sigaction(signal, info, interrupted);
    } else {
      before.sa_handler(signal);
    }
  }

  sigjmp_buf back_;
  const void* launch_;
  const void* frame_;
  const void* (*stack_end_)(void*) = nullptr;
  void* stack_of_ = nullptr;
  slot* mine_ = nullptr;
  stack_t stack_before_{};
  void (*ask_)(void*) = nullptr;
  void* asked_ = nullptr;
  std::int64_t asked_at_ = 0;
  volatile bool armed_ = false;
  int signal_ = 0;
  int code_ = 0;
  void* address_ = nullptr;
  bool overflow_ = false;
  std::uintptr_t left_at_ = 0;
};

MAGPIE_NAMESPACE_END
