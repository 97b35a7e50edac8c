package io.magpie.examples.tutorials;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.examples.cli.Magpie;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tutorials run as their readers run them. */
class TutorialTest {
  private final PrintStream standardOutput = System.out;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @BeforeEach
  void capture() {
    System.setProperty(
        "magpie.home", Path.of(System.getProperty("magpie.basedir")).getParent().toString());
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void release() {
    System.setOut(standardOutput);
  }

  private String run(String... arguments) {
    StringWriter messages = new StringWriter();
    PrintWriter writer = new PrintWriter(messages);
    assertEquals(0, Magpie.run(writer, writer, arguments), messages::toString);
    return messages + printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void areListed() {
    String out = run("run");
    assertTrue(out.contains("01-bank-transfer") && out.contains("02-verify-your-region"), out);
  }

  @Test
  void bankTransferConservesTheMoney() {
    String out = run("run", "01-bank-transfer", "cpu:4", "sim:7:32");
    assertTrue(out.contains("region transfer on cpu:4: 1,000,000 items"), out);
    assertTrue(out.contains("region transfer on sim:7:32"), out);
    assertEquals(
        2, out.lines().filter(l -> l.contains("before 100,000, after 100,000")).count(), out);
  }

  @Test
  void onlyTheFixedRegionCoversEveryPair() {
    String out = run("run", "02-verify-your-region", "cpu:4", "sim:7:32");
    assertEquals(2, out.lines().filter(l -> l.matches(" *on_call_fixed.cu +0 of .*")).count(), out);
    assertTrue(out.matches("(?s).*sim:7:32.*  on_call.cu  +[1-9][0-9,]* of 10,000 pairs.*"), out);
  }
}
