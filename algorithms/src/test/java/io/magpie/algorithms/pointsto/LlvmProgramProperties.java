package io.magpie.algorithms.pointsto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Random programs of straight-line functions are also run, step by step: whatever a register or a
 * piece of memory holds at any time must be in its set.
 */
class LlvmProgramProperties {
  private static final int GLOBALS = 3;
  private static final int STEPS = 300;

  @Property(tries = 100)
  void whatHappensIsInTheSets(@ForAll("programs") List<List<Integer>> codes) throws IOException {
    Program program = new Program(codes);
    Map<String, Set<String>> sets = sets(program.text(null));
    program.run(
        (holder, held) ->
            assertTrue(
                sets.getOrDefault(holder, Set.of()).contains(held),
                () -> holder + " held " + held + " but has " + sets.get(holder)));
  }

  /** All parts of a number are as likely to be large as small. */
  @Provide
  Arbitrary<List<List<Integer>>> programs() {
    return Arbitraries.integers()
        .between(0, (1 << 24) - 1)
        .withDistribution(RandomDistribution.uniform())
        .list()
        .ofMaxSize(12)
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }

  @Property(tries = 50)
  void theOrderOfFunctionsDoesNotMatter(
      @ForAll @Size(min = 2, max = 4)
          List<@Size(max = 12) List<@IntRange(max = 1 << 24) Integer>> codes,
      @ForAll long seed)
      throws IOException {
    Program program = new Program(codes);
    Map<String, Set<String>> sets = sets(program.text(null));
    Map<String, Set<String>> reordered = sets(program.text(new Random(seed)));
    // What has no name of its own is named after its line.
    sets.keySet().removeIf(name -> name.contains("/line "));
    reordered.keySet().removeIf(name -> name.contains("/line "));
    assertEquals(sets, reordered);
  }

  /** One clear refusal, or another program. */
  @Property(tries = 200)
  void damagedProgramsAreReadOrRefused(
      @ForAll @Size(min = 1, max = 2)
          List<@Size(max = 6) List<@IntRange(max = 1 << 24) Integer>> codes,
      @ForAll long seed)
      throws IOException {
    byte[] bytes = new Program(codes).text(null).getBytes(StandardCharsets.US_ASCII);
    Random random = new Random(seed);
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        case 2 -> bytes[at] = (byte) "(){}[]<>,=%@!\"\n*".charAt(random.nextInt(16));
        default -> {
          int from = random.nextInt(bytes.length);
          int length = Math.min(random.nextInt(40), bytes.length - Math.max(from, at));
          System.arraycopy(bytes, from, bytes, at, length);
        }
      }
    }
    Path file = Files.createTempFile("damaged", ".ll");
    try {
      Files.write(file, bytes);
      LlvmProgram.read(file);
    } catch (FileFormatException e) {
      assertEquals(1, e.getMessage().lines().count(), e.getMessage());
      assertTrue(e.getMessage().startsWith(file.toString()), e.getMessage());
    } finally {
      Files.delete(file);
    }
  }

  /** The sets of all variables by name. */
  private static Map<String, Set<String>> sets(String text) throws IOException {
    Path file = Files.createTempFile("program", ".ll");
    try {
      Files.writeString(file, text);
      LlvmProgram program = LlvmProgram.read(file);
      PointsToResult result = PointsToReference.run(program.constraints());
      Map<String, Set<String>> sets = new TreeMap<>();
      for (int v = 0; v < program.constraints().variables(); v++) {
        Set<String> names = sets.computeIfAbsent(program.name(v), name -> new TreeSet<>());
        for (int target : result.pointsTo(v)) {
          names.add(program.name(target));
        }
      }
      return sets;
    } finally {
      Files.delete(file);
    }
  }

  /** Is told that a register or a piece of memory holds an address. */
  private interface Observer {
    void holds(String holder, String held);
  }

  /** Memory that exists while a program runs: one pointer long. */
  private static final class Cell {
    final String name;

    /** Which function it is the code of, or -1. */
    final int code;

    Cell content;

    Cell(String name, int code) {
      this.name = name;
      this.code = code;
    }
  }

  /** A program did what has no meaning, such as a load from null. */
  private static final class Trap extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * A program of functions with up to three parameters. A function calls only later ones directly;
   * calls by pointers may go anywhere, and end at a number of steps. A call may pass more arguments
   * than its callee has parameters.
   */
  private static final class Program {
    private final List<List<Integer>> codes;
    private Cell[] globals;
    private Cell[] functions;
    private int steps;

    Program(List<List<Integer>> codes) {
      this.codes = codes;
    }

    /** A number's part, so that one number says all of an instruction. */
    private static int part(int code, int index, int bound) {
      return (code >> (6 * index)) % 64 % bound;
    }

    private static String register(int index) {
      return "%r" + index;
    }

    /** How many parameters a function has, which are its first registers. */
    private int parameters(int f) {
      return codes.get(f).size() % 4;
    }

    /** How many arguments a call passes; of a direct one as many as are needed, or more. */
    private int arguments(int code, int callee) {
      int any = (code >> 20) % 4;
      return callee < codes.size() ? Math.max(any, parameters(callee)) : any;
    }

    private static String pointers(List<String> values) {
      return values.stream().map(value -> "ptr " + value).collect(Collectors.joining(", "));
    }

    /** An operand: a register that is set, a global, a function or null. */
    private String operand(int code, int index, int registers) {
      int choice = part(code, index, registers + GLOBALS + codes.size() + 1);
      if (choice < registers) {
        return register(choice);
      }
      choice -= registers;
      if (choice < GLOBALS) {
        return "@g" + choice;
      }
      choice -= GLOBALS;
      return choice < codes.size() ? "@f" + choice : "null";
    }

    /** The text, functions in their order or in a random one. */
    String text(Random order) {
      List<String> parts = new ArrayList<>();
      for (int f = 0; f < codes.size(); f++) {
        parts.add(function(f));
      }
      if (order != null) {
        Collections.shuffle(parts, order);
      }
      StringBuilder text = new StringBuilder();
      for (int g = 0; g < GLOBALS; g++) {
        text.append("@g" + g + " = global ptr " + (g == 0 ? "@g1" : "null") + "\n");
      }
      parts.forEach(text::append);
      return text
          + "declare ptr @malloc(i64)\ndeclare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n";
    }

    private String function(int f) {
      int registers = parameters(f);
      String parameters =
          pointers(IntStream.range(0, registers).mapToObj(Program::register).toList());
      StringBuilder text = new StringBuilder("define ptr @f" + f + "(" + parameters + ") {\n");
      for (int code : codes.get(f)) {
        String one = operand(code, 1, registers);
        String two = operand(code, 2, registers);
        String to = "  " + register(registers) + " = ";
        registers++;
        text.append(
            switch (part(code, 0, 11)) {
              case 0 -> to + "alloca ptr\n";
              case 1 -> to + "call ptr @malloc(i64 8)\n";
              case 2 -> to + "load ptr, ptr " + one + "\n";
              case 3 ->
                  "  store ptr " + one + ", ptr " + two + "\n" + to + "freeze ptr " + one + "\n";
              case 4 -> to + "getelementptr i8, ptr " + one + ", i64 0\n";
              case 5 -> to + "select i1 true, ptr " + one + ", ptr " + two + "\n";
              case 6 -> {
                int callee = f + 1 + part(code, 3, 4);
                String called =
                    callee < codes.size() ? "@f" + callee : operand(code, 3, registers - 1);
                String passed =
                    pointers(List.of(one, two, one).subList(0, arguments(code, callee)));
                yield to + "call ptr " + called + "(" + passed + ")\n";
              }
              case 7 ->
                  "  call void @llvm.memcpy.p0.p0.i64(ptr "
                      + one
                      + ", ptr "
                      + two
                      + ", i64 8, i1 false)\n"
                      + to
                      + "freeze ptr null\n";
              case 8 ->
                  "  %i"
                      + registers
                      + " = ptrtoint ptr "
                      + one
                      + " to i64\n"
                      + to
                      + "inttoptr i64 %i"
                      + registers
                      + " to ptr\n";
              case 9 -> {
                String passed =
                    pointers(List.of(one, two, one).subList(0, arguments(code, codes.size())));
                String pointer = "%t" + registers;
                yield "  "
                    + (pointer + " = freeze ptr @f" + part(code, 3, codes.size()) + "\n")
                    + (to + "call ptr " + pointer + "(" + passed + ")\n");
              }
              default ->
                  "  %s"
                      + registers
                      + " = insertvalue { i64, ptr } undef, ptr "
                      + one
                      + ", 1\n"
                      + to
                      + "extractvalue { i64, ptr } %s"
                      + registers
                      + ", 1\n";
            });
      }
      String last = registers == 0 ? "null" : register(registers - 1);
      return text + "  ret ptr " + last + "\n}\n";
    }

    /** Runs every function from the same start. */
    void run(Observer observer) {
      for (int f = 0; f < codes.size(); f++) {
        globals = new Cell[GLOBALS];
        for (int g = 0; g < GLOBALS; g++) {
          globals[g] = new Cell("*@g" + g, -1);
        }
        globals[0].content = globals[1];
        functions = new Cell[codes.size()];
        for (int i = 0; i < functions.length; i++) {
          functions[i] = new Cell("*@f" + i, i);
        }
        steps = 0;
        try {
          call(f, new Cell[parameters(f)], observer);
        } catch (Trap | StackOverflowError e) {
          // What has happened until here counts.
        }
      }
    }

    private Cell value(String operand, Map<String, Cell> registers) {
      return switch (operand.charAt(0)) {
        case '%' -> registers.get(operand);
        case '@' -> {
          int index = operand.charAt(2) - '0';
          yield operand.charAt(1) == 'g' ? globals[index] : functions[index];
        }
        default -> null;
      };
    }

    private static Cell memory(Cell pointer) {
      if (pointer == null || pointer.code >= 0) {
        throw new Trap();
      }
      return pointer;
    }

    private Cell call(int f, Cell[] given, Observer observer) {
      if (given.length < parameters(f)) {
        throw new Trap();
      }
      Map<String, Cell> registers = new HashMap<>();
      String name = "@f" + f + "/";
      int count = 0;
      while (count < parameters(f)) {
        set(registers, name, register(count), given[count], observer);
        count++;
      }
      for (int code : codes.get(f)) {
        if (++steps > STEPS) {
          throw new Trap();
        }
        String to = register(count);
        Cell one = value(operand(code, 1, count), registers);
        Cell two = value(operand(code, 2, count), registers);
        Cell result =
            switch (part(code, 0, 11)) {
              case 0, 1 -> new Cell("*" + name + to, -1);
              case 2 -> memory(one).content;
              case 3 -> {
                hold(memory(two), one, observer);
                yield one;
              }
              case 6 -> {
                int callee = f + 1 + part(code, 3, 4);
                Cell[] passed = {one, two, one};
                int arguments = arguments(code, callee);
                if (callee >= codes.size()) {
                  Cell pointer = value(operand(code, 3, count), registers);
                  if (pointer == null || pointer.code < 0) {
                    throw new Trap();
                  }
                  callee = pointer.code;
                }
                yield call(callee, Arrays.copyOf(passed, arguments), observer);
              }
              case 7 -> {
                hold(memory(one), memory(two).content, observer);
                yield null;
              }
              case 9 -> {
                Cell[] passed = {one, two, one};
                int arguments = arguments(code, codes.size());
                int callee = part(code, 3, codes.size());
                yield call(callee, Arrays.copyOf(passed, arguments), observer);
              }
              default -> one;
            };
        set(registers, name, to, result, observer);
        count++;
      }
      return count == 0 ? null : registers.get(register(count - 1));
    }

    private static void set(
        Map<String, Cell> registers, String function, String name, Cell value, Observer observer) {
      registers.put(name, value);
      if (value != null) {
        observer.holds(function + name, value.name);
      }
    }

    private static void hold(Cell memory, Cell value, Observer observer) {
      memory.content = value;
      if (value != null) {
        observer.holds(memory.name, value.name);
      }
    }
  }
}
