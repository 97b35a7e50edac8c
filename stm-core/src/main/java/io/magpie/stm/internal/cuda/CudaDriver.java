package io.magpie.stm.internal.cuda;

import com.sun.jna.Library;
import com.sun.jna.NativeLibrary;
import io.magpie.stm.DeviceDescription;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.MagpieException;
import io.magpie.stm.internal.toolchain.TemporaryFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The CUDA driver of this process: loaded when first asked for, once. Where it cannot be loaded or
 * has no device, that is an answer, not an error.
 */
public final class CudaDriver {
  private static final Logger LOG = LoggerFactory.getLogger(CudaDriver.class);
  private static final int RTLD_LAZY_LOCAL = 1;
  private static final String NO_FOLDER = "/dev/null/none";

  /**
   * What ended each dead GPU. A fault outlives the device object: it ends the process's context.
   */
  private static final Map<Integer, String> FAULTS = new ConcurrentHashMap<>();

  private CudaDriver() {}

  /** Done at first use; the class initializer makes it once for all threads. */
  private static final class Loaded {
    static final String FAILURE;
    static final int DEVICES;

    static {
      int[] count = {0};
      String failure;
      try {
        failure = load(count);
      } catch (LinkageError e) {
        LOG.debug("the CUDA driver cannot be used", e);
        failure = "JCuda's native library cannot be loaded: " + firstLine(e);
      }
      FAILURE = failure;
      DEVICES = failure == null ? count[0] : 0;
    }

    private static String load(int[] count) {
      // Looked for first: without it unpacking JCuda's library would be for nothing.
      try {
        NativeLibrary driver =
            NativeLibrary.getInstance(
                System.getProperty("os.name").startsWith("Windows") ? "nvcuda" : "libcuda.so.1",
                Map.of(Library.OPTION_OPEN_FLAGS, RTLD_LAZY_LOCAL));
        LOG.debug("found {}", driver);
      } catch (UnsatisfiedLinkError e) {
        return "the NVIDIA driver's libcuda.so.1 is not installed";
      }
      int code = inPrivateFolder(() -> JCudaDriver.cuInit(0));
      if (code == CUresult.CUDA_SUCCESS) {
        code = JCudaDriver.cuDeviceGetCount(count);
      }
      if (code != CUresult.CUDA_SUCCESS) {
        return "the NVIDIA driver answers " + errorText(code);
      }
      return count[0] == 0 ? "the NVIDIA driver finds no device" : null;
    }

    private static String firstLine(Throwable e) {
      String text = String.valueOf(e.getMessage());
      return text.lines().findFirst().orElse(text);
    }
  }

  /** A call that may initialize JCuda. */
  @FunctionalInterface
  private interface FirstCall {
    int make();
  }

  /**
   * JCuda unpacks its library to a fixed name below java.io.tmpdir, without a lock: two processes
   * that start together can load half a file, and whoever was there first decides what is loaded.
   * So the property names a private folder meanwhile, which goes once the library is mapped; where
   * there can be none, one that cannot exist. Where the library is on java.library.path nothing is
   * unpacked.
   */
  private static int inPrivateFolder(FirstCall call) {
    String before = System.getProperty("java.io.tmpdir");
    try (TemporaryFolder folder = privateFolder()) {
      System.setProperty("java.io.tmpdir", folder == null ? NO_FOLDER : folder.path().toString());
      return call.make();
    } finally {
      System.setProperty("java.io.tmpdir", before);
    }
  }

  private static TemporaryFolder privateFolder() {
    try {
      return TemporaryFolder.ofSystem("magpie-jcuda-");
    } catch (IOException e) {
      LOG.warn("cannot make a private folder to unpack JCuda into: {}", e.toString());
      return null;
    }
  }

  /** Number of GPUs; 0 if the driver is missing or refuses. */
  public static int deviceCount() {
    return Loaded.DEVICES;
  }

  /** Why there is none; null if there is one. */
  public static String whyUnavailable() {
    return Loaded.FAILURE;
  }

  /** All GPUs. */
  public static List<DeviceDescription> describeAll() {
    List<DeviceDescription> all = new ArrayList<>();
    for (int i = 0; i < deviceCount(); i++) {
      all.add(describe(i));
    }
    return all;
  }

  /** One GPU. */
  static DeviceDescription describe(int index) {
    CUdevice device = device(index);
    byte[] name = new byte[256];
    check(JCudaDriver.cuDeviceGetName(name, name.length, device), "asking for the GPU's name");
    int length = 0;
    while (length < name.length && name[length] != 0) {
      length++;
    }
    long[] bytes = {0};
    check(JCudaDriver.cuDeviceTotalMem(bytes, device), "asking for the GPU's memory");
    int[] version = {0};
    check(JCudaDriver.cuDriverGetVersion(version), "asking for the driver's version");
    return new DeviceDescription(
        "cuda:" + index,
        Machine.CUDA,
        new String(name, 0, length, StandardCharsets.UTF_8),
        attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE),
        attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        bytes[0],
        String.format(
            Locale.ROOT,
            "compute capability %d.%d, %d multiprocessors, %.1f GiB, driver for CUDA %d.%d",
            attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
            attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
            bytes[0] / (double) (1L << 30),
            version[0] / 1000,
            version[0] % 1000 / 10));
  }

  static CUdevice device(int index) {
    CUdevice device = new CUdevice();
    check(JCudaDriver.cuDeviceGet(device, index), "asking for GPU " + index);
    return device;
  }

  static int attribute(CUdevice device, int which) {
    int[] value = {0};
    check(
        JCudaDriver.cuDeviceGetAttribute(value, which, device),
        "asking for an attribute of the GPU");
    return value[0];
  }

  /** What killed a GPU; null while it lives. */
  static String fault(int index) {
    return FAULTS.get(index);
  }

  /** Notes that a GPU is dead; the first reason stays. */
  static void died(int index, String why) {
    FAULTS.putIfAbsent(index, why);
  }

  /** For calls that touch no GPU's state. */
  static void check(int code, String what) {
    if (code != CUresult.CUDA_SUCCESS) {
      throw new MagpieException(what + ": " + errorText(code));
    }
  }

  /** An error's name and what the driver says of it. */
  static String errorText(int code) {
    String[] name = {null};
    String[] text = {null};
    boolean known =
        JCudaDriver.cuGetErrorName(code, name) == CUresult.CUDA_SUCCESS
            && JCudaDriver.cuGetErrorString(code, text) == CUresult.CUDA_SUCCESS;
    return known ? name[0] + " (" + text[0] + ")" : "CUDA error " + code;
  }
}
