package io.magpie.algorithms.pointsto;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What functions of the C and C++ libraries and of POSIX do with pointers, where the program has no
 * body for them.
 *
 * <p>A summary is a list of assignments. Their sides are {@code r}, the result; {@code 0}, {@code
 * 1} and so on, the arguments; {@code new}, the address of memory that belongs to the call; {@code
 * own}, the address of memory that belongs to the function; {@code [name]}, a variable that all
 * functions share that name it; {@code back1}, what functions of one argument return that are
 * called by pointers; and {@code *} before one of these: what is in the memory that it points to.
 * {@code call(0,1)} calls functions by pointers, with these arguments.
 */
final class LlvmSummaries {
  /** One function a word, then a colon and what they do. */
  private static final String TABLE =
      """
      malloc calloc valloc pvalloc memalign aligned_alloc: r=new
      strdup strndup __strdup __strndup wcsdup: r=new
      _Znwm _Znam _Znwj _Znaj _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t: r=new
      _ZnwmSt11align_val_t _ZnamSt11align_val_t __cxa_allocate_exception: r=new
      realloc reallocarray reallocf: r=new *new=*0 r=0
      posix_memalign getline getdelim __getdelim asprintf vasprintf: *0=new
      __asprintf_chk __vasprintf_chk: *0=new
      mmap mmap64: r=new r=0
      mremap: r=new *new=*0 r=0
      fopen fopen64 fdopen tmpfile tmpfile64 popen opendir fdopendir: r=new
      freopen freopen64: r=2
      open_memstream: r=new *0=new
      getcwd: r=new r=0
      realpath __realpath_chk: r=new r=1
      scandir scandir64: *1=new *new=new call(new) call(new,new)
      getaddrinfo: *3=new *new=new
      memcpy memmove __memcpy_chk __memmove_chk mempcpy __mempcpy_chk memccpy: r=0 *0=*1
      wmemcpy wmemmove: r=0 *0=*1
      bcopy: *1=*0
      memset __memset_chk wmemset memchr memrchr rawmemchr wmemchr: r=0
      strcpy strncpy strcat strncat stpcpy stpncpy __strcpy_chk __strncpy_chk __strcat_chk: r=0
      __strncat_chk __stpcpy_chk __stpncpy_chk wcscpy wcsncpy wcscat wcsncat: r=0
      strchr strrchr strchrnul index rindex strstr strcasestr strpbrk memmem: r=0
      wcschr wcsrchr wcsstr wcspbrk: r=0
      fgets fgets_unlocked __fgets_chk gets mkdtemp mktemp: r=0
      basename __xpg_basename dirname: r=0 r=own
      strtok: r=0 [strtok]=0 r=[strtok]
      strtok_r __strtok_r: r=0 *2=0 r=*2
      strsep: r=*0
      strtol strtoul strtoll strtoull strtoq strtouq strtoimax strtoumax: *1=0
      __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull: *1=0
      strtod strtof strtold wcstol wcstoul wcstod: *1=0
      getenv secure_getenv: r=own r=[environ]
      putenv: [environ]=0
      tmpnam: r=own r=0
      strerror strsignal ttyname getlogin ctime asctime: r=own
      localtime gmtime nl_langinfo inet_ntoa gai_strerror hstrerror dlerror setlocale: r=own
      __errno_location __h_errno_location readdir readdir64 dlopen bindtextdomain: r=own
      localtime_r gmtime_r: r=1
      ctime_r asctime_r: r=1
      strerror_r: r=own r=1
      gettext: r=0 r=own
      dgettext dcgettext: r=1 r=own
      ngettext: r=0 r=1 r=own
      localeconv getpwnam getpwuid getpwent getgrnam getgrgid getgrent: r=own *own=own
      gethostbyname gethostbyaddr getservbyname getservbyport getprotobyname: r=own *own=own
      __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc: r=own *own=own
      qsort: call(0,0)
      qsort_r: call(0,0,4)
      bsearch: call(0,1) r=1
      pthread_create: call(3)
      pthread_join: *1=back1
      pthread_exit: back1=0
      pthread_key_create: call([specific])
      pthread_setspecific: [specific]=1
      pthread_getspecific: r=[specific]
      signal: r=[signal] [signal]=1
      sigaction: [sigaction]=1 *2=*[sigaction]
      __cxa_throw: [exception]=0 call(0)
      __cxa_begin_catch __cxa_get_exception_ptr __dynamic_cast: r=0
      __cxa_atexit: call(1)
      free cfree _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvSt11align_val_t munmap fclose pclose closedir:
      __cxa_end_catch __cxa_free_exception __cxa_rethrow __clang_call_terminate _ZSt9terminatev:
      exit _exit _Exit abort __assert_fail atexit pthread_once longjmp siglongjmp:
      _longjmp setjmp _setjmp __sigsetjmp sigsetjmp:
      printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf dprintf vdprintf:
      __printf_chk __fprintf_chk __sprintf_chk __snprintf_chk __vprintf_chk __vfprintf_chk:
      __vsprintf_chk __vsnprintf_chk puts fputs fputc putc putchar putc_unlocked fputs_unlocked:
      fputc_unlocked perror syslog __uflow __overflow _IO_getc _IO_putc:
      scanf fscanf sscanf vsscanf vfscanf __isoc99_scanf __isoc99_fscanf __isoc99_sscanf:
      __isoc23_scanf __isoc23_fscanf __isoc23_sscanf:
      fwrite fwrite_unlocked fread fread_unlocked __fread_chk fflush fseek fseeko fseeko64 ftell:
      ftello ftello64 rewind feof ferror clearerr fileno getc fgetc getc_unlocked ungetc getchar:
      setvbuf setbuf setlinebuf flockfile funlockfile:
      strlen strnlen strcmp strncmp strcasecmp strncasecmp strcoll strxfrm strspn strcspn memcmp:
      bcmp bzero explicit_bzero atoi atol atoll atof wcslen wcscmp wcsncmp:
      mbstowcs wcstombs mbrtowc wcrtomb mbtowc wctomb mblen mbrlen mbsinit iconv iconv_close:
      open open64 openat creat creat64 close read write pread pread64 pwrite pwrite64 lseek lseek64:
      readv writev __read_chk readlink __readlink_chk symlink link unlink rename remove mkdir rmdir:
      mkstemp mkstemp64 chdir fchdir chmod fchmod chown fchown lchown access umask:
      stat fstat lstat stat64 fstat64 lstat64 __xstat __fxstat __lxstat statfs fstatfs statvfs:
      utime utimes utimensat futimens truncate truncate64 ftruncate ftruncate64 fsync fdatasync:
      fcntl fcntl64 ioctl isatty dup dup2 pipe select poll tcgetattr tcsetattr flock:
      time difftime mktime timegm clock gettimeofday clock_gettime strftime strptime tzset times:
      nanosleep usleep setitimer getrusage getrlimit setrlimit:
      getpid getuid geteuid labs llabs dlclose dirfd uname gethostname sysconf fork vfork wait waitpid wait3 wait4 kill:
      execv execve execvp execl execlp system setenv unsetenv:
      sigemptyset sigfillset sigaddset sigdelset sigismember sigprocmask sigsuspend sigaltstack:
      socket connect bind listen accept send recv sendto recvfrom getsockopt setsockopt:
      getsockname getpeername freeaddrinfo inet_pton inet_addr:
      pthread_mutex_init pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock:
      pthread_mutex_destroy pthread_mutexattr_init pthread_mutexattr_settype:
      pthread_mutexattr_destroy pthread_cond_init pthread_cond_wait pthread_cond_signal:
      pthread_cond_broadcast pthread_cond_destroy pthread_attr_init pthread_attr_destroy:
      pthread_sigmask:
      frexp modf ldexp frexpf modff:
      """;

  private static final Map<String, List<Step>> SUMMARIES = summaries();

  private LlvmSummaries() {}

  /** What a side of an assignment is. */
  enum Place {
    RESULT,
    ARGUMENT,
    NEW,
    OWN,
    SHARED,
    BACK
  }

  /**
   * A side of an assignment.
   *
   * @param place what it is
   * @param index of an argument; of {@code back}, the number of arguments
   * @param name of a shared variable
   * @param memory whether it is what is in the memory that this points to
   */
  record Side(Place place, int index, String name, boolean memory) {
    static Side of(String text) {
      boolean memory = text.startsWith("*");
      String word = memory ? text.substring(1) : text;
      if (word.equals("r")) {
        return new Side(Place.RESULT, 0, "", memory);
      }
      if (word.equals("new")) {
        return new Side(Place.NEW, 0, "", memory);
      }
      if (word.equals("own")) {
        return new Side(Place.OWN, 0, "", memory);
      }
      if (word.startsWith("[")) {
        return new Side(Place.SHARED, 0, word, memory);
      }
      return word.startsWith("back")
          ? new Side(Place.BACK, Integer.parseInt(word.substring("back".length())), "", memory)
          : new Side(Place.ARGUMENT, Integer.parseInt(word), "", memory);
    }
  }

  /**
   * An assignment, or a call by a pointer.
   *
   * @param to the left side; null in a call
   * @param from the right side; null in a call
   * @param arguments those of a call; null in an assignment
   */
  record Step(Side to, Side from, List<Side> arguments) {
    static Step of(String text) {
      if (text.startsWith("call(")) {
        List<Side> arguments = new ArrayList<>();
        for (String word : text.substring("call(".length(), text.length() - 1).split(",")) {
          arguments.add(Side.of(word));
        }
        return new Step(null, null, arguments);
      }
      String[] sides = text.split("=");
      return new Step(Side.of(sides[0]), Side.of(sides[1]), null);
    }
  }

  private static Map<String, List<Step>> summaries() {
    Map<String, List<Step>> summaries = new HashMap<>();
    TABLE
        .lines()
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              List<Step> steps = new ArrayList<>();
              for (String step : words(line.substring(colon + 1))) {
                steps.add(Step.of(step));
              }
              for (String name : words(line.substring(0, colon))) {
                summaries.put(name, List.copyOf(steps));
              }
            });
    return summaries;
  }

  private static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
  }

  /** The summary of a function; null if there is none. */
  static List<Step> of(String function) {
    List<Step> steps = SUMMARIES.get(function);
    return steps != null || !function.startsWith("llvm.") ? steps : intrinsic(function);
  }

  private static final List<Step> NOTHING = List.of();
  private static final List<Step> COPY_MEMORY = steps("*0=*1");
  private static final List<Step> STORE = steps("*1=0");
  private static final List<Step> LOAD_OR_LAST = steps("r=*0 r=2 r=3");

  private static List<Step> steps(String text) {
    return words(text).stream().map(Step::of).toList();
  }

  /** Intrinsics that do nothing with pointers. */
  private static final Set<String> IDLE =
      Set.copyOf(
          words(
              """
              memset lifetime invariant dbg assume prefetch clear_cache pseudoprobe instrprof
              objectsize is.constant eh.typeid type.test public.type.test va_end
              stacksave stackrestore returnaddress readcyclecounter readsteadycounter
              experimental.noalias.scope.decl var.annotation codeview.annotation fake.use
              trap debugtrap ubsantrap sideeffect donothing
              """));

  /** Intrinsics whose result is computed from their arguments, and that do nothing else. */
  private static final Set<String> COMPUTE =
      Set.copyOf(
          words(
              """
              expect ssa.copy ssa_copy annotation ptr.annotation ptrmask threadlocal.address
              launder.invariant.group strip.invariant.group arithmetic.fence
              preserve.array.access.index preserve.struct.access.index
              preserve.union.access.index
              abs smax smin umax umin scmp ucmp
              bswap bitreverse ctpop ctlz cttz fshl fshr
              sadd uadd ssub usub smul umul sshl ushl sdiv.fix udiv.fix
              sqrt pow powi exp exp2 exp10 log log2 log10 ldexp frexp modf
              sin cos tan asin acos atan atan2 sinh cosh tanh sincos sincospi
              fma fmuladd fabs copysign canonicalize is.fpclass
              minnum maxnum minimum maximum minimumnum maximumnum
              floor ceil trunc rint nearbyint round roundeven lround llround lrint llrint
              fptosi.sat fptoui.sat fptrunc.round convert.to.fp16 convert.from.fp16
              experimental.constrained
              vscale stepvector get.active.lane.mask vector.reduce vector.insert vector.extract
              vector.splice vector.reverse vector.interleave2 vector.deinterleave2
              experimental.stepvector experimental.get.vector.length
              experimental.vector.reduce experimental.vector.insert experimental.vector.extract
              experimental.vector.splice experimental.vector.reverse
              experimental.vector.interleave2 experimental.vector.deinterleave2
              """));

  /** Whether a function is an intrinsic that does no more than return what its arguments give. */
  static boolean onlyComputes(String function) {
    return function.startsWith("llvm.") && isIn(COMPUTE, function.substring("llvm.".length()));
  }

  /** Whether a name is in a set, perhaps without its last words, such as those of types. */
  private static boolean isIn(Set<String> names, String name) {
    for (int end = name.length(); end > 0; end = name.lastIndexOf('.', end - 1)) {
      if (names.contains(name.substring(0, end))) {
        return true;
      }
    }
    return false;
  }

  /** Summaries of intrinsics; null for those that only compute, and those that are not known. */
  private static List<Step> intrinsic(String name) {
    String rest = name.substring("llvm.".length());
    if (rest.startsWith("memcpy.") || rest.startsWith("memmove.")) {
      return COPY_MEMORY;
    }
    if (rest.startsWith("va_copy")) {
      return COPY_MEMORY;
    }
    if (rest.matches(
        "(masked\\.(load|gather|expandload)|vp\\.(load|gather)|load\\.relative)\\..*")) {
      return LOAD_OR_LAST;
    }
    if (rest.matches("(masked\\.(store|scatter|compressstore)|vp\\.(store|scatter))\\..*")) {
      return STORE;
    }
    return isIn(IDLE, rest) ? NOTHING : null;
  }
}
