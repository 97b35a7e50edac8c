package io.magpie.stm.internal.cuda;

import com.sun.jna.Native;
import io.magpie.stm.DeviceDescription;
import io.magpie.stm.DeviceUnavailableException;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.MagpieException;
import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.Closing;
import io.magpie.stm.internal.ModuleTable;
import io.magpie.stm.internal.host.HostModule;
import io.magpie.stm.internal.toolchain.Flavor;
import io.magpie.stm.internal.toolchain.ModuleArtifacts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/**
 * A GPU, through the driver API on the device's primary context. All work goes into one stream; the
 * watchdog's flag travels on a second one, by the copy engine, because a full GPU would not start a
 * kernel for it.
 */
public final class CudaBackend implements Backend {
  /**
   * Property: whether freed blocks are kept for later arrays. Off for tools that look for accesses
   * outside allocations.
   */
  private static final String CACHE_PROPERTY = "magpie.cuda.cache";

  private static final int NON_BLOCKING_STREAM = 1;
  private static final int EVENT_WITHOUT_TIME = 2;
  private static final long MOST_THREADS = (1L << 32) - 1;
  private static final long FILLED_BY_ROWS = 1 << 10;
  private static final long SPIN_NANOS = 2_000_000;
  private static final long PARK_NANOS = 50_000;

  /** What a kernel that looks at the watchdog's flag has to end in. */
  private static final long GRACE_NANOS = 10_000_000_000L;

  private final int index;
  private final DeviceDescription description;
  private final CUdevice device;
  private final CUcontext context = new CUcontext();
  private final WorkStream stream = new WorkStream();
  private final CUstream sideStream = new CUstream();
  private final Staging staging;
  private final MemoryCache cache =
      new MemoryCache(Boolean.parseBoolean(System.getProperty(CACHE_PROPERTY, "true")));
  private final int multiprocessors;
  private final long l2CacheBytes;

  /** Whether it launches grids all of whose blocks run at the same time. */
  private final boolean cooperates;

  private final Deque<Runnable> releases = new ArrayDeque<>();

  /** Runs that nobody has seen the end of, in the stream's order. */
  private final Deque<StartedLaunch> inFlight = new ArrayDeque<>();

  /** What runs of the past had of the GPU, for the next ones. */
  private final Deque<StartedLaunch.Marks> idleMarks = new ArrayDeque<>();

  private CubLibrary cub;
  private boolean cubLooked;
  private String latestLaunch;
  private Object latestShape; // in words when asked
  private boolean closed;

  /** An address on the GPU or in pinned memory, as JCuda wants it. */
  static final class Address extends CUdeviceptr {
    Address(long address) {
      super(new CUdeviceptr(), address);
    }
  }

  /** Receives an address from JCuda. */
  private static final class NewAddress extends CUdeviceptr {
    long value() {
      return getNativePointer() + getByteOffset();
    }
  }

  /** A stream whose handle other libraries can have. */
  private static final class WorkStream extends CUstream {
    long handle() {
      return getNativePointer();
    }
  }

  /**
   * Opens a GPU.
   *
   * @param index its number, less than {@link CudaDriver#deviceCount()}
   * @throws DeviceUnavailableException if it is dead for this process or refuses
   */
  public CudaBackend(int index) {
    this.index = index;
    if (CudaDriver.fault(index) != null) {
      throw new DeviceUnavailableException(
          "device 'cuda:"
              + index
              + "' is dead: a new process is needed ("
              + CudaDriver.fault(index)
              + ")");
    }
    try {
      description = CudaDriver.describe(index);
      device = CudaDriver.device(index);
      multiprocessors =
          CudaDriver.attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
      l2CacheBytes =
          CudaDriver.attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
      cooperates =
          CudaDriver.attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH)
              != 0;
      check(JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "opening the GPU");
      onClose(() -> check(JCudaDriver.cuDevicePrimaryCtxRelease(device), "closing the GPU"));
      enter();
      open(stream);
      open(sideStream);
      staging = new Staging(this);
    } catch (RuntimeException | Error e) {
      RuntimeException failure = release();
      if (failure != null) {
        e.addSuppressed(failure);
      }
      if (e instanceof DeviceUnavailableException || !(e instanceof MagpieException)) {
        throw e;
      }
      throw new DeviceUnavailableException(
          "device 'cuda:" + index + "' cannot be opened: " + e.getMessage(), e);
    }
  }

  /** Makes the GPU's context current on the calling thread. */
  void enter() {
    check(JCudaDriver.cuCtxSetCurrent(context), "entering the GPU's context");
  }

  /** Notes how to give something back when the device closes; what was noted last goes first. */
  void onClose(Runnable release) {
    releases.push(release);
  }

  /** Gives back all that was noted, whatever of it fails; gives the first failure. */
  private RuntimeException release() {
    RuntimeException failure = null;
    while (!releases.isEmpty()) {
      failure = Closing.close(releases.pop()::run, failure);
    }
    return failure;
  }

  private void open(CUstream newStream) {
    check(JCudaDriver.cuStreamCreate(newStream, NON_BLOCKING_STREAM), "creating a stream");
    onClose(() -> check(JCudaDriver.cuStreamDestroy(newStream), "closing a stream"));
  }

  /** An event that lives as long as the device is open. */
  CUevent ownEvent(int flags) {
    CUevent event = newEvent(flags);
    onClose(() -> destroy(event));
    return event;
  }

  private void destroy(CUevent event) {
    check(JCudaDriver.cuEventDestroy(event), "closing an event");
  }

  CUstream stream() {
    return stream;
  }

  private CUevent newEvent(int flags) {
    CUevent event = new CUevent();
    check(JCudaDriver.cuEventCreate(event, flags), "creating an event");
    return event;
  }

  /** Throws what a driver call's result means: a fault of an earlier launch, or the call's own. */
  void check(int code, String what) {
    check(code, what, latestLaunch, latestShape);
  }

  /**
   * The same for a call whose fault is not the latest launch's.
   *
   * @param launch what a fault is blamed on, and its shape; null if there is no launch yet
   */
  private void check(int code, String what, String launch, Object shape) {
    if (code == CUresult.CUDA_SUCCESS) {
      return;
    }
    String text = CudaDriver.errorText(code);
    if (killsContext(code)) {
      CudaDriver.died(index, text);
      throw new KernelFaultException(
          launch == null ? "(none)" : launch,
          shape == null ? "no launch yet" : shape.toString(),
          text + " while " + what,
          true);
    }
    throw new MagpieException(description.spec() + ": " + what + ": " + text);
  }

  /** Whether after this result nothing works any more in this process. */
  static boolean killsContext(int code) {
    return switch (code) {
      case CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
          CUresult.CUDA_ERROR_LAUNCH_TIMEOUT,
          CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED,
          CUresult.CUDA_ERROR_ASSERT,
          CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
          CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION,
          CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
          CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE,
          CUresult.CUDA_ERROR_INVALID_PC,
          CUresult.CUDA_ERROR_LAUNCH_FAILED,
          CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
          CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
          CUresult.CUDA_ERROR_UNKNOWN ->
          true;
      default -> false;
    };
  }

  @Override
  public DeviceDescription description() {
    return description;
  }

  @Override
  public Set<Flavor> flavors() {
    // The library only for its table of fields, which a fatbin does not carry.
    return Set.of(Flavor.CUDA, Flavor.CPU);
  }

  @Override
  public long allocate(long bytes) {
    enter();
    long size = MemoryCache.blockBytes(bytes);
    long address = cache.take(size);
    if (address == 0) {
      address = allocateOnGpu(size);
    }
    if (address == 0 && cache.bytes() > 0) {
      emptyCache();
      address = allocateOnGpu(size);
    }
    if (address == 0) {
      return 0;
    }
    cache.use(address, size);
    check(
        JCudaDriver.cuMemsetD32Async(new Address(address), 0, (bytes + 3) / 4, stream),
        "clearing allocated memory");
    return address;
  }

  private long allocateOnGpu(long bytes) {
    endRuns(); // the driver may wait for them
    NewAddress address = new NewAddress();
    int code = JCudaDriver.cuMemAlloc(address, bytes);
    if (code == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
      return 0;
    }
    check(code, "allocating " + bytes + " bytes");
    return address.value();
  }

  @Override
  public void free(long address) {
    enter();
    // The stream orders what still uses the block before what its next owner does.
    if (!cache.giveBack(address)) {
      releaseToGpu(address);
    }
  }

  private void releaseToGpu(long address) {
    endRuns();
    check(JCudaDriver.cuStreamSynchronize(stream), "waiting for the GPU");
    check(JCudaDriver.cuMemFree(new Address(address)), "freeing memory");
  }

  private void emptyCache() {
    for (long address : cache.empty()) {
      releaseToGpu(address);
    }
  }

  @Override
  public long freeBytes() {
    enter();
    long[] free = {0};
    long[] total = {0};
    check(JCudaDriver.cuMemGetInfo(free, total), "asking for free memory");
    return free[0] + cache.bytes();
  }

  @Override
  public long l2CacheBytes() {
    return l2CacheBytes;
  }

  @Override
  public void write(Object array, int first, int count, long address) {
    enter();
    endRuns(); // buffers of an earlier copy may be behind them
    staging.write(array, first, count, address);
  }

  @Override
  public void read(long address, Object array, int first, int count) {
    enter();
    endRuns();
    staging.read(address, array, first, count);
  }

  @Override
  public void write(ByteBuffer source, long address) {
    enter();
    endRuns();
    staging.write(source, address);
  }

  @Override
  public void read(long address, ByteBuffer target) {
    enter();
    endRuns();
    staging.read(address, target);
  }

  @Override
  public void copy(long from, long to, long bytes) {
    enter();
    check(
        JCudaDriver.cuMemcpyDtoDAsync(new Address(to), new Address(from), bytes, stream),
        "copying on the GPU");
  }

  @Override
  public boolean copyFrom(Backend other, long from, long to, long bytes) {
    if (!(other instanceof CudaBackend source)) {
      return false;
    }
    source.synchronize();
    synchronize(); // what fails from here on is the copy
    String launch = latestLaunch;
    Object shape = latestShape;
    launching(
        "(copy from " + source.description.spec() + " to " + description.spec() + ")",
        bytes + " bytes");
    try {
      if (source.index == index) { // opened twice: one context, and so one memory
        copy(from, to, bytes);
      } else {
        copyFromPeer(source, from, to, bytes);
      }
      synchronize();
    } finally {
      launching(launch, shape);
    }
    return true;
  }

  private void copyFromPeer(CudaBackend source, long from, long to, long bytes) {
    source.reach(this);
    reach(source);
    check(
        JCudaDriver.cuMemcpyPeerAsync(
            new Address(to), context, new Address(from), source.context, bytes, stream),
        "copying from " + source.description.spec());
  }

  /**
   * Lets this GPU reach another one's memory, if the two are connected. Without that a copy between
   * them goes by way of the host, so it is no failure. The driver knows the ways that are open,
   * which end with either context.
   */
  private void reach(CudaBackend other) {
    enter();
    int[] can = {0};
    check(
        JCudaDriver.cuDeviceCanAccessPeer(can, device, other.device),
        "asking for a way to " + other.description.spec());
    if (can[0] != 0) {
      int code = JCudaDriver.cuCtxEnablePeerAccess(other.context, 0);
      if (!leavesWay(code)) {
        check(code, "opening the way to " + other.description.spec());
      }
    }
  }

  /**
   * Whether a copy goes on after this result of opening a way: it is open, or there is none, and
   * the copy goes by way of the host.
   */
  static boolean leavesWay(int code) {
    return switch (code) {
      case CUresult.CUDA_SUCCESS,
          CUresult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED,
          CUresult.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
          CUresult.CUDA_ERROR_TOO_MANY_PEERS ->
          true;
      default -> false;
    };
  }

  @Override
  public void fill(long address, long value, int valueBytes, long count, int stride) {
    enter();
    int low = (int) value;
    int high = (int) (value >>> 32);
    if (stride != valueBytes) {
      fillApart(address, value, valueBytes, count, stride);
      return;
    }
    if (valueBytes == 8 && low != high) {
      fillByCopies(address, value, count);
      return;
    }
    CUdeviceptr target = new Address(address);
    int code =
        switch (valueBytes) {
          case 1 -> JCudaDriver.cuMemsetD8Async(target, (byte) value, count, stream);
          case 2 -> JCudaDriver.cuMemsetD16Async(target, (short) value, count, stream);
          default -> JCudaDriver.cuMemsetD32Async(target, low, count * (valueBytes / 4), stream);
        };
    check(code, "filling memory");
  }

  /**
   * Values of 8 bytes of different halves, which no memset of one dimension stores. One of two
   * stores a row after the other, some 6 GB/s on an H200: it stores a few values, and copies store
   * the others.
   */
  private void fillByCopies(long address, long value, long count) {
    long done = Math.min(count, FILLED_BY_ROWS);
    fillApart(address, value, 8, done, 8);
    for (long part; done < count; done += part) {
      part = Math.min(done, count - done);
      copy(address, address + 8 * done, 8 * part);
    }
  }

  private void fillApart(long address, long value, int valueBytes, long count, int stride) {
    fillColumn(address, (int) value, Math.min(4, valueBytes), count, stride);
    if (valueBytes == 8) {
      fillColumn(address + 4, (int) (value >>> 32), 4, count, stride);
    }
  }

  /** A column in rows of so many bytes. Memsets of two dimensions are limited in height. */
  private void fillColumn(long address, int value, int valueBytes, long count, int stride) {
    long rows = 1L << 20;
    for (long row = 0; row < count; row += rows) {
      long part = Math.min(rows, count - row);
      CUdeviceptr target = new Address(address + row * stride);
      int code =
          switch (valueBytes) {
            case 1 -> JCudaDriver.cuMemsetD2D8Async(target, stride, (byte) value, 1, part, stream);
            case 2 ->
                JCudaDriver.cuMemsetD2D16Async(target, stride, (short) value, 1, part, stream);
            default -> JCudaDriver.cuMemsetD2D32Async(target, stride, value, 1, part, stream);
          };
      check(code, "filling memory");
    }
  }

  @Override
  public LoadedModule load(ModuleArtifacts artifacts) {
    enter();
    endRuns(); // the driver may wait for them
    // First what can fail without the driver, so that nothing is left loaded.
    ModuleTable table = HostModule.open(artifacts.cpuLibrary(), artifacts.origin()).table();
    byte[] image;
    try {
      image = Files.readAllBytes(artifacts.fatbin());
    } catch (IOException e) {
      throw new MagpieException("cannot read " + artifacts.fatbin() + ": " + e.getMessage(), e);
    }
    CUmodule module = new CUmodule();
    int code = JCudaDriver.cuModuleLoadData(module, image);
    if (code == CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU
        || code == CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION
        || code == CUresult.CUDA_ERROR_INVALID_PTX) {
      throw new DeviceUnavailableException(
          "module "
              + artifacts.name()
              + " has no code that "
              + description.name()
              + " with this driver can run: "
              + CudaDriver.errorText(code)
              + "; update the driver, or build with the release profile");
    }
    check(code, "loading module " + artifacts.name());
    return new CudaModule(module, table);
  }

  private final class CudaModule implements LoadedModule {
    private final CUmodule module;
    private final ModuleTable table;
    private final Map<String, Entry> entries = new HashMap<>();

    CudaModule(CUmodule module, ModuleTable table) {
      this.module = module;
      this.table = table;
    }

    @Override
    public ModuleTable table() {
      return table;
    }

    Entry entry(ModuleTable.Kernel kernel) {
      return entries.computeIfAbsent(kernel.name(), this::find);
    }

    private Entry find(String kernel) {
      enter();
      endRuns(); // the driver may wait for them before it loads code
      CUfunction function = new CUfunction();
      String symbol = "magpie_kernel_" + kernel;
      check(
          JCudaDriver.cuModuleGetFunction(function, module, symbol),
          "looking for " + symbol + " in the module");
      int[] value = {0};
      check(
          JCudaDriver.cuFuncGetAttribute(
              value, CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function),
          "asking for the block size of " + kernel);
      int blockSize = value[0] / 32 * 32;
      check(
          JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(value, function, blockSize, 0),
          "asking for the occupancy of " + kernel);
      return new Entry(function, blockSize, Math.max(1, value[0]) * multiprocessors);
    }

    @Override
    public void close() {
      enter();
      endRuns();
      check(JCudaDriver.cuStreamSynchronize(stream), "waiting for the GPU");
      check(JCudaDriver.cuModuleUnload(module), "unloading a module");
    }
  }

  /** A kernel on the GPU. */
  private static final class Entry {
    private final CUfunction function;
    private final int blockSize;

    /** Blocks that the GPU runs at the same time. */
    private final int residentBlocks;

    private ByteBuffer latestFunctor;
    private Pointer latestParameters;

    Entry(CUfunction function, int blockSize, int residentBlocks) {
      this.function = function;
      this.blockSize = blockSize;
      this.residentBlocks = residentBlocks;
    }

    /** What the driver takes for a functor: most launches have the same buffer as the last one. */
    Pointer parameters(ByteBuffer functor) {
      if (functor != latestFunctor) {
        long address = com.sun.jna.Pointer.nativeValue(Native.getDirectBufferPointer(functor));
        latestParameters = Pointer.to(new Address(address));
        latestFunctor = functor;
      }
      return latestParameters;
    }
  }

  @Override
  public void launch(
      LoadedModule module, ModuleTable.Kernel kernel, ByteBuffer functor, Grid grid) {
    enter();
    Entry entry = ((CudaModule) module).entry(kernel);
    launching(kernel.name(), grid);
    int blocks = (int) ((grid.threads() + grid.blockSize() - 1) / grid.blockSize());
    Pointer parameters = entry.parameters(functor);
    int code =
        kernel.meetsGrid()
            ? launchTogether(kernel, entry, blocks, grid.blockSize(), parameters)
            : JCudaDriver.cuLaunchKernel(
                entry.function, blocks, 1, 1, grid.blockSize(), 1, 1, 0, stream, parameters, null);
    if (code != CUresult.CUDA_SUCCESS) {
      check(code, "launching kernel " + kernel.name() + " (" + grid + ")");
    }
  }

  /** Only then the driver promises that all blocks run at the same time. */
  private int launchTogether(
      ModuleTable.Kernel kernel, Entry entry, int blocks, int blockSize, Pointer parameters) {
    if (!cooperates) {
      throw new DeviceUnavailableException(
          description.name()
              + " has no cooperative launches, which "
              + kernel.name()
              + " needs, as its threads wait for each other");
    }
    return JCudaDriver.cuLaunchCooperativeKernel(
        entry.function, blocks, 1, 1, blockSize, 1, 1, 0, stream, parameters);
  }

  @Override
  public boolean hasGridBarrier() {
    return cooperates;
  }

  @Override
  public boolean launchesEarly() {
    return true;
  }

  @Override
  public Completion run(
      LoadedModule module,
      ModuleTable.Kernel kernel,
      ByteBuffer functor,
      Grid grid,
      Watch watch,
      ReadBack readBack) {
    return start(module, kernel, functor, grid, watch, readBack).await();
  }

  @Override
  public Started start(
      LoadedModule module,
      ModuleTable.Kernel kernel,
      ByteBuffer functor,
      Grid grid,
      Watch watch,
      ReadBack readBack) {
    enter();
    // Looked up before the clock starts: the first look may load code.
    ((CudaModule) module).entry(kernel);
    StartedLaunch launch = new StartedLaunch(kernel, grid, watch, readBack);
    try {
      launch.begin(module, functor);
    } catch (RuntimeException e) {
      if (!inFlight.contains(launch)) {
        idleMarks.push(launch.marks);
      }
      throw e;
    }
    return launch;
  }

  /** A run between its start and its end. */
  private final class StartedLaunch implements Started {
    /**
     * Events at both ends of the kernel and behind the copy of what is read back, and pinned memory
     * for that.
     */
    private record Marks(CUevent begin, CUevent end, CUevent done, Staging.Received received) {}

    private final ModuleTable.Kernel kernel;
    private final Grid grid;
    private final Watch watch;
    private final ReadBack readBack;
    private final Marks marks;
    private boolean timedOut;

    StartedLaunch(ModuleTable.Kernel kernel, Grid grid, Watch watch, ReadBack readBack) {
      this.kernel = kernel;
      this.grid = grid;
      this.watch = watch;
      this.readBack = readBack;
      Marks idle = idleMarks.poll();
      this.marks =
          idle != null
              ? idle
              : new Marks(
                  ownEvent(0), ownEvent(0), ownEvent(EVENT_WITHOUT_TIME), staging.newReceived());
    }

    void begin(LoadedModule module, ByteBuffer functor) {
      long bytes = readBack == null ? 0 : readBack.target().length * 8L;
      marks.received.makeRoom(bytes);
      check(JCudaDriver.cuEventRecord(marks.begin, stream), "recording an event");
      launch(module, kernel, functor, grid);
      inFlight.add(this); // at once, so that whatever waits from here on watches it
      check(JCudaDriver.cuEventRecord(marks.end, stream), "recording an event");
      if (readBack != null) {
        marks.received.start(readBack.address(), bytes);
      }
      check(JCudaDriver.cuEventRecord(marks.done, stream), "recording an event");
    }

    /** Waits for its end; it is the first that is in flight. */
    void waitForEnd() {
      boolean raised = CudaBackend.this.await(marks.done, marks.begin, watch, kernel.name(), grid);
      // A cancel may come before the first look at a short launch, but not behind its end.
      timedOut = raised || (watch != null && watch.canceled());
      inFlight.remove();
    }

    @Override
    public Completion await() {
      enter();
      while (inFlight.contains(this)) {
        inFlight.element().waitForEnd();
      }
      if (readBack != null) {
        marks.received.give(readBack.target());
      }
      float[] millis = {0};
      check(JCudaDriver.cuEventElapsedTime(millis, marks.begin, marks.end), "reading an event");
      idleMarks.push(marks);
      return new Completion(millis[0], timedOut);
    }
  }

  /**
   * Before the host waits for the stream: waits for the runs in flight, whose time may have to be
   * ended for the stream to go on.
   */
  void endRuns() {
    while (!inFlight.isEmpty()) {
      inFlight.element().waitForEnd();
    }
  }

  /**
   * Waits for an event; raises the watchdog's flag when time is up, and waits on. A kernel that
   * does not end in the time that it then has is beyond reach: nothing stops it but the process's
   * end.
   *
   * @param begin the event behind the flag's reset and before the kernel, if there is a watch
   * @param watch null for none
   * @param kernel what is waited for, and its shape
   */
  private boolean await(CUevent event, CUevent begin, Watch watch, String kernel, Object shape) {
    Watchdog watchdog = new Watchdog(watch, GRACE_NANOS);
    long start = System.nanoTime();
    while (true) {
      if (isDone(event, kernel, shape)) {
        return watchdog.raised();
      }
      long waited = System.nanoTime() - start;
      switch (watchdog.look(waited, () -> isDone(begin, kernel, shape))) {
        case RAISE -> staging.raise(watch.flag(), sideStream);
        case GIVE_UP -> {
          String why = "still running " + GRACE_NANOS / 1_000_000_000 + " s after its time was up";
          CudaDriver.died(index, "kernel " + kernel + " is " + why);
          throw new KernelFaultException(
              kernel, shape.toString(), "no end: " + why + ": an endless loop?", true);
        }
        default -> {}
      }
      if (waited < SPIN_NANOS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(this, PARK_NANOS);
      }
    }
  }

  /**
   * Whether the stream has come to an event. A fault is told as that of the kernel that is waited
   * for, but the driver does not say whose it is.
   */
  private boolean isDone(CUevent event, String kernel, Object shape) {
    int code = JCudaDriver.cuEventQuery(event);
    if (code == CUresult.CUDA_ERROR_NOT_READY) {
      return false;
    }
    check(code, "running it, or another launch that had not ended", kernel, shape);
    return true;
  }

  @Override
  public Grid gridFor(LoadedModule module, ModuleTable.Kernel kernel, long items) {
    Entry entry = ((CudaModule) module).entry(kernel);
    int block = entry.blockSize;
    long most = kernel.meetsGrid() ? entry.residentBlocks : MOST_THREADS / block;
    long blocks = Math.min((items + block - 1) / block, most);
    return grid(Math.max(1, blocks), block);
  }

  @Override
  public Grid gridForTransactions(
      LoadedModule module, ModuleTable.Kernel kernel, long items, long mostThreads, long seed) {
    Entry entry = ((CudaModule) module).entry(kernel);
    int block = entry.blockSize;
    if (mostThreads > 0) {
      long threads = Math.min(Math.max(1, mostThreads / 32), (items + 31) / 32) * 32;
      return threads < block
          ? grid(1, (int) threads)
          : grid(
              Math.min(
                  threads / block,
                  kernel.meetsGrid() ? entry.residentBlocks : MOST_THREADS / block),
              block);
    }
    long blocks = Math.min((items + block - 1) / block, entry.residentBlocks);
    return grid(Math.max(1, blocks), block);
  }

  private static Grid grid(long blocks, int blockSize) {
    return new Grid(blocks * blockSize, blockSize, -1);
  }

  @Override
  public HostFunctions cub() {
    if (!cubLooked) {
      cubLooked = true;
      enter();
      endRuns(); // what opens the library may wait for them
      cub = CubLibrary.open(this);
    }
    return cub;
  }

  /** The stream's handle. */
  long streamHandle() {
    return stream.handle();
  }

  /** Notes what faults are blamed on from here on. */
  void launching(String what, Object shape) {
    latestLaunch = what;
    latestShape = shape;
  }

  @Override
  public Span startSpan() {
    enter();
    return new EventSpan();
  }

  /** A span between two events of the GPU's. */
  private final class EventSpan implements Span {
    private final CUevent first = newEvent(0);
    private final CUevent last;

    EventSpan() {
      try {
        last = newEvent(0);
      } catch (RuntimeException e) {
        destroy(first);
        throw e;
      }
      try {
        check(JCudaDriver.cuEventRecord(first, stream), "recording an event");
      } catch (RuntimeException e) {
        close();
        throw e;
      }
    }

    @Override
    public void end() {
      enter();
      check(JCudaDriver.cuEventRecord(last, stream), "recording an event");
    }

    @Override
    public double millis() {
      enter();
      endRuns();
      boolean unused = await(last, null, null, latestLaunch, latestShape);
      assert !unused;
      float[] millis = {0};
      check(JCudaDriver.cuEventElapsedTime(millis, first, last), "reading an event");
      return millis[0];
    }

    @Override
    public void close() {
      if (fault() == null) {
        enter();
        destroy(first);
        destroy(last);
      }
    }
  }

  @Override
  public void synchronize() {
    enter();
    endRuns();
    check(JCudaDriver.cuStreamSynchronize(stream), "waiting for the GPU");
  }

  @Override
  public String fault() {
    return CudaDriver.fault(index);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    staging.stopThreads();
    if (fault() != null) {
      releases.clear(); // nothing of the context answers any more
      return;
    }
    RuntimeException failure = null;
    try {
      synchronize();
      emptyCache();
    } catch (RuntimeException e) {
      failure = e;
    }
    RuntimeException later = release();
    if (failure == null) {
      failure = later;
    } else if (later != null) {
      failure.addSuppressed(later);
    }
    if (failure != null) {
      throw failure;
    }
  }
}
