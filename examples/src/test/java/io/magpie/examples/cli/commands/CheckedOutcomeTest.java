package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.examples.cli.output.NamedLines;
import io.magpie.stm.DeviceDescription;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckedOutcomeTest {
  private record Answer(boolean verified, List<String> mistakes) implements CheckedOutcome {
    @Override
    public void print(NamedLines to, DeviceDescription device) {
      printVerdict(to, () -> verified ? "100 % right" : "nobody knows");
    }

    @Override
    public void addTo(Map<String, Object> json) {
      addVerdict(json);
    }

    String text() {
      StringWriter text = new StringWriter();
      PrintWriter out = new PrintWriter(text);
      print(new NamedLines(out), null);
      out.flush();
      return text.toString().strip();
    }

    Map<String, Object> json() {
      Map<String, Object> json = new LinkedHashMap<>();
      addTo(json);
      return json;
    }
  }

  @Test
  void whatWasNotVerifiedIsNotClaimed() {
    Answer answer = new Answer(false, List.of());
    assertEquals("", answer.text());
    assertEquals(Map.of("verdict", "not verified"), answer.json());
  }

  @Test
  void whatIsRightIsTold() {
    Answer answer = new Answer(true, List.of());
    assertEquals("verified  100 % right", answer.text());
    assertEquals(Map.of("verdict", "verified"), answer.json());
  }

  @Test
  void allMistakesAreTold() {
    Answer answer = new Answer(true, List.of("50 % wrong", "late"));
    assertEquals("WRONG     50 % wrong; late", answer.text());
    assertEquals(
        Map.of("verdict", "wrong", "mistakes", List.of("50 % wrong", "late")), answer.json());
  }
}
