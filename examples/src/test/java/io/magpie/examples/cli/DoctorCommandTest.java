package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.stm.Device;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoctorCommandTest {
  @Test
  void looksAtEverythingAndTriesEveryDevice() throws IOException {
    JsonNode all =
        new ObjectMapper()
            .readTree(CommandRun.of("doctor", "--json").expect(ExitStatus.OK).out())
            .get("diagnoses");
    List<String> subjects = all.findValuesAsText("subject");
    List<String> expected =
        new ArrayList<>(
            List.of("Java", "locale", "open files", "GPU", "C++ compiler", "nvcc", "cache"));
    Device.list().forEach(device -> expected.add(device.spec()));
    assertEquals(expected, subjects);
    for (JsonNode each : all) {
      String state = each.get("state").asText();
      assertEquals(!state.equals("good"), each.has("remedy"), each.toString());
      assertTrue(List.of("good", "limited").contains(state), each.toString());
    }
  }

  @Test
  void theTableHasTheRemedyBelowWhatWasFound() {
    String out = CommandRun.of("doctor", "--quick").expect(ExitStatus.OK).out();
    assertTrue(out.contains("Java "), out);
    if (Device.whyNoGpu().isPresent()) {
      assertTrue(out.matches("(?s).*\\nlimited +GPU +no GPU here.*\\n +programs run on.*"), out);
    }
  }
}
