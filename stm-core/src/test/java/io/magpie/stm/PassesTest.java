package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.DeviceDescription.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernels of several passes, which processors run within a launch. */
@Timeout(300)
class PassesTest {
  private static final int SLOTS = 5_000;
  private static final int NEVER = -1;

  static Stream<String> devices() {
    return Stream.concat(Devices.all(), Stream.of("cpu:1", "cpu:2", "cpu:3")).distinct();
  }

  /** The arrays of a relay, and how it is launched. */
  private static final class Relay implements AutoCloseable {
    private final KernelModule module;
    private final DeviceArray<int[]> slots;
    private final DeviceArray<int[]> reached;
    private final DeviceArray<int[]> wrong;
    private int launches;

    Relay(Device device) {
      this.module = device.compile(Devices.source("passes.cu"));
      this.slots = device.ints(SLOTS);
      this.reached = device.ints(1);
      this.wrong = device.ints(1);
    }

    /** Launches again and again until all passes have been run. */
    void run(int passes, int failsIn) {
      slots.fill(0);
      reached.fill(0);
      launches = 0;
      Fields fields =
          new Fields()
              .set("passes", passes)
              .set("fails_in", failsIn)
              .set("address", 8L)
              .set("slots", slots)
              .set("reached", reached)
              .set("wrong", wrong);
      for (int pass = 0; pass < passes; pass = reached.getInt(0)) {
        module.kernel("relay").launch(SLOTS, fields.set("pass", pass));
        launches++;
      }
      assertEquals(0, wrong.getInt(0));
      int[] expected = new int[SLOTS];
      Arrays.fill(expected, passes);
      assertEquals(Arrays.toString(expected), Arrays.toString(slots.toArray()));
    }

    @Override
    public void close() {
      wrong.close();
      reached.close();
      slots.close();
      module.close();
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void eachPassReadsWhatTheOneBeforeWrote(String spec) {
    try (Device device = Device.open(spec);
        Relay relay = new Relay(device)) {
      for (int passes : new int[] {1, 2, 30, device.machine() == Machine.SIM ? 40 : 2_000}) {
        relay.run(passes, NEVER);
        if (device.machine() != Machine.CPU) {
          assertEquals(passes, relay.launches);
        } else if (device.description().parallelism() == 1) {
          assertEquals(1, relay.launches, "nobody is there to help, or to be missed");
        } else {
          assertTrue(relay.launches <= passes, relay.launches + " launches");
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#host")
  void afterAFaultTheDeviceGoesOn(String spec) {
    try (Device device = Device.open(spec);
        Relay relay = new Relay(device)) {
      for (int round = 0; round < 20; round++) {
        int failsIn = round;
        KernelFaultException fault =
            assertThrows(KernelFaultException.class, () -> relay.run(40, failsIn));
        assertTrue(fault.getMessage().contains("relay"), fault::getMessage);
      }
      relay.run(40, NEVER);
    }
  }

  /** On one processor such threads would wait for each other without end. */
  @Test
  void aKernelWhoseThreadsMeetHasNoPasses(@TempDir Path folder) throws IOException {
    Path source = folder.resolve("meets.cu");
    Files.writeString(
        source,
        """
        #include "magpie/kernel.cuh"
        struct meets {
          std::uint32_t* arrived;
          static constexpr bool meets_grid = true;
          MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
            std::uint32_t due = 0;
            magpie::grid_barrier::wait(self, arrived, due);
          }
          MAGPIE_DEVICE std::uint32_t next_pass() { return 4; }
        };
        MAGPIE_KERNEL(meets)
        """);
    try (Device device = Device.open("cpu:1")) {
      CompilationException refused =
          assertThrows(CompilationException.class, () -> device.compile(source));
      assertTrue(
          refused.getMessage().contains("a kernel whose threads meet has no next_pass"),
          refused::getMessage);
    }
  }
}
