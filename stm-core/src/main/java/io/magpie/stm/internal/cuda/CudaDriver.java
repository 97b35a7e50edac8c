package io.magpie.stm.internal.cuda;

import io.magpie.stm.DeviceDescription;
import java.util.List;

public final class CudaDriver {
  private CudaDriver() {}

  public static int deviceCount() {
    return 0;
  }

  public static String whyUnavailable() {
    return "CUDA is not bound yet";
  }

  public static List<DeviceDescription> describeAll() {
    return List.of();
  }
}
