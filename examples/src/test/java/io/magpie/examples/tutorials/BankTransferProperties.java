package io.magpie.examples.tutorials;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.verification.testing.RegionCheck;
import java.nio.file.Path;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Transfers are those of one clerk, whatever the accounts and whoever pays whom. */
class BankTransferProperties {
  /** Balances, and for each transfer who pays and who is paid. */
  record Bank(int[] balance, int[] from, int[] to) {
    @Override
    public String toString() {
      return Arrays.toString(balance) + " " + Arrays.toString(from) + " to " + Arrays.toString(to);
    }
  }

  @Provide
  Arbitrary<Bank> banks() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 4), Arbitraries.integers().between(1, 6))
        .flatAs(
            (accounts, transfers) -> {
              Arbitrary<Integer> account = Arbitraries.integers().between(0, accounts - 1);
              return Combinators.combine(
                      Arbitraries.integers().between(0, 20).array(int[].class).ofSize(accounts),
                      account.array(int[].class).ofSize(transfers),
                      account.array(int[].class).ofSize(transfers))
                  .as(Bank::new);
            });
  }

  @Property(tries = 20)
  void areThoseOfOneClerk(
      @ForAll("banks") Bank bank, @ForAll @IntRange(min = 1, max = 9) int amount) {
    RegionCheck.of(Path.of(System.getProperty("magpie.basedir"), "01-bank-transfer", "transfer.cu"))
        .guarded("balance", bank.balance)
        .array("from", bank.from)
        .array("to", bank.to)
        .number("amount", amount)
        .items(bank.from.length)
        .on("sim:0:4", "cpu:4")
        .onGpuIfAny()
        .explore("pct:2", 50)
        .explore("random+weak", 50)
        .invariant(
            data ->
                assertEquals(
                    Arrays.stream(bank.balance).sum(), Arrays.stream(data.ints("balance")).sum()))
        .specification(
            (data, item) -> {
              int[] balance = data.ints("balance");
              if (balance[bank.from[item]] < amount) {
                return false;
              }
              balance[bank.from[item]] -= amount;
              balance[bank.to[item]] += amount;
              return true;
            })
        .allowNoCommits()
        .check();
  }
}
