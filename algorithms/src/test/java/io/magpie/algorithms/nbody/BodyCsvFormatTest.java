package io.magpie.algorithms.nbody;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyCsvFormatTest {
  private static final String HEADER = "mass,x,y,z,vx,vy,vz\n";

  @TempDir Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("bodies.csv"), text);
  }

  /** To the last bit, and over the whole range. */
  @Test
  void whatIsWrittenIsRead() throws IOException {
    Random random = new Random(7);
    double[] masses = random.doubles(3000).toArray();
    double[] positions =
        random.doubles(9000).map(u -> Math.scalb(u - 0.5, random.nextInt(2000) - 1000)).toArray();
    double[] velocities = random.doubles(9000, -1, 1).toArray();
    masses[5] = 0;
    positions[0] = -0.0;
    positions[1] = Double.MIN_VALUE;
    positions[2] = -Double.MAX_VALUE;
    Bodies bodies = Bodies.of(masses, positions, velocities);
    Path file = folder.resolve("written.csv");
    try (OutputStream out = Files.newOutputStream(file)) {
      BodyCsvFormat.write(bodies, out);
    }
    assertEquals(bodies, BodyCsvFormat.read(file));
  }

  @Test
  void whatOthersWrite() throws IOException {
    assertEquals(
        Bodies.of(new double[] {1}, new double[] {2, 3e-1, -4}, new double[] {5, .6, 70}),
        BodyCsvFormat.read(
            write("mass, x, y, z, vx, vy, vz\r\n1, 2, 3E-1, -4., +5, .6, 7e1\r\n\r\n\n")));
    assertEquals(0, BodyCsvFormat.read(write(HEADER)).count());
    assertEquals(1, BodyCsvFormat.read(write("\ufeff" + HEADER + "1,2,3,4,5,6,7\n")).count());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | bodies.csv:1: found the end of the file, expected the line mass,x,y,z,vx,vy,vz",
        "'mass,x,y\n' | :1: found 'mass,x,y', expected the line mass,x",
        "'\u00e9H' | :1: found '??mass,x,y,z,vx,vy,vz', expected the line mass,x",
        "'H1,2,3,4,5,6\u00e9,7\n' | :2: found vy '6??', expected a finite decimal number",
        "'H1,2,3,4,5,6\n' | :2: found 6 numbers, expected 7, separated by commas",
        "'H1\n' | :2: found 1 number, expected 7",
        "'H1,2,3,4,5,6,7\n1,2,3,x,5,6,7\n' | :3: found z 'x', expected a finite decimal number",
        "'H1,2,3,4,5,6,\n' | :2: found vz '', expected",
        "'H1,2,3,4,5,6,7e\n' | :2: found vz '7e', expected",
        "'H1,2,1e999,4,5,6,7\n' | :2: found y '1e999', expected a finite",
        "'H1,NaN,3,4,5,6,7\n' | :2: found x 'NaN', expected a finite",
        "'H1f,2,3,4,5,6,7\n' | :2: found mass '1f', expected a finite",
        "'H-1,2,3,4,5,6,7\n' | :2: found mass '-1', expected 0 or more (correct it)",
        "'H\n1,2,3,4,5,6,7\n' | :2: found an empty line, expected a body (remove it",
      })
  void faultsAreTold(String text, String message) throws IOException {
    Path file = write(text.replace("\\n", "\n").replace("H", HEADER));
    FileFormatException e = assertThrows(FileFormatException.class, () -> BodyCsvFormat.read(file));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }
}
