package io.magpie.verification.mutation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every mutant of the device library dies under every policy that it breaks. */
@Tag("slow")
class MutationGateTest {
  private static final int ROUNDS = 2;

  /** The policies that modules are shipped with, or else one. */
  private static Set<Policy> policies(Mutant mutant) {
    Set<Policy> policies = EnumSet.copyOf(Mutant.SHIPPED);
    policies.retainAll(mutant.policies());
    return policies.isEmpty() ? Set.of(mutant.policies().iterator().next()) : policies;
  }

  @ParameterizedTest
  @EnumSource(Mutant.class)
  void dies(Mutant mutant) {
    dies(mutant, policies(mutant));
  }

  @ParameterizedTest
  @EnumSource(Mutant.class)
  @Tag("comparisons")
  void diesUnderOtherPolicies(Mutant mutant) {
    Set<Policy> others = new LinkedHashSet<>(mutant.policies());
    others.removeAll(policies(mutant));
    dies(mutant, others);
  }

  private static void dies(Mutant mutant, Set<Policy> policies) {
    try (Device device = Device.open("sim:0:1")) {
      for (Policy policy : policies) {
        MutationGate.Result result = MutationGate.run(device, mutant, policy, ROUNDS, 1);
        assertTrue(result.killed(), result.toString());
      }
    }
  }

  /** Every build under every policy that some mutant is looked for in. */
  private static Stream<Arguments> controls(Function<Mutant, Set<Policy>> policies) {
    return Arrays.stream(Mutant.values())
        .flatMap(
            mutant ->
                policies.apply(mutant).stream().map(policy -> List.of(mutant.build(), policy)))
        .distinct()
        .map(each -> Arguments.of(each.toArray()));
  }

  static Stream<Arguments> controls() {
    return controls(MutationGateTest::policies);
  }

  static Stream<Arguments> controlsOfOtherPolicies() {
    Set<List<Object>> done =
        controls().map(each -> List.of(each.get())).collect(Collectors.toSet());
    return controls(Mutant::policies).filter(each -> !done.contains(List.of(each.get())));
  }

  @ParameterizedTest
  @MethodSource("controlsOfOtherPolicies")
  @Tag("comparisons")
  void otherProtocolsLive(Mutant.Build build, Policy policy) {
    theProtocolItselfLives(build, policy);
  }

  @ParameterizedTest
  @MethodSource("controls")
  void theProtocolItselfLives(Mutant.Build build, Policy policy) {
    try (Device device = Device.open("sim:0:1")) {
      MutationGate.Result result = MutationGate.control(device, build, policy, ROUNDS, 1);
      assertFalse(result.killed(), result.toString());
    }
  }

  @Test
  void everyMutantOfTheLibraryIsKnown() throws IOException {
    String header;
    try (InputStream in =
        Mutant.class.getResourceAsStream(
            "/META-INF/magpie/include/magpie/stm/detail/mutants.cuh")) {
      header = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    // Those of rounds and pools are for the library's own tests: the programs here have neither.
    String list =
        header.substring(
            header.indexOf("enum class mutant {"), header.indexOf("// ---- Rounds and pools"));
    Set<String> names =
        Pattern.compile("(?m)^  ([a-z_]+),$")
            .matcher(list)
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(names.remove("none"));
    assertEquals(
        names,
        Arrays.stream(Mutant.values())
            .map(each -> each.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.toCollection(TreeSet::new)));
  }
}
