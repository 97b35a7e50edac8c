package io.magpie.stm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.internal.ControlBlock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rule by the table of cases that the C++ launcher is held to as well. */
class LargerLogsTest {
  static Stream<String> cases() throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                LargerLogsTest.class.getResourceAsStream("/larger_logs_cases.txt"), UTF_8))) {
      List<String> found =
          lines.lines().filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
      assertTrue(found.size() > 20);
      return found.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void logsAreThoseOfTheTable(String text) {
    String[] sides = text.split(" -> ", -1);
    long[] given = Stream.of(sides[0].split(" ", -1)).mapToLong(Long::parseLong).toArray();
    LargerLogs logs =
        LargerLogs.of(
            (int) given[0],
            (int) given[1],
            (int) given[2],
            given[3],
            (int) given[4],
            given[5],
            Policy.HAND_OFF);
    String said =
        logs.objects()
            + " "
            + logs.writes()
            + " "
            + logs.threads()
            + (logs.alone() ? " alone" : "");
    assertEquals(sides[1], said);
    assertTrue(
        logs.objects() == 0
            || logs.threads() * ControlBlock.pagedLogBytes(logs.objects(), logs.writes())
                <= given[3]);
  }

  /** The same cases, where threads have descriptors beside their logs. */
  @ParameterizedTest
  @MethodSource("cases")
  void descriptorsHaveRoom(String text) {
    long[] given =
        Stream.of(text.split(" -> ", -1)[0].split(" ", -1)).mapToLong(Long::parseLong).toArray();
    int objects = (int) given[1];
    int writes = (int) given[2];
    Policy policy = Policy.OBSTRUCTION_FREE;
    LargerLogs logs =
        LargerLogs.of((int) given[0], objects, writes, given[3], (int) given[4], given[5], policy);
    long needed =
        ControlBlock.pagedLogBytes(logs.objects(), logs.writes())
            + policy.threadBytes(logs.objects(), logs.writes());
    assertTrue(logs.objects() == 0 || logs.threads() * needed <= given[3], text);
    if (logs.alone()) {
      long scale = logs.objects() / Math.max(1, objects);
      long moreObjects = (scale + 1) * Math.max(1, objects);
      long moreWrites = (scale + 1) * Math.max(1, writes);
      long tooMuch =
          ControlBlock.pagedLogBytes(moreObjects, moreWrites)
              + policy.threadBytes(moreObjects, moreWrites);
      assertTrue(tooMuch > given[3] || Math.max(moreObjects, moreWrites) > Integer.MAX_VALUE, text);
    }
  }
}
