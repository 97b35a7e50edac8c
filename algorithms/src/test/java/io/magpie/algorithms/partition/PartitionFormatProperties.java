package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** What is written is read again, and is what METIS would write. */
class PartitionFormatProperties {
  private Path folder;

  @BeforeProperty
  void makeFolder() throws IOException {
    folder = Files.createTempDirectory("partitions");
  }

  @AfterProperty
  void removeFolder() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  @Property(tries = 100)
  void writesALineForEachVertex(
      @ForAll @IntRange(max = 3000) int vertices,
      @ForAll @IntRange(min = 1, max = 1000) int count,
      @ForAll long seed)
      throws IOException {
    int[] parts = new Random(seed).ints(vertices, 0, count).toArray();
    Path plain = folder.resolve("a.part." + count);
    Path packed = folder.resolve("a.part." + count + ".gz");
    PartitionFormat.write(parts, plain);
    PartitionFormat.write(parts, packed);
    assertEquals(
        Arrays.stream(parts).mapToObj(p -> p + "\n").collect(Collectors.joining()),
        Files.readString(plain));
    assertArrayEquals(parts, PartitionFormat.read(plain, vertices, count));
    assertArrayEquals(parts, PartitionFormat.read(packed, vertices, count));
  }

  @Example
  void saysWhatIsWrong() throws IOException {
    fails("0\nx\n1\n", 2, "'x', expected a part, 0 to 2");
    fails("0\n1\n3\n", 3, "'3', expected a part, 0 to 2");
    fails("0\n-1\n2\n", 2, "'-1', expected a part");
    fails("0\n\n2\n", 2, "the end of the line, expected a part");
    fails("0\n1 2\n2\n", 2, "'2', expected the end of the line after the part");
    fails("0\n1\n", 2, "the end of the file after 2 lines, expected 3 lines");
    fails("0\n1\n2\n0\n", 4, "more lines, expected 3 lines, one for each vertex of the graph");
  }

  private void fails(String text, int line, String message) throws IOException {
    Path file = Files.writeString(folder.resolve("wrong.part.3"), text);
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> PartitionFormat.read(file, 3, 3));
    assertEquals(line, e.line());
    assertTrue(e.getMessage().contains("found " + message), e.getMessage());
  }

  @Example
  void aFailureLeavesWhatWasThere() throws IOException {
    Path file = Files.writeString(folder.resolve("a.part.2"), "1\n");
    Path missing = folder.resolve("nowhere").resolve("a.part.2");
    assertThrows(IOException.class, () -> PartitionFormat.write(new int[] {0}, missing));
    assertThrows(NullPointerException.class, () -> PartitionFormat.write(null, file));
    assertEquals("1\n", Files.readString(file));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(1, files.count());
    }
  }
}
