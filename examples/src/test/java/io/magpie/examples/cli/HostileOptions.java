package io.magpie.examples.cli;

import io.magpie.examples.cli.options.EnumOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Hostile command lines: every option of every command as picocli knows them, with values that
 * nobody can want, twice, and with each other option; and what has a language of its own, such as
 * devices and generators, with single faults. Called by {@code src/test/hostile/options.sh}:
 *
 * <pre>HostileOptions --seed N --case GLOB SECONDS [REGION]</pre>
 *
 * <p>REGION is the transfer of the first tutorial, which takes time to compile. Writes files into
 * the current folder.
 */
final class HostileOptions {
  /** Of each, the first that fits is the value to begin with; the others are given in its place. */
  private static final Map<String, List<String>> TEXTS =
      texts(
          "--generate",
          List.of(
              "road:n=9,degree=2.5,seed=1,weights=1..9",
              "random:n=9,m=12",
              "rmat:scale=3,edges=9,a=0.5,b=0.2,c=0.2",
              "rmat:n=7,edges=9,constants=gtgraph",
              "web:n=9,m=20,cap=5,exponent=2.5,local=0.5",
              "grid:rows=3,columns=3",
              "grid3:3",
              "knn:n=9,k=2",
              "rgg:n=9,radius=0.5",
              "star:9",
              "path:9",
              "complete:5"),
          "--points",
          List.of(
              "uniform:n=9,seed=1",
              "disc:9",
              "clustered:n=9,clusters=2",
              "graded:n=9,decades=2",
              "grid:n=9,jitter=0.5",
              "holes:9",
              "map:9"),
          "--workload",
          List.of("drawn:objects=9,accesses=2,writes=50,words=2,cancels=10"),
          "--device",
          List.of("cpu:1", "cpu-checked:1", "sim:1:4", "cuda:99", "auto"),
          "--devices",
          List.of("cpu:1", "cpu:1,sim:1:4"),
          "--explore",
          List.of("pct:1", "exhaustive:0", "random", "lock-step", "states", "pct:2+weak"),
          "--replay",
          List.of("explicit:0@1,1@0~1", "random:5", "pct:1:2:9", "explicit+weak+lasso"),
          "--weights",
          List.of("1..9", "7", "max", "none"),
          "--input",
          List.of("generate:road:9", "points:uniform:9", "graph:good.gr", "mesh:t"),
          "--phases",
          List.of("work=slots", "launches=items"),
          "--with",
          List.of("kruskal"),
          "--measure",
          List.of("total"),
          "--ladder",
          List.of("stages", "thesis-3.2"),
          "--fraction",
          List.of("0.00001"),
          "--arg",
          List.of("to=iota:9", "to=fill:8:9", "to=random:9:9:7", "to=zeros:9"),
          "--variants",
          List.of("merge=all", "parts=2", "sync=marks"));

  /** Values that no option can want, or few. */
  private static final List<String> VALUES =
      List.of(
          "",
          " ",
          "\t",
          ",",
          ",,",
          "=",
          ":",
          "-",
          "--",
          "-1",
          "+5",
          "0",
          "00",
          "1.5",
          "1e308",
          "1e-320",
          "-0.0",
          "NaN",
          "Infinity",
          "-Infinity",
          "0x10",
          "0x1p3",
          "1d",
          "1f",
          "5L",
          "1_000",
          "1,000",
          "1 2",
          "2147483647",
          "2147483648",
          "4294967296",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "9".repeat(400),
          "1." + "0".repeat(400),
          "\u0663",
          "\uff15",
          "true",
          "false",
          "no",
          "on",
          "null",
          "none",
          "all",
          "auto",
          "%s%n%d",
          "${sys:user.home}",
          "$(touch PWNED)",
          "`touch PWNED`",
          "; touch PWNED",
          "@nothing",
          "a=b",
          "a\nb",
          "a\rb",
          "\u001b[31mred",
          "\u0007",
          "\u202eabc",
          "\u00df",
          "\ud83d\udca5",
          ".",
          "..",
          "missing/file",
          "x".repeat(300),
          "{}[]",
          "\"",
          "'",
          "\\",
          "*");

  /** Options that say how much is done: what is large there is not wrong, but long. */
  private static final Set<String> WORK =
      Set.of("--repeats", "--warmups", "--transactions", "--per-run", "--runs", "--rounds");

  private static final Set<String> INPUTS =
      Set.of(
          "--input",
          "--graph",
          "--generate",
          "--mesh",
          "--poly",
          "--points",
          "--region",
          "--workload",
          "--history");

  /** Whose values are names of files, though they are texts. */
  private static final Set<String> FILES = Set.of("--json", "--graph", "--mesh", "--poly");

  private static final Set<String> GENERAL = Set.of("--help", "--version", "--stacktrace");
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

  private final HostileCases cases;

  private HostileOptions(HostileCases cases) {
    this.cases = cases;
  }

  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    HostileCases cases = new HostileCases("options", arguments);
    HostileOptions options = new HostileOptions(cases);
    options.prepare();
    List<Base> bases = options.bases();
    if (cases.argument(1).isPresent()) { // compiles the region for each machine
      for (String device : List.of("cpu:1", "cpu-checked:1", "sim:1:4")) {
        HostileCall.of(bases.get(bases.size() - 1).with("--device=" + device));
      }
    }
    bases.forEach(options::addAll);
    options.addKnown();
    System.exit(cases.run(Long.parseLong(cases.argument(0).orElseThrow())));
  }

  /** Input files that lie in the current folder. */
  private void prepare() throws IOException {
    Files.writeString(Path.of("good.gr"), "p sp 3 2\na 1 2 5\na 2 3 7\n");
    Files.writeString(Path.of("plain.el"), "0 1\n1 2\n");
    Files.writeString(Path.of("parts"), "0\n1\n".repeat(4) + "0\n");
    Files.writeString(Path.of("t.node"), "3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n");
    Files.writeString(Path.of("t.ele"), "1 3 0\n1 1 2 3\n");
    HostileCall.of(
        List.of(
            "verify",
            "--workload=drawn:objects=9",
            "--transactions=9",
            "--device=cpu:1",
            "--save=history"));
  }

  /** A command line that is right: a command, what is positional, and options. */
  private record Base(List<String> words, Map<String, String> options) {
    static Base of(String words, String... options) {
      Map<String, String> map = new LinkedHashMap<>();
      for (int i = 0; i < options.length; i += 2) {
        map.put(options[i], options[i + 1]);
      }
      return new Base(List.of(words.split(" ")), map);
    }

    /** The words of the line with options in place of those that it has. */
    List<String> with(String... more) {
      Set<String> given = Stream.of(more).map(Base::name).collect(Collectors.toSet());
      boolean input = given.stream().anyMatch(INPUTS::contains);
      List<String> line = new ArrayList<>(words);
      options.forEach(
          (name, value) -> {
            if (!given.contains(name) && !(input && INPUTS.contains(name))) {
              line.add(name + "=" + value);
            }
          });
      line.addAll(List.of(more));
      return line;
    }

    private static String name(String option) {
      return option.replaceFirst("(?s)=.*", "");
    }
  }

  private List<Base> bases() {
    List<Base> bases =
        new ArrayList<>(
            List.of(
                Base.of("msf", "--generate", "road:9", "--device", "cpu:1"),
                Base.of("msf", "--generate", "rmat:3", "--engine", "stream", "--device", "cpu:1"),
                Base.of("msf", "--graph", "plain.el", "--weights", "1..9", "--device", "cpu:1"),
                Base.of("refine", "--points", "uniform:9", "--device", "cpu:1"),
                Base.of("refine", "--mesh", "t", "--device", "cpu:1", "--sync", "two-stages"),
                Base.of("partition", "--generate", "road:9", "--parts", "2", "--device", "cpu:1"),
                Base.of("components", "--generate", "road:9", "--device", "cpu:1"),
                Base.of("paths", "--generate", "road:9", "--device", "cpu:1"),
                Base.of("sat", "--cnf", "planted:n=9,ratio=2", "--device", "cpu:1"),
                Base.of("pointsto", "--constraints", "chain:9", "--device", "cpu:1"),
                Base.of("nbody", "--bodies", "cube:9", "--steps", "1", "--device", "cpu:1"),
                Base.of(
                    "compare msf",
                    "--generate",
                    "road:9",
                    "--devices",
                    "cpu:1",
                    "--repeats",
                    "1",
                    "--warmups",
                    "0"),
                Base.of(
                    "compare msf",
                    "--ladder",
                    "thesis-3.2",
                    "--fraction",
                    "0.00001",
                    "--devices",
                    "cpu:1",
                    "--repeats",
                    "1",
                    "--warmups",
                    "0"),
                Base.of(
                    "compare refine",
                    "--points",
                    "uniform:9",
                    "--devices",
                    "cpu:1",
                    "--repeats",
                    "1",
                    "--warmups",
                    "0"),
                Base.of(
                    "compare partition",
                    "--generate",
                    "road:9",
                    "--variants",
                    "parts=2",
                    "--devices",
                    "cpu:1",
                    "--repeats",
                    "1",
                    "--warmups",
                    "0"),
                Base.of("generate road:9", "--out", "g.gr"),
                Base.of("devices"),
                Base.of(
                    "verify",
                    "--workload",
                    "drawn:objects=9",
                    "--transactions",
                    "9",
                    "--device",
                    "cpu:1"),
                Base.of(
                    "verify",
                    "--workload",
                    "drawn:objects=2,accesses=2",
                    "--items",
                    "2",
                    "--explore",
                    "pct:1",
                    "--runs",
                    "2"),
                Base.of(
                    "verify",
                    "--workload",
                    "drawn:objects=2,accesses=2",
                    "--items",
                    "2",
                    "--replay",
                    "explicit:0@1"),
                Base.of("verify", "--history", "history"),
                Base.of("mutants", "--device", "cuda:99")));
    cases
        .argument(1)
        .ifPresent(
            region ->
                bases.add(
                    Base.of(
                        "verify --arg=accounts=objects:9 --arg=balance=fill:100:9"
                            + " --arg=from=iota:9 --arg=amount=1",
                        "--arg",
                        "to=iota:9",
                        "--region",
                        region,
                        "--items",
                        "9",
                        "--device",
                        "cpu-checked:1")));
    return bases;
  }

  /** Whether a value is fine, and much to do. */
  private static boolean takesLong(String option, String value) {
    return switch (option) {
      case "--variants" -> value.equals("all");
      case "--fraction" -> value.matches("[0-9]*\\.?[0-9]+") && Double.parseDouble(value) > 0.001;
      default -> WORK.contains(option) && value.matches("\\d{4,}");
    };
  }

  private void addAll(Base base) {
    CommandLine command = command(base.words.get(0));
    add(base.with(), null, null);
    List<OptionSpec> options =
        command.getCommandSpec().options().stream()
            .filter(o -> !GENERAL.contains(o.longestName()))
            .filter(o -> !lasting(base, o))
            .toList();
    for (OptionSpec option : options) {
      String name = option.longestName();
      for (String value : VALUES) {
        if (!takesLong(name, value)) {
          add(base.with(name + "=" + value), option, value);
        }
      }
      for (String text : TEXTS.getOrDefault(name, List.of())) {
        broken(text).stream()
            .filter(value -> !takesLong(name, value))
            .forEach(value -> add(base.with(name + "=" + value), null, null));
      }
      String fine = fine(option);
      add(base.with(fine, fine), null, null);
      for (OptionSpec other : options) {
        if (options.indexOf(other) > options.indexOf(option)) {
          add(base.with(fine, fine(other)), null, null);
        }
      }
    }
    for (String value : VALUES) {
      List<String> line = new ArrayList<>(base.with());
      line.add(base.words.size(), value);
      add(line, null, null);
    }
  }

  /**
   * Whether an option could let a command work for minutes, which is no fault of it: mutants are
   * looked for on sim, and without its other options a workload has a million transactions.
   */
  private static boolean lasting(Base base, OptionSpec option) {
    return switch (option.longestName()) {
      case "--device" -> base.words.get(0).equals("mutants");
      case "--workload" -> base.options.containsKey("--history");
      default -> false;
    };
  }

  /** Lines whose meaning, if they have any, nobody can want. */
  private void addKnown() {
    List<String> refused =
        List.of(
            "bogus --help",
            "bogus --version",
            "run bogus",
            "generate --out=g.gr",
            "refine --points=uniform:9 --device=cpu:1 --sync=two-stages --phases work=slots work=lists",
            "refine --points=uniform:9 --device=cpu:1 --sync=two-stages --phases=work=slots --phases=work=slots",
            "compare msf --generate=road:9 --devices=,",
            "compare msf --generate=road:9 --devices=cpu:1, --repeats=1",
            "compare msf --generate=road:9 --devices=cpu:1 --repeats=1 --with=,",
            "compare msf --generate=road:9 --devices=cpu:1 --repeats=1 --variants merge=stm merge=atomic",
            "verify --workload=drawn:objects=9 --explore=pct:0",
            "verify --workload=drawn:objects=9,objects=8 --device=cpu:1 --transactions=9",
            "msf --graph=good.gr --graph=good.gr --device=cpu:1",
            "msf --graph=good.gr --generate=road:9");
    for (String text : refused) {
      List<String> line = List.of(text.split(" "));
      cases.addFirst(text, HostileCall.typed(line), () -> refused(line));
    }
    for (String value : VALUES) {
      if (!value.equals("--") && !value.matches("\\s*")) {
        cases.add(value, HostileCall.typed(List.of(value)), () -> refused(List.of(value)));
        cases.add(
            "run " + value,
            HostileCall.typed(List.of("run", value)),
            () -> refused(List.of("run", value)));
      }
    }
  }

  private static CommandLine command(String name) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return Magpie.commandLine(new Magpie(), nowhere, nowhere).getSubcommands().get(name);
  }

  /** An option with a value that it takes. */
  private static String fine(OptionSpec option) {
    String name = option.longestName();
    if (TEXTS.containsKey(name)) {
      return name + "=" + TEXTS.get(name).get(0);
    }
    Class<?> type = option.type();
    if (type == boolean.class || type == Boolean.class) {
      return name;
    }
    if (type.isEnum()) {
      return name + "=" + EnumOption.name((Enum<?>) type.getEnumConstants()[0]);
    }
    return name
        + "="
        + switch (name) {
          case "--graph" -> "good.gr";
          case "--mesh", "--poly" -> "t";
          case "--history" -> "history";
          case "--evaluate" -> "parts";
          case "--coordinates" -> "good.xyz";
          case "--png" -> "o.png";
          case "--pixels" -> "20";
          case "--svg" -> "o.svg";
          case "--out" -> "o.gr";
          case "--region" -> "missing.cu";
          case "--verify" -> "first";
          case "--mutant" -> "lock-unchecked";
          default -> Path.class == type || String.class == type ? "o" + name : "1";
        };
  }

  /** A text with single faults. */
  private List<String> broken(String text) {
    Set<String> all = new LinkedHashSet<>();
    for (int i = 0; i < text.length(); i++) {
      all.add(text.substring(0, i) + text.substring(i + 1));
      all.add(text.substring(0, i));
      for (String more : List.of(" ", ",", ":", "=", "-", "\u0663", "\u001b")) {
        all.add(text.substring(0, i) + more + text.substring(i));
      }
    }
    for (String more : List.of(",", ":", "=", "+", "x", " ", ",x=1", ":1:2:3:4")) {
      all.add(text + more);
    }
    for (String number :
        List.of(
            "-1",
            "",
            "NaN",
            "1e9",
            "1.5",
            "0x9",
            "2147483648",
            "9223372036854775808",
            "1e308",
            "\u0663")) {
      all.add(text.replaceFirst("[0-9.]+", number));
      all.add(text.replaceFirst("(.*[^0-9.])[0-9.]+", "$1" + number));
    }
    int parameters = text.indexOf(':');
    if (parameters > 0) {
      all.add(text + "," + text.substring(parameters + 1));
    }
    all.add(text.toUpperCase(Locale.ROOT) + "X");
    all.remove(text);
    // Each text gives hundreds: a different part of them with every seed.
    List<String> drawn = new ArrayList<>(all);
    java.util.Collections.shuffle(drawn, new Random(cases.random().nextLong() ^ text.hashCode()));
    return drawn.subList(0, Math.min(25, drawn.size()));
  }

  private void add(List<String> line, OptionSpec option, String value) {
    cases.add(String.join(" ", line), HostileCall.typed(line), () -> wrong(line, option, value));
  }

  private static String wrong(List<String> line, OptionSpec option, String value) {
    HostileCall run = HostileCall.of(line);
    boolean compared = // with a size that the mesh need not come near to
        line.contains("--verify")
            && line.stream().anyMatch(word -> word.startsWith("--reference-triangles="));
    String wrong = compared && run.status() == 1 ? null : run.unsound();
    if (wrong == null && option != null && run.status() == 0 && !meant(option, value)) {
      return "takes a value that nobody can want: " + option.longestName() + "='" + value + "'";
    }
    return wrong;
  }

  private static String refused(List<String> line) {
    return HostileCall.of(line).otherThan(2);
  }

  /** Whether somebody may have meant an option by a value that was taken. */
  private static boolean meant(OptionSpec option, String value) {
    Class<?> type = option.type();
    if (type == boolean.class || type == Boolean.class) {
      return value.equals("true");
    }
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .anyMatch(c -> ((Enum<?>) c).name().equalsIgnoreCase(value.replace('-', '_')));
    }
    if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
      return NUMBER.matcher(value).matches();
    }
    // An earlier case may have written a file of that name.
    boolean file = type == Path.class || FILES.contains(option.longestName());
    return file ? !value.isEmpty() : !value.matches("[\\s,:=]*");
  }

  private static Map<String, List<String>> texts(Object... pairs) {
    Map<String, List<String>> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      @SuppressWarnings("unchecked") // as they stand above
      List<String> texts = (List<String>) pairs[i + 1];
      map.put((String) pairs[i], texts);
    }
    return map;
  }
}
