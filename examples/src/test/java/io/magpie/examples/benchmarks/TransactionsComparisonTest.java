package io.magpie.examples.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.examples.cli.CommandRun;
import io.magpie.examples.cli.ExitStatus;
import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.Ladder;
import io.magpie.examples.compare.Progress;
import io.magpie.stm.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmarks by the command line. */
class TransactionsComparisonTest {
  private static final String BANK = "bank:accounts=60,transactions=500,scanned=6";

  @TempDir Path folder;

  private static CommandRun compare(String workload, String... more) {
    List<String> words =
        new ArrayList<>(List.of("compare", "transactions", "--input", "workload:" + workload));
    words.addAll(List.of("--devices", "cpu:2", "--repeats", "1", "--warmups", "0"));
    words.addAll(List.of(more));
    return CommandRun.of(words.toArray(new String[0]));
  }

  private static long verified(CommandRun run) {
    return run.out().lines().filter(line -> line.endsWith("  verified")).count();
  }

  @Test
  void everyFormIsVerified() {
    CommandRun run =
        compare(
                BANK,
                "--variants",
                "synchronization=stm,locks",
                "policy=hand_off,priority_rule",
                "back-off=0,512")
            .expect(ExitStatus.OK);
    assertEquals(2 * 2 + 1, verified(run), run.out());
    assertTrue(run.out().contains("60 accounts, 500 transactions"), run.out());
    assertTrue(run.out().contains("commits per second"), run.out());
  }

  @Test
  void layoutsAreComparedWhereThereAreSeveral() {
    CommandRun run = compare(BANK, "--variants", "layout=all").expect(ExitStatus.OK);
    assertEquals(2, verified(run), run.out());
    assertTrue(run.out().contains("beside"), run.out());
    run =
        compare("kmeans:points=40,clusters=4", "--variants", "layout=beside")
            .expect(ExitStatus.BAD_INPUT);
    assertTrue(
        run.err().contains("layout=beside: kmeans:") && run.err().contains("arrays of their own"),
        run.err());
    run =
        compare(BANK, "--variants", "synchronization=locks", "layout=beside")
            .expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("layout"), run.err());
  }

  /** As many contestants as it has steps; each is a different one. */
  @ParameterizedTest
  @ValueSource(strings = {"threads", "back-off", "locks"})
  void laddersHaveEveryPolicy(String name) {
    Ladder<TransactionsOptions> ladder =
        new TransactionsComparison()
            .ladders().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    assertEquals(ladder.steps().size(), ladder.steps().values().stream().distinct().count());
    assertEquals(
        name.equals("locks") ? 1 : 0,
        ladder.steps().values().stream()
            .filter(each -> each.synchronization() == Synchronization.LOCKS)
            .count());
    for (Policy policy : Policy.values()) {
      assertTrue(
          ladder.steps().values().stream()
              .anyMatch(
                  each ->
                      each.synchronization() == Synchronization.STM
                          && each.stm().policy() == policy),
          policy.toString());
    }
  }

  /**
   * What does not finish, as not every policy promises, is said and leaves the others as they are.
   */
  @ParameterizedTest
  @ValueSource(strings = {"threads", "back-off", "locks"})
  @Tag("comparisons")
  void laddersAreRun(String name) {
    CommandRun run = compare(BANK, "--ladder", name);
    assertTrue(verified(run) >= 4, run.out());
  }

  @Test
  void rowsCountCommitsAndTellRates() throws IOException {
    Path file = folder.resolve("runs.jsonl");
    compare(
            "hash-table:keys=40,transactions=400",
            "--variants",
            "synchronization=stm,lock-free",
            "--json",
            file.toString())
        .expect(ExitStatus.OK);
    List<JsonNode> rows = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      JsonNode row = new ObjectMapper().readTree(line);
      if (row.get("kind").asText().equals("run")) {
        rows.add(row);
      }
    }
    JsonNode stm = rows.get(0).get("counters");
    assertEquals(400, stm.get("commits").asLong());
    assertEquals(400, stm.get("operations").asLong());
    double seconds = rows.get(0).get("millis").get("kernels").asDouble() / 1e3;
    assertEquals(400 / seconds, stm.get("commitsPerSecond").asDouble(), 1);
    assertTrue(rows.get(0).get("aborts").has("outranked"), rows.get(0).toString());
    JsonNode free = rows.get(1).get("counters");
    assertEquals(400, free.get("operations").asLong());
    assertTrue(!free.has("commits") && !free.has("commitsPerSecond"), free.toString());
    assertEquals("lock-free", rows.get(1).get("variant").get("synchronization").asText());

    Path page = folder.resolve("page.html");
    CommandRun.of("report", file.toString(), "--out", page.toString()).expect(ExitStatus.OK);
    assertTrue(Files.readString(page).contains("operations per second"), "no rates on the page");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ycsb | synchronization=lock-free | has no such form; it has stm",
        "bank:accounts=9,scanned=9 | synchronization=lock-free | no such form; it has stm, locks",
        "kmeans:points=9,clusters=2 | synchronization=locks | no such form; it has stm, lock-free",
      })
  void aFormThatThereIsNotDoesNotSuit(String workload, String variant, String message) {
    CommandRun run = compare(workload, "--variants", variant).expect(ExitStatus.BAD_INPUT);
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(run.err().contains(variant) && run.err().contains(message), run.err());
  }

  /** Before anything is drawn, as drawing may take minutes. */
  @Test
  void whatThereIsNotIsRefusedOfABenchmarkThatCannotBeGenerated() {
    Benchmark never =
        () -> {
          throw new AssertionError("generated");
        };
    Workload workload = new Workload("never:seed=1", 1, never);
    TransactionsComparison comparison = new TransactionsComparison();
    TransactionsOptions defaults = comparison.defaults();
    assertEquals(Optional.empty(), comparison.unsuited(workload, defaults));
    assertEquals(
        Optional.of(
            new Comparison.Unsuited(
                Set.of("synchronization"),
                "synchronization=lock-free: never:seed=1 has no such form; it has stm")),
        comparison.unsuited(
            workload,
            defaults.with(TransactionsOptions.SYNCHRONIZATION, Synchronization.LOCK_FREE)));
    assertEquals(
        Optional.of(
            new Comparison.Unsuited(
                Set.of("layout"),
                "layout=beside: never:seed=1 has its data in arrays of their own only")),
        comparison.unsuited(workload, defaults.with(TransactionsOptions.LAYOUT, Layout.BESIDE)));
  }

  /** Whoever has not asked first gets no other form's figures. */
  @ParameterizedTest
  @CsvSource({
    "bank:accounts=9, lock-free, 'it has stm, locks'",
    "'kmeans:points=40,clusters=4', locks, 'it has stm, lock-free'",
    "'ycsb:records=9,transactions=9', locks, it has stm"
  })
  void aVariantOfAFormThatThereIsNotIsRefused(String spec, String form, String has) {
    TransactionsComparison comparison = new TransactionsComparison();
    Comparison.Prepared<TransactionsOptions> prepared =
        comparison.prepare(Workload.of(spec), Progress.NONE);
    TransactionsOptions variant =
        comparison
            .defaults()
            .with(
                TransactionsOptions.SYNCHRONIZATION,
                TransactionsOptions.SYNCHRONIZATION.parse(form));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> prepared.variant(null, variant));
    assertTrue(e.getMessage().startsWith("synchronization=" + form + ": "), e.getMessage());
    assertTrue(e.getMessage().contains(has), e.getMessage());
  }

  @Test
  void aPolicyThatDoesNotRunTheRegionsIsRefused() {
    String workload = "kmeans:points=40,clusters=4";
    for (Policy policy : List.of(Policy.PESSIMISTIC_IN_PLACE, Policy.OBSTRUCTION_FREE)) {
      String variant = "policy=" + policy.kernelName();
      CommandRun run =
          compare(workload, "--variants", variant, "synchronization=stm,lock-free")
              .expect(ExitStatus.BAD_INPUT);
      assertEquals(1, run.err().lines().count(), run.err());
      assertTrue(
          run.err().contains(variant + ": kmeans:")
              && run.err().contains("points=40,")
              && run.err().contains(" stores in apply, "),
          run.err());
    }
    CommandRun run = compare(BANK, "--variants", "policy=pr_stm", "layout=beside");
    run.expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("policy=pr_stm: layout=beside has no room"), run.err());
    assertTrue(run.err().contains("choose another policy, or layout=apart"), run.err());
  }

  /** They run a workload whose regions go through the transaction alone. */
  @ParameterizedTest
  @ValueSource(strings = {BANK, "vacation:relations=20,customers=50,transactions=500"})
  @Tag("comparisons")
  void policiesThatWriteInPlaceAreCompared(String workload) {
    CommandRun run =
        compare(
                workload,
                "--variants",
                "policy=pessimistic_in_place,invisible_reads_in_place",
                "threads-in-flight=1")
            .expect(ExitStatus.OK);
    assertEquals(2, verified(run), run.out());
  }

  /** Where all values of what does not suit are asked for; what is left runs. */
  @Test
  void ofAllVariantsThoseAreLeftOutThatDoNotSuit() {
    for (String all : List.of("all", "synchronization=all layout=all")) {
      List<String> variants = new ArrayList<>(List.of("--variants", "policy=hand_off"));
      variants.addAll(List.of(all.split(" ")));
      CommandRun run =
          compare("kmeans:points=40,clusters=4", variants.toArray(new String[0]))
              .expect(ExitStatus.OK);
      assertEquals(2, verified(run), run.out());
      List<String> said = run.err().lines().filter(line -> line.startsWith("left out: ")).toList();
      assertEquals(2, said.size(), run.err());
      assertTrue(said.get(0).startsWith("left out: layout=beside: kmeans:"), run.err());
      assertTrue(said.get(1).startsWith("left out: synchronization=locks: kmeans:"), run.err());
    }
  }

  /** Whatever is left, and though all values of other settings are asked for. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "policy=all synchronization=stm,locks | synchronization=locks: ",
        "policy=obstruction_free synchronization=stm,lock-free layout=all | policy=obstruction_free: ",
        "policy=obstruction_free all | policy=obstruction_free: ",
        "layout=apart,beside synchronization=all | layout=beside: ",
      })
  void whatIsGivenByNameAndDoesNotSuitIsRefused(String variants, String message) {
    List<String> more = new ArrayList<>(List.of("--variants"));
    more.addAll(List.of(variants.split(" ")));
    CommandRun run =
        compare("kmeans:points=40,clusters=4", more.toArray(new String[0]))
            .expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains(message), run.err());
    assertFalse(run.err().contains("left out"), run.err());
    assertEquals("", run.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "transactions --workload bank:accounts=1 | accounts=1: expected a whole number from 2 to ",
        "transactions --workload purse | there is no benchmark 'purse'; expected one of bank, ",
        "transactions --input workload: | expected workload:SPEC",
        "transactions --generate road:9 | expected a workload, by --workload",
        "msf --workload bank | expected a graph, by --graph or ",
        "transactions --workload bank --seed 3 | --seed",
        "transactions --workload bank --variants back-off=-2 | back-off=-2: expected at least -1",
        "transactions --workload bank --ladder steps | expected one of threads, back-off, locks",
        "transactions --workload bank --variants synchronization=locks policy=hand_off | has no"
            + " effect",
      })
  void whatIsWrongIsToldInASentence(String arguments, String message) {
    CommandRun run = CommandRun.of(("compare " + arguments).split(" ")).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(message), run.err());
  }
}
