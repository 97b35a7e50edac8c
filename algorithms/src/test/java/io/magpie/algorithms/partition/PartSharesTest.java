package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartSharesTest {
  @TempDir Path folder;

  @Test
  void sharesAreRelativeAndExact() {
    assertArrayEquals(new long[] {25, 50, 25}, PartShares.of(1, 2, 1).targets(100, 3));
    assertArrayEquals(new long[] {25, 50, 25}, PartShares.of(0.25, 0.5, 0.25).targets(100, 3));
    assertArrayEquals(
        new long[] {1, 1, 2}, PartShares.of(0.1, 0.1, 0.7).targets(2, 3), "rounded up");
    // By doubles 0.7 / (0.1 + 0.2 + 0.7) * 10 is more than 7.
    assertArrayEquals(new long[] {1, 2, 7}, PartShares.of(0.1, 0.2, 0.7).targets(10, 3));
    assertArrayEquals(
        new long[] {256, (1L << 61) - 256}, PartShares.of(1, (1L << 53) - 1).targets(1L << 61, 2));
    assertArrayEquals(new long[] {4, 4, 4}, PartShares.EVEN.targets(10, 3));
    assertArrayEquals(new long[] {0, 0}, PartShares.of(1, 3).targets(0, 2));
    assertArrayEquals(new long[] {1, 9}, PartShares.of(1e-300, 1e300).targets(9, 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"even", "1", "1:2:1", "0.9:0.1", "1E+30:0.000001", "2.5:10"})
  void isReadAsItIsWritten(String text) {
    PartShares shares = PartShares.parse(text);
    assertEquals(text, shares.toString());
    assertEquals(shares, PartShares.parse(text));
    assertEquals(shares.hashCode(), PartShares.parse(text).hashCode());
    assertNotEquals(shares, PartShares.of(3, 7));
  }

  @ParameterizedTest
  @CsvSource({
    "'', expected 'even'",
    "1:, expected 'even'",
    "1:x, was '1:x'",
    "'1,2', was '1,2'",
    "1:NaN, was '1:NaN'",
    "1:0, the share of part 1 is 0; expected a number above 0",
    "-0.5:1, the share of part 0 is -0.5; expected a number above 0",
    "1:1e999, the share of part 1 is 1e999; expected a number above 0"
  })
  void refusesOtherTexts(String text, String message) {
    String said =
        assertThrows(IllegalArgumentException.class, () -> PartShares.parse(text)).getMessage();
    assertTrue(said.contains(message), said);
  }

  @Test
  void refusesOtherNumbers() {
    for (double share : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertTrue(
          assertThrows(IllegalArgumentException.class, () -> PartShares.of(1, share))
              .getMessage()
              .startsWith("the share of part 1 is " + share));
    }
    assertThrows(IllegalArgumentException.class, () -> PartShares.of());
  }

  @Test
  void optionsTakeOneShareForEachPart() {
    PartitionOptions options = PartitionOptions.of(3).withPartWeights(PartShares.of(1, 2, 3));
    assertEquals("1:2:3", options.written().get("part-weights"));
    assertEquals(
        "2 shares for 3 parts; expected one share for each part",
        assertThrows(
                IllegalArgumentException.class, () -> options.withPartWeights(PartShares.of(1, 2)))
            .getMessage());
    assertThrows(IllegalArgumentException.class, () -> options.withParts(4));
    assertEquals(5, options.withPartWeights(PartShares.EVEN).withParts(5).parts());
    Graph graph = GraphGenerators.generate("path:9");
    assertThrows(
        IllegalArgumentException.class, () -> Balance.of(graph, 2, 0, PartShares.of(1, 2, 3)));
    assertThrows(
        IllegalArgumentException.class,
        () -> PartitionVerifier.evaluate(graph, new int[9], 2, 0, PartShares.of(1, 2, 3)));
  }

  private PartShares read(String text, int parts) throws IOException {
    Path file = folder.resolve("shares");
    Files.writeString(file, text);
    return PartSharesFormat.read(file, parts);
  }

  @Test
  void readsTheFormOfMetis() throws IOException {
    assertEquals(PartShares.of(0.5, 0.1, 0.1, 0.3), read("0 = 0.5\n1-2 = 0.1\n\n3=.3\n", 4));
    assertEquals(PartShares.of(2, 2, 1), read("2=1\r\n0 - 1 = 2", 3));
    assertEquals(
        PartShares.of(Collections.nCopies(64, 1.5).stream().mapToDouble(x -> x).toArray()),
        read("0-63=1.5e0\n", 64));
  }

  @ParameterizedTest
  @CsvSource({
    "'0=1', 'shares:1: found no share of part 1, expected one for each of the parts 0 to 2'",
    "'', 'shares: found no share of part 0, expected one for each of the parts 0 to 2'",
    "'0=1|1-3=2', 'shares:2: found part ''3'', expected a part, 0 to 2'",
    "'0-2=1|1=2', 'shares:2: found another share of part 1, expected one for each part (line 1 has the first)'",
    "'0-2=0', 'shares:1: found ''0'', expected a share above 0, such as 0.25'",
    "'0-2=-1', 'shares:1: found ''-1'', expected a share above 0, such as 0.25'",
    "'0-2=NaN', 'shares:1: found ''NaN'', expected a share above 0, such as 0.25'",
    "'0-2=1e999', 'shares:1: found ''1e999'', expected a share above 0, such as 0.25'",
    "'0-2=', 'shares:1: found '''', expected a share above 0, such as 0.25'",
    "'2-0=1', 'shares:1: found parts 2-0, expected'",
    "'0:0=1', 'shares:1: found ''0:0=1'', expected ''part = share'' or ''first-last = share'''",
    "'0.5', 'shares:1: found ''0.5'', expected'",
    "'0 1', 'shares:1: found ''0 1'', expected'",
    "'2=1|0=1|1=3|0-1=2', 'shares:4: found another share of part 0, expected one for each part (line"
        + " 2 has the first)'",
    "'99999999999=1', 'shares:1: found part ''99999999999'', expected a part, 0 to 2'"
  })
  void saysWhatIsWrongWithAFile(String text, String message) {
    String said =
        assertThrows(FileFormatException.class, () -> read(text.replace('|', '\n'), 3))
            .getMessage();
    assertTrue(said.contains(message), said);
  }
}
