package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.components.ComponentsOptions;
import io.magpie.algorithms.components.ComponentsResult;
import io.magpie.algorithms.components.ComponentsVerifier;
import io.magpie.algorithms.components.ConnectedComponents;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.input.GeneratedGraph;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.InputKind;
import io.magpie.stm.Device;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told of a wrong result, its labels out of range included. */
class ComponentsOutcomeTest {
  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 9, Integer.MAX_VALUE})
  void aWrongResultIsToldAndEndsTheCommandBadly(int label) throws IOException {
    GraphInput source = GeneratedGraph.of("path:n=9").unweightedByDefault();
    try (Device device = Device.open("cpu:1")) {
      ComponentsResult result =
          ConnectedComponents.run(device, source.graph(), ComponentsOptions.defaults());
      result.labels()[0] = 0;
      result.labels()[8] = label;
      result.labels()[7] = 7;
      List<String> mistakes = ComponentsVerifier.verify(result);
      ComponentsOutcome outcome =
          new ComponentsOutcome(
              source, InputGraph.of(result.graph()), result, true, mistakes, false);

      StringWriter text = new StringWriter();
      outcome.print(new NamedLines(new PrintWriter(text, true)), device.description());
      assertTrue(text.toString().contains("WRONG     vertex 7 has label 7"), text.toString());
      assertFalse(text.toString().contains("the largest"), text.toString());

      Map<String, Object> json = new LinkedHashMap<>();
      outcome.addTo(json);
      assertEquals("wrong", json.get("verdict"));
      assertEquals(mistakes, json.get("mistakes"));
      assertEquals(Map.of("components", 1), json.get("found"));

      List<InputKind> kinds =
          ServiceLoader.load(InputKind.class).stream().map(ServiceLoader.Provider::get).toList();
      ComponentsCommand command = new ComponentsCommand(kinds);
      assertFalse(command.isKept(outcome));
      assertThrows(VerificationException.class, () -> command.require(outcome));
    }
  }
}
