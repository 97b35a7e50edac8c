package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.examples.cli.CommandRun;
import io.magpie.examples.cli.ExitStatus;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.mutation.MutantStress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutantsCommandTest {
  @TempDir Path folder;

  @Test
  void onRealThreadsTheControlPasses() throws IOException {
    Path table = folder.resolve("stressed.csv");
    CommandRun run =
        CommandRun.of(
            "mutants",
            "--device",
            "cpu:4",
            "--mutant",
            "lock-unchecked",
            "--rounds",
            "1",
            "--transactions",
            "20000",
            "--timeout",
            "0.5",
            "--csv",
            table.toString());
    assumeTrue(run.status() != ExitStatus.DEVICE_UNAVAILABLE.code(), run.err()); // no compiler
    run.expect(ExitStatus.OK);
    assertTrue(run.out().contains("(control)"), run.out());
    assertTrue(run.out().contains("of 2 mutants seen; the control passes"), run.out());
    List<String> lines = Files.readAllLines(table);
    assertEquals(5, lines.size(), lines.toString());
    assertTrue(
        lines.get(0).startsWith("revision,device,mutant,rule,policy,seen_as,"), lines.get(0));
    assertTrue(
        lines.get(4).matches("[^,]+,cpu:4,\\(control\\),.*,[0-9]+,[0-9]+\\.[0-9]"), lines.get(4));
  }

  @Test
  void policiesAreThoseThatAMutantBreaks() {
    CommandRun run =
        CommandRun.of("mutants", "--mutant=version-kept", "--policy=hand_off")
            .expect(ExitStatus.USAGE);
    assertTrue(
        run.err().contains("none of the requested mutants breaks a requested policy"), run.err());
  }

  @Test
  void aControlPassesOnlyIfSomethingRan() {
    MutantsCommand.requirePassed("it", new MutantStress.Result(Optional.empty(), "", 1, 0.1));
    VerificationException nothing =
        assertThrows(
            VerificationException.class,
            () ->
                MutantsCommand.requirePassed(
                    "it", new MutantStress.Result(Optional.empty(), "", 0, 0.1)));
    assertTrue(nothing.getMessage().contains("nothing was verified"), nothing.getMessage());
    Violation wrong = new Violation(Violation.Kind.LOST_ITEM, "item 3");
    assertThrows(
        ViolationException.class,
        () ->
            MutantsCommand.requirePassed(
                "it", new MutantStress.Result(Optional.of(wrong), "", 1, 0.1)));
  }

  @Tag("slow")
  @Test
  void aMutantIsKilledAndTheControlPasses() throws IOException {
    Path table = folder.resolve("mutants.csv");
    CommandRun run =
        CommandRun.of(
            "mutants",
            "--device=sim:0:1",
            "--mutant=lock-unchecked",
            "--rounds=1",
            "--csv=" + table);
    assumeTrue(run.status() != ExitStatus.DEVICE_UNAVAILABLE.code(), run.err()); // no compiler
    run.expect(ExitStatus.OK);
    assertTrue(run.out().contains("2 of 2 mutants killed; the control passes"), run.out());
    List<String> lines = Files.readAllLines(table);
    assertEquals(5, lines.size(), lines.toString());
    assertTrue(lines.get(0).startsWith("revision,device,mutant,rule,policy,"), lines.get(0));
    assertTrue(lines.get(1).matches("[^,]+,sim:[^,]+,lock-unchecked,locks .*"), lines.get(1));
    assertTrue(lines.get(1).endsWith("\""), "a schedule with commas: " + lines.get(1));
    assertTrue(lines.get(3).contains(",(control),none,hand_off,,,,,,"), lines.get(3));
  }
}
