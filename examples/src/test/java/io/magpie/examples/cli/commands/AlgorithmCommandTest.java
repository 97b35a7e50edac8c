package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.examples.cli.options.JsonOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.compare.Progress;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The way that commands of algorithms have in common, on an algorithm that adds two. */
class AlgorithmCommandTest {
  private final List<String> steps = new ArrayList<>();
  private final StringWriter out = new StringWriter();

  /** A sum; a wrong one if it is negative. */
  private record Sum(int value, List<String> steps) implements Outcome {
    @Override
    public boolean wrong() {
      return value < 0;
    }

    @Override
    public void print(NamedLines to, DeviceDescription device) {
      steps.add("print");
      to.line("sum", "%,d on %s", value, device == null ? "no device" : device.spec());
    }

    @Override
    public void addTo(Map<String, Object> json) {
      steps.add("json");
      json.put("sum", value);
    }
  }

  @Command(name = "add")
  private static final class AddCommand extends AlgorithmCommand<Sum> {
    private final List<String> steps;

    @Option(names = "--to")
    private int number;

    @Option(names = "--device")
    private String device;

    @Mixin private JsonOption json;

    AddCommand(List<String> steps) {
      this.steps = steps;
    }

    @Override
    void checkOptions() {
      steps.add("check options");
    }

    @Override
    JsonOption json() {
      return json;
    }

    @Override
    List<Path> filesRead() {
      return List.of();
    }

    @Override
    void checkFiles(Outputs outputs) {
      steps.add("check files");
    }

    @Override
    Device open() {
      steps.add("open");
      return device == null ? null : Device.open(device);
    }

    @Override
    Sum run(Device device, Progress progress) {
      steps.add("run");
      return new Sum(number + 1, steps);
    }

    @Override
    void write(Sum sum, Progress progress) {
      steps.add("write");
    }

    @Override
    void writeLast(Sum sum) {
      steps.add("write last");
    }

    @Override
    void require(Sum sum) {
      steps.add("require");
      if (sum.wrong()) {
        throw new VerificationException("negative");
      }
    }
  }

  private int run(String... arguments) {
    return new CommandLine(new AddCommand(steps))
        .setOut(new PrintWriter(out))
        .setExecutionExceptionHandler((e, at, parsed) -> 1)
        .execute(arguments);
  }

  @Test
  void takesItsStepsInTheirOrder() {
    assertEquals(0, run("--to", "1999"));
    assertEquals(
        List.of(
            "check options",
            "check files",
            "open",
            "run",
            "write",
            "print",
            "write last",
            "require"),
        steps);
    assertEquals(String.format("sum       2,000 on no device%n"), out.toString());
  }

  @Test
  void writesNothingThatIsWrongButTellsIt() {
    assertEquals(1, run("--to", "-9"));
    assertEquals(List.of("check options", "check files", "open", "run", "print", "require"), steps);
    assertEquals(String.format("sum       -8 on no device%n"), out.toString());
  }

  @Test
  void jsonTakesThePlaceOfTheTextAndNamesTheDevice() {
    assertEquals(0, run("--to", "1", "--device", "sim", "--json"));
    assertTrue(steps.contains("json") && !steps.contains("print"), steps.toString());
    String text = out.toString().replaceAll("\\s+", "");
    assertTrue(text.startsWith("{\"format\":2,\"algorithm\":\"add\",\"version\":"), text);
    assertTrue(text.contains("\"device\":{\"spec\":\"sim"), text);
    assertTrue(text.endsWith("},\"sum\":2}"), text);
  }

  @Test
  void aFileThatCannotBeWrittenIsRefusedBeforeAnyWork() {
    assertEquals(1, run("--to", "1", "--json", "/no/such/folder/a.json"));
    assertEquals(List.of("check options"), steps);
  }
}
