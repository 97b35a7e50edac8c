package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ends a GPU's context ends it for the process, so these run in processes of their own. */
class CudaFaultTest {
  @TempDir Path folder;

  /** What the forked process does; each line it prints is a fact. */
  static final class Victim {
    private Victim() {}

    public static void main(String[] arguments) {
      Device device = Device.open("cuda");
      KernelModule module = device.compile(Path.of(arguments[0]));
      DeviceArray<int[]> array = device.ints(10);
      Recording recording = device.recording(Recording.Options.defaults());
      boolean later = arguments[1].equals("later");
      try {
        if (later) {
          module.kernel("write_nowhere").launch(1, new Fields().set("address", 64L));
          device.synchronize();
        } else {
          module.kernel("write_nowhere").run(1, new Fields().set("address", 64L));
        }
        System.out.println("no fault");
      } catch (KernelFaultException e) {
        System.out.println("fault " + e.kernel() + " " + e.deviceDead() + " " + e.getMessage());
      }
      System.out.println("dead " + device.isDead());
      try {
        array.toArray();
        System.out.println("still answers");
      } catch (MagpieException e) {
        System.out.println("then " + e.getMessage());
      }
      recording.giveSlots(null); // cleaning up is no other fault
      recording.close();
      array.close();
      module.close();
      device.close();
      System.out.println("copying threads " + copyingThreads());
      try (Device again = Device.open("cuda")) {
        System.out.println("opens again " + again);
      } catch (DeviceUnavailableException e) {
        System.out.println("open " + e.getMessage());
      }
      try (Device processor = Device.open("cpu:1");
          DeviceArray<int[]> other = processor.copyOf(4)) {
        System.out.println("cpu " + other.getInt(0));
      }
    }
  }

  /** The threads that copy for some device, once those that are ending have ended. */
  private static long copyingThreads() {
    long copying = -1;
    for (int wait = 0; copying != 0 && wait < 100; wait++) {
      if (wait > 0) {
        LockSupport.parkNanos(50_000_000);
      }
      copying =
          Thread.getAllStackTraces().keySet().stream()
              .filter(each -> each.getName().startsWith("magpie-copy"))
              .count();
    }
    return copying;
  }

  /** Opens the GPU and uses it a little. */
  static final class Starter {
    private Starter() {}

    public static void main(String[] arguments) {
      try (Device device = Device.open("cuda");
          DeviceArray<int[]> array = device.copyOf(1, 2, 3)) {
        System.out.println("sum " + (array.getInt(0) + array.getInt(1) + array.getInt(2)));
      }
    }
  }

  @Test
  void aFaultEndsTheDeviceAndSaysSo() throws Exception {
    Devices.assumeGpu();
    for (String when : List.of("now", "later")) {
      Process process = start(folder, Victim.class, Devices.source("vectors.cu").toString(), when);
      List<String> facts = outputOf(process);
      String all = String.join("\n", facts);
      assertEquals(0, process.exitValue(), all);
      assertTrue(all.contains("fault write_nowhere true kernel write_nowhere ("), all);
      assertTrue(all.contains("CUDA_ERROR_ILLEGAL_ADDRESS"), all);
      assertTrue(all.contains("dead true"), all);
      assertTrue(all.contains("then cuda:0: device is dead: a new process is needed"), all);
      assertTrue(all.contains("open device 'cuda:0' is dead: a new process is needed"), all);
      assertTrue(all.contains("copying threads 0"), all);
      assertTrue(all.contains("cpu 4"), all);
    }
  }

  /** JCuda alone would unpack into one file without a lock. */
  @Test
  void processesThatStartTogetherDoNotClash() throws Exception {
    Devices.assumeGpu();
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      processes.add(start(folder, Starter.class));
    }
    for (Process process : processes) {
      List<String> lines = outputOf(process);
      assertEquals(0, process.exitValue(), () -> String.join("\n", lines));
      assertTrue(lines.contains("sum 6"), () -> String.join("\n", lines));
    }
    try (var left = Files.list(folder)) {
      assertTrue(left.noneMatch(f -> f.getFileName().toString().contains("jcuda")));
    }
  }

  private static Process start(Path tmp, Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String property :
        List.of(
            "magpie.precompiled",
            "magpie.include",
            "java.library.path",
            "jna.boot.library.path",
            "jna.nounpack")) {
      String value = System.getProperty(property);
      if (value != null) {
        command.add("-D" + property + "=" + value);
      }
    }
    command.add("-Djava.io.tmpdir=" + tmp);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static List<String> outputOf(Process process) throws Exception {
    List<String> lines;
    try (var reader = process.inputReader()) {
      lines = reader.lines().toList();
    }
    assertTrue(process.waitFor(2, TimeUnit.MINUTES));
    return lines;
  }
}
