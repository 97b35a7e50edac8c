package io.magpie.stm.internal;

import io.magpie.stm.FieldKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a compiled module says of itself: machine, kernels, regions, their fields and variants, and
 * where what launches share with the host lies. The text comes from the module's exported table;
 * any line that is not understood is an error, because it means that library and facade are of
 * different versions.
 *
 * @param machine {@code cpu} or {@code sim}
 * @param checked whether the module tests bounds
 * @param recording whether the module's regions log their attempts where a launch asks for it
 * @param kernels kernels by name, in the order of the table
 * @param regions regions by name, in the order of the table
 * @param constants exported numbers by name
 * @param shared what its headers share with this library by name
 * @param layout where launches of regions have their parameters and counters; null if the module
 *     has no region
 */
public record ModuleTable(
    String machine,
    boolean checked,
    boolean recording,
    Map<String, Kernel> kernels,
    Map<String, Region> regions,
    Map<String, Long> constants,
    SharedNumbers shared,
    LaunchLayout layout) {

  /**
   * A field of a functor.
   *
   * @param name the field's name in the source, {@code member.field} in a struct
   * @param offset bytes from the functor's beginning
   * @param bytes size
   * @param kind what it holds
   */
  public record Field(String name, int offset, int bytes, FieldKind kind) {}

  /**
   * A kernel that can be launched.
   *
   * @param name its name; the entry of a fatbin is {@code magpie_kernel_<name>}
   * @param index what {@code magpie_launch} calls it
   * @param bytes size of the functor, at least 1
   * @param fields its fields in order; for a region's variant those of the region
   * @param meetsGrid whether all threads of its grid meet at barriers, so that all have to run at
   *     the same time
   */
  public record Kernel(String name, int index, int bytes, List<Field> fields, boolean meetsGrid) {}

  /**
   * A region.
   *
   * @param name its name
   * @param bytes size of the struct
   * @param maxObjects objects that the fixed log holds
   * @param maxWrites writes that the fixed log holds
   * @param opaque whether reads are validated
   * @param orderDependent whether the order of items decides which of several right results there
   *     is
   * @param scatteredAccesses whether its items do little else than access objects scattered over
   *     memory
   * @param lanesMeet whether the lanes of a warp wait for each other within an attempt
   * @param maxPushes items that one transaction pushes at most; -1 if it does not run in rounds
   * @param fields its fields in order
   * @param variants the kernels that run it
   */
  public record Region(
      String name,
      int bytes,
      int maxObjects,
      int maxWrites,
      boolean opaque,
      boolean orderDependent,
      boolean scatteredAccesses,
      boolean lanesMeet,
      int maxPushes,
      List<Field> fields,
      List<Variant> variants) {

    /** The same region with other kernels. */
    public Region withVariants(List<Variant> others) {
      return new Region(
          name,
          bytes,
          maxObjects,
          maxWrites,
          opaque,
          orderDependent,
          scatteredAccesses,
          lanesMeet,
          maxPushes,
          fields,
          others);
    }

    /** Whether the module has the variant with these properties. */
    public boolean has(String policy, boolean paged) {
      return find(policy, paged) != null;
    }

    /** Null if there is none. In a loop, as each run of a region looks: a stream takes longer. */
    private Variant find(String policy, boolean paged) {
      for (Variant each : variants) {
        if (each.is(policy, paged)) {
          return each;
        }
      }
      return null;
    }

    /**
     * The variant with these properties.
     *
     * @throws IllegalStateException if the module lacks it
     */
    public Variant variant(String policy, boolean paged) {
      Variant found = find(policy, paged);
      if (found == null) {
        throw new IllegalStateException(
            "region "
                + name
                + " has no variant for policy "
                + policy
                + (paged ? ", paged" : ", fixed")
                + ": compile its module without MAGPIE_ONLY_REGION"
                + (paged ? " and MAGPIE_ONLY_FIXED_LOGS" : ", or with another")
                + "; one that declares irrevocable runs under hand_off and coarse_lock, one with apply"
                + " not under obstruction_free, nor where writes are in place");
      }
      return found;
    }
  }

  /**
   * One kernel of a region: a control block, then the region's bytes.
   *
   * @param policy the policy's name
   * @param paged whether its logs lie in scratch memory
   * @param kernel the kernel to launch; its bytes are those of control block and region together
   * @param regionOffset where the region's bytes begin
   */
  public record Variant(String policy, boolean paged, Kernel kernel, int regionOffset) {
    private boolean is(String wantedPolicy, boolean wantedPaged) {
      return policy.equals(wantedPolicy) && paged == wantedPaged;
    }
  }

  /**
   * Reads a table.
   *
   * @throws IllegalArgumentException with the line's number and text if the table is malformed
   */
  public static ModuleTable parse(String text) {
    return new Parser(text).parse();
  }

  private static final class Parser {
    private static final String HEAD = "'magpie 11 <machine> <plain|checked> <quiet|recording>'";

    private final String[] lines;
    private int number;
    private final Map<String, Kernel> kernels = new LinkedHashMap<>();
    private final Set<String> meeting = new HashSet<>();
    private final Set<String> meetingLanes = new HashSet<>(); // of regions
    private final Map<String, Region> regions = new LinkedHashMap<>();
    private final Map<String, Long> constants = new LinkedHashMap<>();
    private final Map<String, Long> shared = new HashMap<>();
    private final Map<String, StructLayout.Place> members = new HashMap<>();
    private LaunchLayout layout;

    Parser(String text) {
      this.lines = text.split("\n", -1);
    }

    ModuleTable parse() {
      String[] head = tokens();
      if (head.length < 2 || !head[0].equals("magpie")) {
        throw malformed("expected " + HEAD);
      }
      if (!head[1].equals("11")) {
        throw malformed("this library reads version 11 of the table");
      }
      if (head.length != 5) {
        throw malformed("expected " + HEAD);
      }
      boolean checked = either(head[3], "plain", "checked");
      boolean recording = either(head[4], "quiet", "recording");
      number++;
      while (number < lines.length && !lines[number].isEmpty()) {
        String[] token = tokens();
        switch (token[0]) {
          case "kernel" -> kernel(token);
          case "region" -> region(token);
          case "constant" -> number(token, constants);
          case "shared" -> number(token, shared);
          case "member" -> member(token);
          case "meets" -> meets(token, meeting, "kernel");
          case "lanes" -> meets(token, meetingLanes, "region");
          case "control" -> layout();
          default ->
              throw malformed(
                  "expected 'kernel', 'region', 'constant', 'shared', 'member', 'meets', 'lanes' or"
                      + " 'control'");
        }
      }
      return new ModuleTable(
          head[2],
          checked,
          recording,
          Collections.unmodifiableMap(kernels),
          Collections.unmodifiableMap(regions),
          Collections.unmodifiableMap(constants),
          new SharedNumbers(shared, members),
          layout);
    }

    /** The lines {@code control}, then {@code counter}. */
    private void layout() {
      LaunchLayout.Builder builder = new LaunchLayout.Builder();
      for (; lines[number].startsWith("control "); number++) {
        String[] token = tokens();
        expect(token, 5);
        require(builder.field(token[1], integer(token[2]), integer(token[3]), integer(token[4])));
      }
      for (; lines[number].startsWith("counter "); number++) {
        String[] token = tokens();
        expect(token, 4);
        require(builder.counter(token[1], integer(token[2]), integer(token[3])));
      }
      require(builder.missing());
      layout = builder.build();
    }

    private void require(Optional<String> nothing) {
      if (nothing.isPresent()) {
        throw malformed(nothing.get());
      }
    }

    /** Whether the word is {@code yes}; it is {@code no} otherwise. */
    private boolean either(String word, String no, String yes) {
      if (!word.equals(no) && !word.equals(yes)) {
        throw malformed("'" + word + "' is neither '" + no + "' nor '" + yes + "'");
      }
      return word.equals(yes);
    }

    private void kernel(String[] token) {
      expect(token, 5);
      String name = token[1];
      int index = integer(token[2]);
      int bytes = integer(token[3]);
      requireNew(kernels, name);
      number++;
      kernels.put(name, new Kernel(name, index, bytes, fields(bytes), meeting.contains(name)));
    }

    private void number(String[] token, Map<String, Long> numbers) {
      expect(token, 3);
      requireNew(numbers, token[1]);
      try {
        numbers.put(token[1], Long.parseLong(token[2]));
      } catch (NumberFormatException e) {
        throw malformed("'" + token[2] + "' is not a number of 64 bits");
      }
      number++;
    }

    private void member(String[] token) {
      expect(token, 4);
      requireNew(members, token[1]);
      members.put(token[1], new StructLayout.Place(integer(token[2]), integer(token[3])));
      number++;
    }

    /** Comes before the kernel that it names. */
    private void meets(String[] token, Set<String> known, String what) {
      expect(token, 2);
      if (!known.add(token[1])) {
        throw malformed("a second line of this " + what);
      }
      number++;
    }

    /** C++ has no objection to two of one name in different namespaces; a launch could not tell. */
    private void requireNew(Map<String, ?> known, String name) {
      if (known.containsKey(name)) {
        throw malformed("a second one of that name; rename one of them");
      }
    }

    private void region(String[] token) {
      expect(token, 10);
      int bytes = integer(token[2]);
      boolean opaque = either(token[6], "0", "1");
      boolean orderDependent = either(token[7], "0", "1");
      boolean scatteredAccesses = either(token[8], "0", "1");
      int maxPushes = token[9].equals("-") ? -1 : integer(token[9]);
      requireNew(regions, token[1]);
      if (layout == null) {
        throw malformed("expected 'control' lines before the first region");
      }
      number++;
      List<Field> fields = fields(bytes);
      List<Variant> variants = new ArrayList<>();
      while (number < lines.length && lines[number].startsWith("variant ")) {
        String[] v = tokens();
        expect(v, 7);
        int size = integer(v[5]);
        int offset = integer(v[6]);
        if (offset < layout.controlBytes() || offset + bytes > size) {
          throw malformed("the region does not fit behind the control block");
        }
        variants.add(
            new Variant(
                v[1],
                v[2].equals("paged"),
                new Kernel(v[3], integer(v[4]), size, fields, meeting.contains(v[3])),
                offset));
        number++;
      }
      regions.put(
          token[1],
          new Region(
              token[1],
              bytes,
              integer(token[4]),
              integer(token[5]),
              opaque,
              orderDependent,
              scatteredAccesses,
              meetingLanes.contains(token[1]),
              maxPushes,
              fields,
              List.copyOf(variants)));
    }

    private List<Field> fields(int functorBytes) {
      List<Field> fields = new ArrayList<>();
      while (number < lines.length && lines[number].startsWith("field ")) {
        String[] token = tokens();
        expect(token, 5);
        FieldKind kind;
        try {
          kind = FieldKind.parse(token[4]);
        } catch (IllegalArgumentException e) {
          throw malformed(e.getMessage());
        }
        int offset = integer(token[2]);
        int bytes = integer(token[3]);
        if (bytes != kind.fieldBytes() || offset + bytes > functorBytes) {
          throw malformed("a field of this kind does not lie there");
        }
        if (kind.form() == FieldKind.Form.POOL
            && fields.stream().anyMatch(other -> other.kind().equals(kind))) {
          throw malformed("there is another pool of this number");
        }
        fields.add(new Field(token[1], offset, bytes, kind));
        number++;
      }
      return List.copyOf(fields);
    }

    private String[] tokens() {
      return lines[number].split(" ", -1);
    }

    private void expect(String[] token, int count) {
      if (token.length != count) {
        throw malformed("expected " + count + " words");
      }
    }

    private int integer(String token) {
      try {
        int value = Integer.parseInt(token);
        if (value >= 0) {
          return value;
        }
      } catch (NumberFormatException e) {
        // reported below, with the line
      }
      throw malformed("'" + token + "' is not a number from 0 to 2147483647");
    }

    private IllegalArgumentException malformed(String why) {
      return new IllegalArgumentException(
          "module table, line " + (number + 1) + " '" + lines[number] + "': " + why);
    }
  }
}
