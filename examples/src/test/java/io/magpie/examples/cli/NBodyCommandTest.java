package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.algorithms.nbody.Bodies;
import io.magpie.algorithms.nbody.TipsyFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NBodyCommandTest {
  @TempDir Path folder;

  private static CommandRun run(String words) {
    return CommandRun.of(("nbody " + words).split(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "cpu:2, --steps 3",
    "cpu:2, --tree locks --precision float",
    "cpu:2, --tree transactions --theta 0.7",
    "sim:1:4, --tree locks --softening 0",
    "sim:3:4, --tree transactions --timeout 30",
    "sim:1:4, --steps 2 --precision float",
  })
  void verifiesEveryVariant(String device, String options) {
    CommandRun run = run("--bodies plummer:200 --verify --device " + device + " " + options);
    String out = run.expect(ExitStatus.OK).out();
    assertTrue(out.contains("verified  the tree of its bodies; errors of forces on 200 "), out);
    assertTrue(out.contains("bodies    plummer:n=200,seed=1"), out);
    assertTrue(out.contains("energy    -0.2"), out);
    assertTrue(out.contains("of steps  keys "), out);
    assertEquals(options.contains("transactions"), out.contains("aborts    "), out);
    assertEquals("", run.err());
  }

  @Test
  void detailsAreShownIfAsked() {
    String call = "--bodies cube:50 --device cpu:2 --tree locks";
    assertFalse(run(call).expect(ExitStatus.OK).out().contains("insert_by_locks"));
    assertTrue(run(call + " --details").expect(ExitStatus.OK).out().contains("insert_by_locks"));
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    Path tipsy = folder.resolve("end.tipsy");
    Path csv = folder.resolve("end.csv");
    String call = "--bodies collision:60 --device cpu:2 --precision float --steps 2 --out ";
    run(call + tipsy).expect(ExitStatus.OK);
    run(call + csv).expect(ExitStatus.OK);
    Bodies read = TipsyFormat.read(tipsy);
    List<String> lines = Files.readAllLines(csv);
    assertEquals("mass,x,y,z,vx,vy,vz", lines.get(0));
    assertEquals(61, lines.size());
    String[] last = lines.get(60).split(",");
    assertEquals(read.position(59, 2), Double.parseDouble(last[3]));
    assertEquals(read.velocity(59, 0), Double.parseDouble(last[4]));
    String again =
        run("--input bodies:" + tipsy + " --device cpu:2 --verify").expect(ExitStatus.OK).out();
    assertTrue(again.contains("bodies    " + tipsy), again);
    Path same = folder.resolve("same.csv");
    run("--bodies " + csv + " --device cpu:2 --steps 0 --out " + same).expect(ExitStatus.OK);
    assertEquals(lines, Files.readAllLines(same));
    Files.writeString(csv, "mass,x,y,z,vx,vy,vz\n1,2,3\n");
    CommandRun wrong = run("--bodies " + csv + " --device cpu:2").expect(ExitStatus.BAD_INPUT);
    assertTrue(wrong.err().contains("end.csv:2: found 3 numbers, expected 7"), wrong.err());
  }

  @Test
  void framesAndAPicture() throws IOException {
    Path base = folder.resolve("frame");
    run("--bodies plummer:100 --device cpu:1 --steps 10 --pixels 32 --every 5 --frames "
            + base
            + " --png "
            + folder.resolve("end.png"))
        .expect(ExitStatus.OK);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          List.of("end.png", "frame-00.png", "frame-05.png", "frame-10.png"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void tellsProgramsTheSame() throws IOException {
    JsonNode value =
        new ObjectMapper()
            .readTree(
                run("--bodies cube:40 --device cpu:1 --steps 2 --verify --json")
                    .expect(ExitStatus.OK)
                    .out());
    assertEquals(40, value.at("/input/bodies").asInt());
    assertEquals("verified", value.get("verdict").textValue());
    assertEquals(40, value.at("/errors/bodies").asInt());
    assertEquals("morton", value.at("/variant/tree").textValue());
    assertEquals(2, value.at("/variant/steps").asInt());
    assertEquals(0, value.at("/before/kinetic").asDouble());
    assertTrue(value.at("/after/kinetic").asDouble() > 0);
    assertEquals(3, value.at("/after/angularMomentum").size());
    assertTrue(value.get("angularMomentumDrift").asDouble() < 1e-2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--bodies cube:9 --theta 1.5 | --theta must be from 0 to 1",
        "--bodies cube:9 --steps -1 | --steps must be from 0 to 1000000000",
        "--bodies cube:9 --time-step 0 | --time-step must be above 0",
        "--bodies cube:9 --time-step 1e-46 --precision float | time-step=1.0E-46 is too small",
        "--bodies cube:9 --precision float --softening 1e-23 | softening=1.0E-23 is too small",
        "--bodies cube:9 --policy hand_off | --policy has no effect without --tree transactions",
        "--bodies cube:x | n=x",
        "--bodies plummer | 'n' is missing",
        "--input graph:a.el | expected bodies, by --bodies",
        "--bodies cube:9 --out a.txt | --out a.txt: expected a name that ends in .tipsy or .csv",
        "--bodies cube:9 --png a.jpg | --png a.jpg: expected a name that ends in .png",
        "--bodies cube:9 --every 2 | --every has no effect without --frames",
        "--bodies cube:9 --frames a --every 0 | --every must be 1 or more",
        "--bodies cube:9 --frames a --steps 20000 | 20001 pictures are more than 10000",
        "--bodies cube:9 --pixels 99 | --pixels has no effect without --png or --frames",
      })
  void whatMakesNoSenseIsRefused(String options, String message) {
    CommandRun run = run(options).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(message), run.err());
  }

  /** In the words of the input, as bodies that no step length suits are a matter of input. */
  @Test
  void whatDivergesIsTold() throws IOException {
    Path file = folder.resolve("fast.tipsy");
    double[] velocities = {1e30, 0, 0, 0, 0, 0};
    Bodies fast = Bodies.of(new double[] {1, 1}, new double[6], velocities);
    TipsyFormat.write(fast, new double[2], 0, 0, file);
    String call = "--bodies " + file + " --device cpu:1 --time-step 1e9";
    CommandRun single = run(call + " --precision float").expect(ExitStatus.BAD_INPUT);
    assertTrue(
        single.err().contains("fast.tipsy: step 1 of 1: bodies are beyond the range of precision"),
        single.err());
    Path out = folder.resolve("far.tipsy");
    CommandRun far = run(call + " --out " + out).expect(ExitStatus.BAD_INPUT);
    assertTrue(far.err().contains("E39 is beyond the range of Tipsy's numbers, which"), far.err());
    assertTrue(far.err().contains("write to a name that ends in .csv"), far.err());
    run(call + " --out " + folder.resolve("far.csv")).expect(ExitStatus.OK);
  }

  @Test
  void badInputIsTold() throws IOException {
    Path file = Files.write(folder.resolve("bad.tipsy"), new byte[100]);
    CommandRun bad = run("--bodies " + file + " --device cpu:1").expect(ExitStatus.BAD_INPUT);
    assertTrue(bad.err().contains("bad.tipsy: found 0 dimensions"), bad.err());
    run("--bodies " + folder.resolve("none") + " --device cpu:1").expect(ExitStatus.BAD_INPUT);
  }
}
