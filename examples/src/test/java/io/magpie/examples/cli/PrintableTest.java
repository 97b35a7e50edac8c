package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A terminal obeys nothing that comes in a name. */
class PrintableTest {
  private static final String HOSTILE = "a\u001b]0;owned\u0007\u001b[31m\r\u009b2J\u202egr.x";
  private static final String SHOWN =
      "a\\u001b]0;owned\\u0007\\u001b[31m\\u000d\\u009b2J\\u202egr.x";

  @TempDir Path folder;

  @Test
  void linesAndTabsStayAndOtherControlsAreShown() {
    StringWriter text = new StringWriter();
    PrintWriter out = Printable.over(new PrintWriter(text), false);
    out.printf("%s\t%s%n\u00e9\ud83d\ude00", HOSTILE, "b");
    out.write('\u007f');
    out.flush();
    assertEquals(SHOWN + "\tb\n\u00e9\ud83d\ude00\\u007f", text.toString());
    assertEquals("a\\u000ab\\u0009c", Printable.line("a\nb\tc"));
  }

  /** Where a name is an operand, a value of any option, or part of a longer one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HOSTILE",
        "msf HOSTILE",
        "msf --graph HOSTILE",
        "msf --graph HOSTILE.gr",
        "msf --graph=HOSTILE.gr.gz",
        "msf --generate HOSTILE",
        "msf --generate road:n=HOSTILE",
        "msf --generate road:9 --device HOSTILE",
        "msf --generate road:9 --merge HOSTILE",
        "msf --generate road:9 --seed HOSTILE",
        "msf --generate road:9 --out HOSTILE/a",
        "msf --generate road:9 --json HOSTILE/a",
        "refine --mesh HOSTILE",
        "refine --points uniform:9 --sync two-stages --phases HOSTILE=1",
        "compare HOSTILE --generate road:9",
        "compare msf --generate road:9 --variants HOSTILE=1",
        "verify --history HOSTILE",
        "verify --region HOSTILE --items 2",
        "verify --workload HOSTILE",
        "run HOSTILE",
        "run 01-bank-transfer HOSTILE"
      })
  void messagesShowControlsOfArguments(String line) {
    Tutorials.makeKnown();
    for (String hostile : List.of(HOSTILE, HOSTILE + "\nmagpie: all is well")) {
      String[] words = line.split(" ");
      for (int i = 0; i < words.length; i++) {
        words[i] = words[i].replace("HOSTILE", hostile);
      }
      CommandRun run = CommandRun.of(words);
      assertTrue(run.status() != 0, run.out());
      assertTrue(run.err().toLowerCase().contains(SHOWN.substring(0, 12)), run.err());
      for (String text : List.of(run.err(), run.out())) {
        assertFalse(text.matches("(?s).*[\\p{Cntrl}\u0080-\u009f\u202e&&[^\n]].*"), text);
        assertFalse(text.matches("(?s).*^magpie: all.*"), text);
        assertFalse(text.contains("\nmagpie: all"), text);
      }
    }
  }

  @Test
  void resultsShowThemTooAndJsonKeepsThem() throws IOException {
    Path file = Files.writeString(folder.resolve(HOSTILE + ".gr"), "p sp 2 1\na 1 2 3\n");
    String[] call = {"msf", "--device", "cpu", "--graph", file.toString(), "--json"};
    String text = CommandRun.of(List.of(call).subList(0, 5).toArray(new String[0])).out();
    assertTrue(text.contains(SHOWN), text);
    assertFalse(text.contains("\u001b"), text);
    String json = CommandRun.of(call).expect(ExitStatus.OK).out();
    assertFalse(json.contains("\u009b"), json);
    assertEquals(
        file.toString(), new ObjectMapper().readTree(json).get("input").get("source").textValue());
  }
}
