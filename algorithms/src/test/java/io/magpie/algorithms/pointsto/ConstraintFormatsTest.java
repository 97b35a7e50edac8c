package io.magpie.algorithms.pointsto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConstraintFormatsTest {
  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text.replace(";", "\n"));
  }

  @Test
  void linesAreRead() throws IOException {
    ConstraintSet constraints =
        ConstraintFormats.read(
            file(
                "a.txt",
                "# a program;vars 9;;addr 0 1 # p = &a;copy 2 0;load\t3 2;store 2 3;addr 4 4"));
    assertEquals(9, constraints.variables());
    assertArrayEquals(new int[] {0, 4}, constraints.destinations(Kind.ADDRESS_OF));
    assertArrayEquals(new int[] {1, 4}, constraints.sources(Kind.ADDRESS_OF));
    assertArrayEquals(new int[] {3}, constraints.destinations(Kind.LOAD));
    assertArrayEquals(new int[] {2}, constraints.sources(Kind.LOAD));
    assertEquals(5, constraints.count());
  }

  @Test
  void withoutANumberOfVariablesTheGreatestCounts() throws IOException {
    assertEquals(8, ConstraintFormats.read(file("a.txt", "copy 7 2")).variables());
    assertEquals(0, ConstraintFormats.read(file("a.txt", "vars 0")).variables());
    assertEquals(0, ConstraintFormats.read(file("a.txt", "# nothing;")).variables());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.txt",
        "a.txt.gz",
        "a.xz",
        "x_constraints_after_hcd.txt",
        "x_constraints_after_hcd.txt.gz"
      })
  void whatIsWrittenIsRead(String name) throws IOException {
    for (String spec : new String[] {"art", "cycles:50,length=5", "chain:1,locations=0"}) {
      ConstraintSet constraints = ConstraintGenerator.generate(spec);
      Path file = folder.resolve(name);
      ConstraintFormats.write(constraints, file);
      assertEquals(constraints, ConstraintFormats.read(file));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "'' ! a.txt: found an empty file, expected lines 'addr|copy|load|store DESTINATION SOURCE' (write no constraints at all as 'vars 0')",
        "addr 0 1;gep 1 2 ! a.txt:2: found 'gep', expected addr, copy, load or store",
        "addr 0 ! a.txt:1: found the end of the line, expected a variable, 0 to 2147483638",
        "vars 2;copy 1 2 ! a.txt:2: found '2', expected a variable, 0 to 1 (correct 'vars 2' if there are more)",
        "vars 0;copy 0 0 ! a.txt:2: found '0', expected no variable, as 'vars 0' says (correct 'vars 0' if there are more)",
        "copy -1 0 ! a.txt:1: found '-1', expected a variable, 0 to 2147483638",
        "copy 2147483639 0 ! a.txt:1: found '2147483639', expected a variable, 0 to 2147483638",
        "vars 2147483647 ! a.txt:1: found '2147483647', expected the number of variables, 0 to 2147483639",
        "copy 0 1;vars 2 ! a.txt:2: found 'vars', expected addr, copy, load or store ('vars' is allowed once, before all constraints)",
        "caf\u00e9 0 1 ! a.txt:1: found 'caf??', expected addr, copy, load or store",
        "copy 0 1 2 ! a.txt:1: found '2', expected the end of the line after the two variables"
      })
  void faultsAreToldByLine(String text, String message) throws IOException {
    Path file = file("a.txt", text);
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> ConstraintFormats.read(file));
    assertEquals(folder + "/" + message, e.getMessage());
  }

  private Path lonestar(String nodes, String constraints, String hcd) throws IOException {
    file("x_nodes.txt", nodes);
    if (hcd != null) {
      file("x_hcd.txt", hcd);
    }
    return file("x_constraints_after_hcd.txt", constraints);
  }

  @Test
  void lonestarFilesAreRead() throws IOException {
    ConstraintSet constraints =
        ConstraintFormats.read(
            lonestar(
                "# nodes;6;3;1;0,1,0;1,1,0",
                "# counts;1, 2, 1, 1, 1;0,5,1,0,0;1,1,2,1,0;2,2,3,1,0;3,3,4,2,0;4,4,5,3,0;5,0,1,4,0",
                "1;0,4;2,2;7,7;8,8"));
    ConstraintSet expected =
        ConstraintSet.builder(6)
            .add(Kind.ADDRESS_OF, 1, 5)
            .add(Kind.COPY, 2, 1)
            .add(Kind.COPY, 3, 2)
            .add(Kind.LOAD, 4, 3)
            .add(Kind.STORE, 5, 4)
            .add(Kind.COPY, 1, 0)
            .add(Kind.COPY, 0, 4)
            .add(Kind.COPY, 4, 0)
            .build();
    assertEquals(expected, constraints);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "6 | 0,0,0,0,1;0,1,2,4,3 | after_hcd.txt:2: found an offset of 3, expected 0 (fields of structures are not supported: extract the constraints without them)",
        "2 | 1,0,0,0,0;0,1,2,0,0 | after_hcd.txt:2: found variable 2, expected 0 to 1 (as x_nodes.txt has 2 variables)",
        "6 | 1,0,0,0,0 | after_hcd.txt:1: found the end of the file, expected number, source, destination, type and offset",
        "6 | 0,0,0,0,0;0,1,2,0,0 | after_hcd.txt:2: found more lines, expected as many constraints as the first line says",
        "6 | 1,0,0,0,0;0,1 2,3,0,0 | after_hcd.txt:2: found '1 2', expected number, source, destination, type and offset, 5 numbers from 0",
        "6 | 1,0,0,0 | after_hcd.txt:1: found '1,0,0,0', expected the numbers of address-of, copy, load, store and GEP constraints, 5 numbers from 0"
      })
  void faultsOfLonestarFilesAreToldByLine(String nodes, String text, String message)
      throws IOException {
    Path file = lonestar(nodes, text, null);
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> ConstraintFormats.read(file));
    assertEquals(folder + "/x_constraints_" + message, e.getMessage());
  }

  @Test
  void nodesMustBeThere() throws IOException {
    Path file = file("y_constraints_after_hcd.txt", "0,0,0,0,0");
    IOException none = assertThrows(IOException.class, () -> ConstraintFormats.read(file));
    assertEquals(
        file + ": no file y_nodes.txt next to it, whose first line is the number of variables",
        none.getMessage());
    Path neither = folder.resolve("z_constraints_after_hcd.txt");
    NoSuchFileException e =
        assertThrows(NoSuchFileException.class, () -> ConstraintFormats.read(neither));
    assertEquals(neither.toString(), e.getFile());
  }
}
