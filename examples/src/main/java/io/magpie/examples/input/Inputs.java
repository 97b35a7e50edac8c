package io.magpie.examples.input;

import io.magpie.algorithms.DecimalText;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.nbody.BodyGenerator;
import io.magpie.algorithms.pointsto.ConstraintGenerator;
import io.magpie.algorithms.pointsto.LlvmProgram;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** All kinds of input: those that come with Magpie, and those of jars on the class path. */
public final class Inputs {
  /** What comes through a pipe, where a command reads a file. */
  private static final Path STANDARD_INPUT = Path.of("/dev/stdin");

  private static final List<InputKind> BUILT_IN =
      List.of(
          new Kind(
              "graph",
              GraphInput.class,
              "FILE",
              "Graph to read: "
                  + String.join(", ", GraphFormats.suffixes())
                  + ", also with .gz or .xz; - or a pipe with --format.",
              text -> GraphFile.of(file(text))),
          new Kind(
              "generate",
              GraphInput.class,
              "SPEC",
              "Graph to generate, such as road:1000000 or random:n=1M,m=5M; 'magpie generate"
                  + " --help' lists the kinds.",
              GeneratedGraph::of),
          new Kind(
              "digraph",
              DirectedGraphInput.class,
              "FILE|SPEC",
              "Directed graph to read, arcs as they are, from a file as --graph takes; or to"
                  + " generate, such as rmat:scale=20,directed or random:n=1M,m=5M,directed.",
              Inputs::directedGraph),
          new Kind(
              "mesh",
              MeshInput.class,
              "BASE|FILE",
              "Mesh to read, in Triangle's format: BASE.node, BASE.ele and, if there are such files,"
                  + " BASE.poly and BASE.area; or a FILE: .obj, .off, .vtk, .vtu or .msh; all also"
                  + " with .gz or .xz. Without triangles, the same as --poly.",
              text -> MeshFiles.mesh(path(text))),
          new Kind(
              "poly",
              MeshInput.class,
              "BASE|FILE",
              "Points and segments to read and triangulate: BASE.poly and BASE.node, or one of"
                  + " them; or a FILE as --mesh takes it, or of polygons: .wkt or .geojson, also"
                  + " with .gz or .xz.",
              text -> MeshFiles.graph(path(text))),
          new Kind(
              "points",
              MeshInput.class,
              "SPEC",
              "Points or segments to generate and triangulate, such as uniform:100k; the end of"
                  + " 'magpie refine --help' has all kinds.",
              GeneratedMesh::of),
          new Kind(
              "cnf",
              FormulaInput.class,
              "FILE|SPEC",
              "Formula to read, in DIMACS format, also with .gz or .xz; or to generate, such as"
                  + " ksat:n=100k,k=3,ratio=4.2; the end of 'magpie sat --help' has all kinds.",
              FormulaInput::of),
          new Kind(
              "bodies",
              BodiesInput.class,
              "FILE|SPEC",
              "Bodies to read, from a binary file of Tipsy or a .csv; or to generate, such as plummer:30k or"
                  + " collision:n=10k,speed=0.5; the end of 'magpie nbody --help' has all kinds.",
              Inputs::bodies),
          new Kind(
              "constraints",
              ConstraintInput.class,
              "FILE|SPEC",
              "Constraints to read, from lines 'addr|copy|load|store DESTINATION SOURCE' or"
                  + " LonestarGPU's X_constraints_after_hcd.txt; or a program's, from LLVM's textual"
                  + " IR, .ll; all also with .gz or .xz; or to generate, such as constraints:vars=6126,cons=6768 or cycles:vars=100k; the"
                  + " end of 'magpie pointsto --help' has all kinds.",
              Inputs::constraints));

  private static final String NOUN = "input kind";

  /** Options that the parser would give up silently for a kind's. */
  private static final Set<String> OF_ALL_COMMANDS = Set.of("help", "version");

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

  private Inputs() {}

  /**
   * All kinds, Magpie's own first.
   *
   * @throws ServiceConfigurationError if one of a jar cannot be loaded, lacks something, or has a
   *     name that is none or another's; the message names its class and jar
   */
  public static List<InputKind> kinds() {
    return usable(Registered::fail);
  }

  /**
   * The same, but for those that cannot be used.
   *
   * @param broken takes what is wrong with each of these
   */
  public static List<InputKind> usable(Consumer<ServiceConfigurationError> broken) {
    List<InputKind> kinds =
        Registered.usable(InputKind.class, BUILT_IN, NOUN, InputKind::name, broken);
    kinds.removeIf(
        kind -> {
          try {
            check(kind);
            return false;
          } catch (ServiceConfigurationError e) {
            broken.accept(e);
            return true;
          }
        });
    return kinds;
  }

  private static void check(InputKind kind) {
    Registered.text(kind, NOUN, "label", InputKind::label);
    Registered.text(kind, NOUN, "description", InputKind::description);
    Registered.text(kind, NOUN, "type", each -> each.type().getName());
    if (!NAME.matcher(kind.name()).matches()) {
      throw fault(kind, " must have a name of words in lower case, joined by -");
    }
    if (OF_ALL_COMMANDS.contains(kind.name())) {
      throw fault(kind, " has the name of the option --" + kind.name());
    }
  }

  private static ServiceConfigurationError fault(InputKind kind, String what) {
    return new ServiceConfigurationError(
        NOUN + " '" + kind.name() + "' of " + Registered.origin(kind) + what);
  }

  /** Whether a kind comes with Magpie. */
  public static boolean isBuiltIn(InputKind kind) {
    return kind instanceof Kind;
  }

  /** The kinds whose inputs are of a type. */
  public static List<InputKind> kinds(Class<? extends Input> type) {
    return kinds().stream().filter(kind -> type.isAssignableFrom(kind.type())).toList();
  }

  /** The kinds of a type by name, and where others come from, for messages. */
  public static String listed(Class<? extends Input> type) {
    return names(type) + ", and those of jars on " + Registered.added();
  }

  private static String names(Class<? extends Input> type) {
    return kinds(type).stream().map(InputKind::name).collect(Collectors.joining(", "));
  }

  /**
   * The input of a type that a text names.
   *
   * @param type the type
   * @param noun what that is, such as "a graph"
   * @param text a kind, a colon and its specification, such as {@code graph:roads.gr}
   * @throws IllegalArgumentException if there is no such kind, if its inputs are of another type,
   *     or if the specification is malformed; the message lists the kinds of the type
   */
  public static <I extends Input> I parse(Class<I> type, String noun, String text) {
    int colon = text.indexOf(':');
    String name = (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT);
    InputKind kind =
        kinds().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "input '"
                            + text
                            + "': expected KIND:SPEC, with a kind of "
                            + names(type)
                            + "; "
                            + Registered.needed(InputKind.class)));
    if (colon < 0 || colon == text.length() - 1) {
      throw new IllegalArgumentException(
          "input '" + text + "': expected " + kind.name() + ":" + kind.label());
    }
    return require(type, noun, parse(kind, text.substring(colon + 1)));
  }

  /**
   * The input of a kind that a specification names.
   *
   * @throws IllegalArgumentException if the specification is malformed
   * @throws ServiceConfigurationError if the kind gives no input, or none of its type; the message
   *     names its class and jar
   */
  public static Input parse(InputKind kind, String spec) {
    Input input = kind.parse(spec);
    if (!kind.type().isInstance(input)) {
      throw fault(
          kind,
          " makes "
              + (input == null ? "null" : input.getClass().getName())
              + " of '"
              + spec
              + "', not "
              + kind.type().getName());
    }
    return input;
  }

  /**
   * An input as one of a type.
   *
   * @param type the type
   * @param noun what that is, such as "a graph"
   * @throws IllegalArgumentException if it is of another type; the message lists the kinds that are
   */
  public static <I extends Input> I require(Class<I> type, String noun, Input input) {
    if (!type.isInstance(input)) {
      throw new IllegalArgumentException(
          input.description()
              + ": expected "
              + noun
              + ", by "
              + kinds(type).stream()
                  .map(kind -> "--" + kind.name())
                  .collect(Collectors.joining(" or ")));
    }
    return type.cast(input);
  }

  /** A generator where the text begins with the name of one and a colon, else a file. */
  private static DirectedGraphInput directedGraph(String text) {
    int colon = text.indexOf(':');
    return colon > 0 && GraphGenerators.isKind(text.substring(0, colon))
        ? GeneratedDirectedGraph.of(text)
        : DirectedGraphFile.of(file(text));
  }

  /** The same for bodies. */
  private static BodiesInput bodies(String text) {
    int colon = text.indexOf(':');
    return BodyGenerator.isKind(
            (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT))
        ? GeneratedBodies.of(text)
        : new BodiesFile(path(text));
  }

  /** A generator where the text begins with the name of one, else a program or a file. */
  private static ConstraintInput constraints(String text) {
    if (ConstraintGenerator.isSpec(text)) {
      return new GeneratedConstraints(ConstraintGenerator.parse(text));
    }
    Path file = file(text);
    return LlvmProgram.isName(file) ? new ProgramFile(file) : new ConstraintFile(file);
  }

  /** What reads a file. */
  @FunctionalInterface
  interface Reader<T> {
    T read() throws IOException;
  }

  /**
   * Reads a file whose name might have been meant as a generator's.
   *
   * @param generators a line for each, which begins with its name and a colon
   * @param example a specification of one
   * @throws InputException if there is no such file; the message names the generators
   */
  static <T> T read(Path file, List<String> generators, String example, Reader<T> reader)
      throws IOException {
    try {
      return reader.read();
    } catch (NoSuchFileException e) {
      if (!file.toString().equals(e.getFile())) {
        throw e;
      }
      throw new InputException(
          file
              + ": no such file, and no generator; generators are "
              + generators.stream()
                  .map(line -> line.substring(0, line.indexOf(':')))
                  .collect(Collectors.joining(", "))
              + " (for instance "
              + example
              + ")",
          e);
    }
  }

  /**
   * The path of a file to read that is written so; {@code -} is the standard input.
   *
   * @throws IllegalArgumentException if it cannot be one
   */
  public static Path file(String text) {
    return text.equals("-") ? STANDARD_INPUT : path(text);
  }

  /**
   * The path that is written so.
   *
   * @throws IllegalArgumentException if it cannot be one of a file; the message says why
   */
  public static Path path(String text) {
    if (text.endsWith("/")) {
      throw new IllegalArgumentException("'" + text + "' names a folder; name a file");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          text.indexOf('\0') >= 0
              ? "'" + text + "' contains a NUL character, which no name has"
              : "'"
                  + text
                  + "' has characters that the encoding of file names, "
                  + System.getProperty("sun.jnu.encoding", Charset.defaultCharset().name())
                  + ", lacks; set the locale to one that has them, such as LC_ALL=C.UTF-8",
          e);
    }
  }

  /**
   * The count that a specification of a kind names, as generators take it: a whole number, behind
   * which may stand {@code k}, {@code M} or {@code G}, such as {@code 200k}.
   *
   * @param what it counts, such as "vertices of a ring"
   * @throws IllegalArgumentException if it is none, or not in the range; the message is for users
   */
  public static long count(String what, String text, long min, long max) {
    return DecimalText.count(what + " '" + text + "'", text, min, max);
  }

  private record Kind(
      String name,
      Class<? extends Input> type,
      String label,
      String description,
      Function<String, Input> parser)
      implements InputKind {
    @Override
    public Input parse(String spec) {
      return parser.apply(spec);
    }
  }
}
