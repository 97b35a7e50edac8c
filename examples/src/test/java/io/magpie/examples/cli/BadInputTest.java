package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.stm.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What wrong command lines and inputs print and exit with. */
class BadInputTest {
  @TempDir static Path folder;

  @BeforeAll
  static void writeInputs() throws IOException {
    Files.writeString(folder.resolve("good.gr"), "p sp 3 2\na 1 2 5\na 2 3 7\n");
    Files.writeString(folder.resolve("token.gr"), "p sp 3 2\na 1 2 5\na 2 x 7\n");
    Files.writeString(folder.resolve("vertex.gr"), "p sp 3 1\na 1 9 5\n");
    Files.writeString(folder.resolve("headless.gr"), "a 1 2 5\n");
    Files.writeString(folder.resolve("empty.gr"), "");
    Files.writeString(folder.resolve("unweighted.el"), "0 1\n1 2\n");
    Files.writeString(folder.resolve("graph.doc"), "0 1\n");
    Files.write(folder.resolve("cut.gr.gz"), new byte[] {31, (byte) 139, 8, 0, 0});
    Files.writeString(folder.resolve("short.mtx"), "%%MatrixMarket matrix coordinate\n");
    Files.createDirectories(folder.resolve("folder.gr"));
    Files.writeString(folder.resolve("token.node"), "3 2 0 0\n1 0 0\n2 x 0\n3 0 1\n");
    Files.writeString(folder.resolve("twice.node"), "4 2 0 0\n1 0 0\n2 1 0\n3 0 1\n4 1 0\n");
    Files.writeString(
        folder.resolve("crossed.poly"),
        "4 2 0 0\n1 0 0\n2 1 0\n3 1 1\n4 0 1\n2 0\n1 1 3\n2 2 4\n0\n");
    Files.writeString(folder.resolve("corner.node"), "3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n");
    Files.writeString(folder.resolve("corner.ele"), "1 3 0\n1 1 2 7\n");
    Files.writeString(
        folder.resolve("real.mtx"),
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 2 -1.5\n");
    Files.writeString(folder.resolve("plain.cu"), "struct plain {};\n");
    Files.writeString(folder.resolve("plain#1.cu"), "struct plain {};\n");
    Files.writeString(
        folder.resolve("regionless.cu"),
        "#include \"magpie/stm.cuh\"\n// no MAGPIE_REGION\nstruct plain {};\n");
    Files.writeString( // which no compiler gets to see
        folder.resolve("uncompiled.cu"),
        "#include \"magpie/stm.cuh\"\nstruct plain { nonsense };\n");
    Files.writeString(folder.resolve("pointless.poly"), "0 2 0 0\n0 0\n0\n");
    Files.writeString(folder.resolve("heavy.graph"), "3 2 010\n1 2\n9 1 3\n1 2\n");
    Files.createSymbolicLink(folder.resolve("link.png"), Path.of("heavy.graph"));
    Files.writeString(folder.resolve("token.part.2"), "0\nx\n".repeat(5));
    Files.writeString(folder.resolve("token.xyz"), "0 0\nx 1\n".repeat(5));
    Files.writeString(
        folder.resolve("cut.jsonl"), "{\"kind\":\"run\",\"algorithm\":\"msf\"}\n{\"kind\"");
    Files.writeString(folder.resolve("history.jsonl"), "{\"command\":\"verify\"}\n");
    Files.writeString(folder.resolve("kite.node"), "4 2 0 0\n1 0 0\n2 4 -1\n3 8 0\n4 4 1\n");
    Files.writeString(folder.resolve("kite.ele"), "2 3 0\n1 1 2 3\n2 1 3 4\n");
  }

  private static Arguments bad(ExitStatus status, List<String> fragments, String... arguments) {
    return Arguments.of(List.of(arguments), status, fragments);
  }

  static Stream<Arguments> table() {
    ExitStatus usage = ExitStatus.USAGE;
    ExitStatus input = ExitStatus.BAD_INPUT;
    return Stream.of(
        // Usage.
        bad(usage, List.of("missing command", "msf", "compare")),
        bad(
            usage,
            List.of("there is no command 'bogus'", "expected one of msf, refine, triangle"),
            "bogus"),
        bad(usage, List.of("--graph", "--generate"), "msf"),
        bad(usage, List.of("mutually exclusive"), "msf", "--graph", "a.gr", "--generate", "road:9"),
        bad(usage, List.of("--merge", "stm, atomic", "'both'"), generate("--merge", "both")),
        bad(usage, List.of("--bogus"), generate("--bogus")),
        bad(
            usage,
            List.of("Unknown option: '--polcy'\nPossible solutions: --policy", "--help' shows"),
            generate("--polcy", "hand_off")),
        bad(usage, List.of("Unexpected argument: 'extra'"), "devices", "extra"),
        bad(
            usage,
            List.of("--discovery has no effect without --traversal vertex"),
            generate("--discovery", "atomic-free")),
        bad(
            usage,
            List.of("--filter has no effect without --traversal edge"),
            generate("--traversal", "vertex", "--filter", "on")),
        bad(
            usage,
            List.of("--merge has no effect without --traversal vertex or edge"),
            generate("--traversal", "cycle", "--merge", "atomic")),
        bad(
            usage,
            List.of("--merge has no effect without --traversal vertex or edge"),
            generate("--traversal", "component-space", "--merge", "stm")),
        bad(
            usage,
            List.of("--filter has no effect without --traversal edge"),
            generate("--traversal", "scan", "--filter", "on")),
        bad(
            usage,
            List.of("--reads has no effect without --merge stm with --traversal vertex or edge"),
            generate("--traversal", "cycle", "--reads", "unvalidated")),
        bad(
            usage,
            List.of(
                "--policy has no effect without --merge stm with --traversal vertex or edge or"
                    + " --traversal component-space"),
            generate("--traversal", "cycle", "--policy", "locks")),
        bad(
            usage,
            List.of("--policy has no effect", "--merge stm"),
            generate("--merge", "atomic", "--policy", "hand_off")),
        bad(
            usage,
            List.of("--threads-in-flight must be at least 0, but is -3"),
            generate("--threads-in-flight", "-3")),
        bad(
            usage,
            List.of("--eager-attempts must be at least -1, but is -2"),
            generate("--eager-attempts", "-2")),
        bad(
            usage,
            List.of(
                "--eager-attempts has no effect without --policy hand_off or"
                    + " optimistic_hand_off with --merge stm"),
            generate("--policy", "priority_rule", "--eager-attempts", "4")),
        bad(
            usage,
            List.of(
                "--eager-attempts has no effect without --policy hand_off or"
                    + " optimistic_hand_off with --merge stm"),
            generate("--merge", "atomic", "--eager-attempts", "4")),
        bad(usage, List.of("--timeout", "'soon'"), generate("--timeout", "soon")),
        bad(
            usage,
            List.of("--timeout must be from 0 to 9223372036 seconds, but is -1"),
            generate("--timeout", "-1")),
        bad(usage, List.of("to 9223372036 seconds, but is -1"), drawn("--timeout", "-1")),
        bad(
            usage,
            List.of("to 9223372036 seconds, but is 9223372037"),
            drawn("--timeout", "9223372037")),
        bad(usage, List.of("number, but was 'nan'", "0 or more"), drawn("--skew", "nan")),
        bad(usage, List.of("'street'", "road"), "msf", "--generate", "street:100"),
        bad(usage, List.of("'n' is missing"), "msf", "--generate", "road"),
        bad(usage, List.of("n=-5"), "msf", "--generate", "road:-5"),
        bad(usage, List.of("given twice"), "msf", "--generate", "road:9,seed=1", "--seed", "2"),
        bad(usage, List.of("weights '9..3'"), read("good.gr", "--weights", "9..3")),
        bad(usage, List.of("--seed has no effect"), read("good.gr", "--seed", "4")),
        bad(
            usage,
            List.of("graph.doc", ".gr, .graph"),
            "generate",
            "road:9",
            "--out",
            file("graph.doc")),
        bad(usage, List.of("--out"), "generate", "road:9"),
        bad(usage, List.of("no algorithm 'sort'", "msf"), compare("sort")),
        bad(usage, List.of("'speed'", "merge"), compare("msf", "--variants", "speed=high")),
        bad(usage, List.of("merge=maybe", "stm"), compare("msf", "--variants", "merge=maybe")),
        bad(
            usage,
            List.of("threads-in-flight=-1: expected at least 0"),
            compare("msf", "--variants", "threads-in-flight=-1")),
        bad(
            usage,
            List.of("discovery=atomic-free has no effect", "traversal=vertex"),
            compare("msf", "--variants", "traversal=edge", "discovery=atomic-free")),
        bad(usage, List.of("--with prim", "kruskal"), compare("msf", "--with", "prim")),
        bad(
            usage,
            List.of("--repeats must be at least 1, but is 0"),
            compare("msf", "--repeats", "0")),
        bad(
            usage,
            List.of("--warmups must be at least 0, but is -1"),
            compare("msf", "--warmups", "-1")),
        bad(usage, List.of("--measure luck"), compare("msf", "--measure", "luck")),
        bad(usage, List.of("--verify never"), compare("msf", "--verify", "never")),
        bad(usage, List.of("mutually exclusive"), compare("refine", "--points", "uniform:9")),
        bad(usage, List.of("angle=wide"), refinements("--variants", "angle=wide")),
        bad(
            usage,
            List.of("angle=50: expected 0 to 33 degrees"),
            refinements("--variants", "angle=50")),
        bad(usage, List.of("--seed", "for graphs"), refinements("--seed", "2")),
        bad(usage, List.of("--region", "--workload", "--history"), "verify"),
        bad(usage, List.of("mutually exclusive"), drawn("--history", "a.txt")),
        bad(usage, List.of("'spun'", "drawn[:objects=N"), "verify", "--workload", "spun"),
        bad(
            usage,
            List.of("accesses=9", "from 1 to 8"),
            "verify",
            "--workload",
            "drawn:accesses=9"),
        bad(usage, List.of("--explore", "'deep'", "pct:1"), drawn("--explore", "deep")),
        bad(
            usage,
            List.of("--explore: pct takes a number from 1 to 9, not 12"),
            drawn("--explore", "pct:12")),
        bad(usage, List.of("--replay", "'again'", "explicit"), drawn("--replay", "again")),
        bad(usage, List.of("exclude"), drawn("--replay", "explicit", "--explore", "pct:2")),
        bad(usage, List.of("--jobs must be 1 to 64, got 65"), drawn("--jobs", "65")),
        bad(usage, List.of("--jobs has no effect on sim"), drawn("--jobs=2", "--device=sim")),
        bad(
            usage,
            List.of("--jobs has no effect with --explore"),
            drawn("--jobs", "2", "--explore", "pct:2")),
        bad(
            usage,
            List.of("--jobs has no effect without --transactions"),
            "verify --region a.cu --items 2000 --device cpu --jobs 2".split(" ")),
        bad(
            usage,
            List.of("--jobs has no effect on a processor with at most 1,000 --items"),
            "verify --region a.cu --items 9 --device cpu --jobs 2 --transactions 99".split(" ")),
        bad(usage, List.of("simulator only"), drawn("--explore", "pct:2", "--device", "cpu")),
        bad(usage, List.of("--skew has no effect"), drawn("--explore", "pct:2", "--skew", "1")),
        bad(usage, List.of("--runs has no effect"), drawn("--runs", "5")),
        bad(usage, List.of("--steps has no effect"), drawn("--steps", "5")),
        bad(
            usage,
            List.of("--steps must be at least 1"),
            drawn("--explore", "pct:2", "--steps", "0")),
        bad(usage, List.of("--arg has no effect"), drawn("--arg", "a=1")),
        bad(usage, List.of("--no-opacity has no effect"), drawn("--no-opacity")),
        bad(usage, List.of("--no-other-order has no effect"), drawn("--no-other-order")),
        bad(
            usage,
            List.of("--slots has no effect"),
            drawn("--explore", "pct:2", "--slots", "rows=none")),
        bad(
            usage,
            List.of("--slots has no effect where accesses past tx are not seen"),
            "verify",
            "--device",
            "cpu",
            "--region",
            "a.cu",
            "--items",
            "1001",
            "--slots",
            "rows=none"),
        bad(
            usage,
            List.of(
                "--slots has no effect under --policy obstruction_free, where accesses past tx are"
                    + " not seen; take --policy hand_off, or leave it out"),
            ofPolicy("obstruction_free", "--explore", "pct:2", "--slots", "rows=none")),
        bad(
            usage,
            List.of("--no-other-order has no effect under --policy obstruction_free"),
            ofPolicy("obstruction_free", "--replay", "explicit:", "--no-other-order")),
        bad(
            usage,
            List.of("--slots has no effect under --policy pr_stm", "take --policy hand_off"),
            ofPolicy("pr_stm", "--device", "cpu", "--slots", "rows=none")),
        bad(usage, List.of("--clock", "'sun'", "counter"), drawn("--clock", "sun")),
        bad(usage, List.of("--transactions must be at least 1"), drawn("--transactions", "0")),
        bad(usage, List.of("--png a.jpg", "ends in .png"), drawn("--png", "a.jpg")),
        bad(usage, List.of("--pixels has no effect without --png"), drawn("--pixels", "99")),
        bad(
            usage,
            List.of("--pixels must be from 16 to 8192, got 15"),
            drawn("--png", file("a.png"), "--pixels", "15")),
        bad(
            usage,
            List.of("--save and --png both write", "a.png"),
            drawn("--save", file("a.png"), "--png", file("a.png"))),
        bad(usage, List.of("--items is needed"), "verify", "--region", "a.cu"),
        bad(
            usage,
            List.of("--seed has no effect"),
            "verify",
            "--region",
            "a.cu",
            "--items",
            "2",
            "--seed",
            "3"),
        bad(
            usage,
            List.of("--policy has no effect with --history"),
            "verify",
            "--history",
            "a.txt",
            "--policy",
            "hand_off"),
        bad(usage, List.of("--arg a", "'x:y'", "objects:COUNT"), region("--arg", "a=x:y")),
        bad(
            usage,
            List.of(
                "lacks arguments",
                "balance (an array of i32)",
                "amount (a scalar of type i32)",
                "as in --arg balance=zeros:LENGTH"),
            region("--arg", "balance.guards=objects:3")),
        bad(
            usage,
            List.of("--arg total: region transfer has no field 'total'; its fields are"),
            region("--arg", "total=7")),
        bad(
            usage,
            List.of("--arg balance (an array of i32): 'objects:3' does not fit; expected"),
            region(
                "--arg",
                "balance=objects:3",
                "--arg",
                "amount=1",
                "--arg",
                "from=zeros:3",
                "--arg",
                "to=zeros:3")),
        bad(
            usage,
            List.of("--arg balance.guards (objects", "'rank.guards' does not fit", "objects:COUNT"),
            region(
                "--arg",
                "balance=zeros:3",
                "--arg",
                "balance.guards=rank.guards",
                "--arg",
                "amount=1",
                "--arg",
                "from=zeros:3",
                "--arg",
                "to=zeros:3")),
        bad(
            usage,
            List.of("--arg balance and balance.data are the same argument"),
            region("--arg", "balance=zeros:3", "--arg", "balance.data=zeros:3")),
        bad(usage, List.of("--arg a is given twice"), region("--arg", "a=1", "--arg", "a=2")),
        bad(usage, List.of("--arg a:", "NAME=SPEC"), region("--arg", "a")),
        bad(usage, List.of("--arg =1:", "NAME=SPEC"), region("--arg", "=1")),
        bad(usage, List.of("no field 'a'", "amount (a scalar"), region("--arg", "a=1")),
        bad(usage, List.of("--mutant", "'frog'", "lock-unchecked"), mutants("--mutant", "frog")),
        bad(usage, List.of("--rounds must be at least 1"), mutants("--rounds", "0")),
        bad(usage, List.of("--timeout must be from 0.001"), mutants("--timeout", "0")),
        bad(usage, List.of("--timeout", "'NaN'", "such as 0.5"), mutants("--timeout", "NaN")),
        bad(
            usage,
            List.of("--transactions must be at least 1"),
            mutants("--device", "cpu", "--transactions", "0")),
        bad(usage, List.of("--mesh", "--poly", "--points"), "refine"),
        bad(usage, List.of("mutually exclusive"), points("--mesh", "a")),
        bad(usage, List.of("'dots'", "uniform"), "refine", "--points", "dots:9"),
        bad(
            usage,
            List.of("--angle must be from 0 to 33 degrees, but is 40"),
            points("--angle", "40")),
        bad(usage, List.of("--angle", "NaN"), points("--angle", "NaN")),
        bad(usage, List.of("--angle", "'wide'"), points("--angle", "wide")),
        bad(usage, List.of("--max-area must be", "-1"), points("--max-area", "-1")),
        bad(usage, List.of("--max-vertices must be", "-1"), points("--max-vertices", "-1")),
        bad(usage, List.of("--batch must be", "2.0"), points("--batch", "2")),
        bad(
            usage,
            List.of("--threads-in-flight must be", "-1"),
            points("--threads-in-flight", "-1")),
        bad(
            usage,
            List.of("--threads-in-flight must be", "-1"),
            drawn("--threads-in-flight", "-1")),
        bad(
            usage,
            List.of("--threads-in-flight must be", "-1"),
            generate("--threads-in-flight", "-1")),
        bad(
            usage,
            List.of("--reference-triangles has no effect without --verify"),
            points("--reference-triangles", "9")),
        bad(
            usage,
            List.of("--reference-triangles must be at least 1, got 0"),
            points("--verify", "--reference-triangles", "0")),
        bad(usage, List.of("--sync", "transactions, marks", "'luck'"), points("--sync", "luck")),
        bad(
            usage,
            List.of("--policy has no effect", "--sync transactions"),
            points("--sync", "marks", "--policy", "hand_off")),
        bad(usage, List.of("--slice has no effect", "--sync marks"), points("--slice", "9")),
        bad(
            usage,
            List.of("--overlap has no effect", "--sync maximal-sets"),
            points("--overlap", "cavities")),
        bad(
            usage,
            List.of("--batch has no effect", "--sync transactions"),
            points("--sync", "maximal-sets", "--batch", "1")),
        bad(
            usage,
            List.of("--available-parallelism has no effect without --sync maximal-sets"),
            points("--sync", "marks", "--available-parallelism", file("steps.csv"))),
        bad(
            usage,
            List.of(
                "--phases", "no effect without --sync three-phases, two-stages or atomic-stages"),
            points("--phases", "sorted=on")),
        bad(
            usage,
            List.of(
                "--batch has no effect without --sync transactions or marks or --phases work=lists"
                    + " with --sync three-phases, two-stages or atomic-stages; add that, or leave"
                    + " this out"),
            points("--batch", "0.5", "--sync", "two-stages", "--phases", "work=slots")),
        bad(
            usage,
            List.of("batch=0.5 has no effect", "sync=transactions|marks or work=lists"),
            refinements("--variants", "sync=three-phases", "work=slots", "batch=0.5")),
        bad(
            usage,
            List.of("angle=all: it has no list of values; name some, as in angle=30,2"),
            refinements("--variants", "angle=all")),
        bad(
            usage,
            List.of("--phases", "'color'", "precision"),
            points("--sync", "two-stages", "--phases", "color=red")),
        bad(
            usage,
            List.of("--phases", "sorted=maybe", "on, off"),
            points("--sync", "two-stages", "--phases", "sorted=maybe")),
        bad(
            usage,
            List.of("--ladder steps", "optimizations, stages"),
            refinements("--ladder", "steps")),
        bad(
            usage,
            List.of("--ladder steps: partition has no ladders"),
            "compare",
            "partition",
            "--generate",
            "grid:9",
            "--ladder",
            "steps"),
        bad(
            usage,
            List.of("--ladder steps: expected one of thesis-3.2, thesis-3.4, thesis-3.5"),
            "compare",
            "msf",
            "--ladder",
            "steps"),
        bad(
            usage,
            List.of("expected an input, by --graph or --generate or", "or --input"),
            "compare",
            "msf"),
        bad(
            usage,
            List.of("expected an input, by --graph"),
            "compare",
            "refine",
            "--ladder",
            "stages"),
        bad(usage, List.of("--fraction is for the inputs"), compare("msf", "--fraction", "0.5")),
        bad(
            usage,
            List.of("--fraction is for the inputs"),
            compare("msf", "--fraction", "0.5", "--ladder", "thesis-3.2")),
        bad(usage, List.of("--fraction 0.0: expected more than 0, and 1 at most"), fraction("0")),
        bad(usage, List.of("--fraction 1.5: expected more than 0, and 1 at most"), fraction("1.5")),
        bad(
            usage,
            List.of("'--fraction': expected a number, such as 0.5, but was 'NaN'"),
            fraction("NaN")),
        bad(
            usage,
            List.of("--fraction 1.0E-9: RND1 and RND2 are the same input, random:n=2,m=2,"),
            fraction("1e-9")),
        bad(
            usage,
            List.of("--fraction 0.5: long: has one size only"),
            "compare",
            "wrong",
            "--ladder",
            "inputs",
            "--fraction",
            "0.5"),
        bad(
            usage,
            List.of("leave out --variants"),
            refinements("--ladder", "stages", "--variants", "sync=all")),
        bad(usage, List.of("a.jpg", ".png"), points("--png", file("a.jpg"))),
        bad(usage, List.of("a.png", ".svg"), points("--svg", file("a.png"))),
        bad(usage, List.of("'--parts=K'"), "partition", "--generate", "road:9"),
        bad(usage, List.of("--graph", "--generate"), "partition", "-k", "2"),
        bad(usage, List.of("parts must be at least 1, but is 0"), parts("-k", "0")),
        bad(usage, List.of("'-k'", "'many'"), parts("-k", "many")),
        bad(
            usage,
            List.of("--imbalance must be from 0 to 1, but is 1.5"),
            parts("--imbalance", "1.5")),
        bad(usage, List.of("imbalance", "NaN"), parts("--imbalance", "NaN")),
        bad(usage, List.of("--effort", "fast, default, ultra"), parts("--effort", "great")),
        bad(
            usage,
            List.of("--matching", "proposals, atomic, stm", "'both'"),
            parts("--matching", "both")),
        bad(usage, List.of("--refinement", "atomic, stm"), parts("--refinement", "none")),
        bad(usage, List.of("--contraction", "hash, sort"), parts("--contraction", "none")),
        bad(
            usage,
            List.of("--order has no effect", "--refinement stm or stm-reserved"),
            parts("--order", "ranges")),
        bad(
            usage,
            List.of("--policy has no effect", "--matching stm or --refinement stm"),
            parts("--policy", "hand_off")),
        bad(usage, List.of("--unit-weights is for files; leave it out"), parts("--unit-weights")),
        bad(
            usage,
            List.of("--unit-weights is for files; leave it out"),
            partitions("--unit-weights")),
        bad(usage, List.of("--unit-weights is for graphs"), refinements("--unit-weights")),
        bad(
            usage,
            List.of("--unit-weights leaves nothing"),
            "compare",
            "msf",
            "--graph",
            file("good.gr"),
            "--unit-weights"),
        bad(
            usage,
            List.of("--weight-scale and --unit-weights exclude each other"),
            "compare",
            "partition",
            "--graph",
            file("good.gr"),
            "--unit-weights",
            "--weight-scale",
            "2"),
        bad(
            usage,
            List.of("--weights and --unit-weights exclude each other"),
            "compare",
            "partition",
            "--graph",
            file("good.gr"),
            "--unit-weights",
            "--weights",
            "2"),
        bad(usage, List.of("a.jpg", ".png"), parts("--png", file("a.jpg"))),
        bad(usage, List.of("no effect without --png"), parts("--coordinates", "a.xyz")),
        bad(usage, List.of("no effect without --png;"), parts("--pixels", "100")),
        bad(usage, List.of("no effect without --png or --svg"), points("--pixels", "100")),
        bad(
            usage,
            List.of("--pixels must be from 16 to 8192, got 15"),
            points("--svg", file("a.svg"), "--pixels", "15")),
        bad(
            usage,
            List.of("--pixels must be from 16 to 8192, got 8193"),
            parts("--png", file("a.png"), "--pixels", "8193")),
        bad(
            usage,
            List.of("star:n=9", "no coordinates", "--coordinates"),
            "msf",
            "--generate",
            "star:9",
            "--png",
            file("a.png")),
        bad(
            usage,
            List.of("star:n=9", "no coordinates", "--coordinates"),
            "partition",
            "--generate",
            "star:9",
            "-k",
            "2",
            "--png",
            file("a.png")),
        bad(
            usage,
            List.of("--effort has no effect with --evaluate"),
            parts("--evaluate", file("x.part.2"), "--effort", "fast")),
        bad(usage, List.of("parts=0: expected at least 1"), partitions("--variants", "parts=0")),
        bad(usage, List.of("imbalance=1.01", "0 to 1"), partitions("--variants", "imbalance=1.01")),
        bad(usage, List.of("imbalance=3:", "0 to 1"), partitions("--variants", "imbalance=3")),
        bad(usage, List.of("'-k'", "--variants", "parts=8"), partitions("-k", "8")),
        bad(usage, List.of("effort=great", "ultra"), partitions("--variants", "effort=great")),
        bad(usage, List.of("road", "expected a mesh"), compare("refine")),
        bad(usage, List.of("uniform", "a graph"), "compare", "msf", "--points", "uniform:9"),
        bad(usage, List.of("uniform", "a graph"), "compare", "partition", "--points", "uniform:9"),
        // Numbers.
        bad(
            usage,
            List.of("'99999999999' is out of range", "Number of parts; at least 1"),
            parts("-k", "99999999999")),
        bad(
            usage,
            List.of("--imbalance", "expected a number", "'much'", "0 to 1"),
            parts("--imbalance", "much")),
        bad(
            usage,
            List.of("a whole number, but was '1.5'", "Repeat runs until"),
            drawn("--transactions", "1.5")),
        bad(
            usage,
            List.of(
                "'few'",
                "a whole number",
                "Seed of all random choices; a whole number, default 1."),
            parts("--seed", "few")),
        bad(
            usage,
            List.of("--weight-scale must be positive and finite, got 0"),
            read("good.gr", "--weight-scale", "0")),
        bad(
            usage,
            List.of("--weight-scale must be positive and finite, got -2"),
            read("good.gr", "--weight-scale", "-2")),
        bad(
            usage,
            List.of("--format must be one of .gr,", "'doc'"),
            read("graph.doc", "--format", "doc")),
        bad(usage, List.of("--format is for files"), generate("--format", "gr")),
        bad(
            usage,
            List.of("--format and --weight-scale are for files; leave them out"),
            generate("--weight-scale", "3", "--format", "gr")),
        bad(usage, List.of("--format are for graphs"), refinements("--format", "gr")),
        bad(usage, List.of("good.gr/'", "names a folder"), read("good.gr/")),
        bad(usage, List.of("a.txt/'", "names a folder"), generate("--json", file("a.txt/"))),
        bad(
            usage,
            List.of("merge is given twice"),
            compare("msf", "--variants", "merge=stm", "merge=all")),
        bad(usage, List.of("all is given twice"), compare("msf", "--variants", "all", "all")),
        bad(usage, List.of("'+weak' comes twice"), drawn("--replay", "explicit:1@0+weak+weak")),
        bad(usage, List.of("--details has no effect"), parts("--evaluate", "a", "--details")),
        // One file for two results, and standard output for what is no JSON.
        bad(
            usage,
            List.of("--out and --png both write", "a.png"),
            "partition",
            "--generate",
            "grid:9",
            "-k",
            "2",
            "--out",
            file("a.png"),
            "--png",
            file("folder.gr/../a.png")),
        bad(
            usage,
            List.of("--out and --png both write", "link.png"),
            parts("--out", file("heavy.graph"), "--png", file("link.png"))),
        bad(
            usage,
            List.of("--json and --out both write"),
            generate("--json", file("a.txt"), "--out", file("a.txt"))),
        bad(
            usage,
            List.of("--out and --profile both write", "a.node"),
            points("--out", file("a"), "--profile", file("a.node"))),
        bad(
            usage,
            List.of("--json and --save both write"),
            drawn("--json", file("a.txt"), "--save", file("a.txt"))),
        bad(
            usage,
            List.of("--json and --csv both write"),
            compare("msf", "--json", file("a.txt"), "--csv", file("a.txt"))),
        bad(usage, List.of("--out -: only --json", "./-"), parts("--out", "-")),
        bad(usage, List.of("--out -: only --json"), points("--out", "-")),
        bad(usage, List.of("--out -: only --json"), "generate", "road:9", "--out", "-"),
        bad(usage, List.of("--save -: only --json"), drawn("--save", "-")),
        bad(usage, List.of("--csv -: only --json"), compare("msf", "--csv", "-")),
        // Input.
        bad(input, List.of("none.gr", "no such file"), read("none.gr")),
        bad(input, List.of("plain#1.cu", "MAGPIE_REGION(name)"), source("plain#1.cu")),
        bad(
            input,
            List.of("real.mtx:3", "'0.5'", "when multiplied by 1.0E300", "a smaller weight scale"),
            read("real.mtx", "--weight-scale", "1e300")),
        bad(input, List.of("graph.doc:1"), read("graph.doc", "--format", "gr")),
        bad(input, List.of("token.gr:3", "'x'"), read("token.gr")),
        bad(input, List.of("vertex.gr:2", "9"), read("vertex.gr")),
        bad(input, List.of("headless.gr:1"), read("headless.gr")),
        bad(input, List.of("empty.gr"), read("empty.gr")),
        bad(input, List.of("graph.doc", ".mtx"), read("graph.doc")),
        bad(input, List.of("cut.gr.gz"), read("cut.gr.gz")),
        bad(input, List.of("short.mtx:1"), read("short.mtx")),
        bad(input, List.of("folder.gr"), read("folder.gr")),
        bad(input, List.of("no weights", "--weights 1..1000000"), read("unweighted.el")),
        bad(input, List.of("no weights"), "msf", "--generate", "road:9,weights=none"),
        bad(input, List.of("already has weights"), read("good.gr", "--weights", "1..5")),
        bad(
            input,
            List.of("9999900000 arcs"),
            "msf",
            "--device",
            "cpu",
            "--generate",
            "complete:100000"),
        bad(input, List.of("none.gr"), "compare", "msf", "--graph", file("none.gr")),
        bad(input, List.of("none.txt", "no such file"), "verify", "--history", file("none.txt")),
        bad(input, List.of("good.gr:1", "magpie-history"), "verify", "--history", file("good.gr")),
        bad(
            input,
            List.of("none.cu", "no such file"),
            "verify",
            "--region",
            file("none.cu#x"),
            "--items",
            "2"),
        bad(
            input,
            List.of("folder.gr: is a folder", ".cu"),
            "verify",
            "--region",
            file("folder.gr"),
            "--items",
            "2"),
        bad(input, List.of("plain.cu", "MAGPIE_REGION(name)"), source("plain.cu")),
        bad(
            input,
            List.of("plain.cu", "MAGPIE_REGION(name)"),
            "verify",
            "--device",
            "sim",
            "--items",
            "2",
            "--region",
            file("plain.cu")),
        bad(
            input,
            List.of("regionless.cu: has no region", "MAGPIE_REGION(name)"),
            source("regionless.cu")),
        bad(
            input,
            List.of("uncompiled.cu: has no region", "MAGPIE_REGION(name)"),
            source("uncompiled.cu")),
        bad(
            input,
            List.of("none.node: no such file", "none.poly", "one of them"),
            mesh("--poly", "none")),
        bad(
            input,
            List.of("none.gr: no such file, and no generator; generators are ", "road"),
            "paths",
            "--device=cpu:1",
            "--digraph",
            file("none.gr")),
        bad(
            input,
            List.of("rod:100: no such file, and no generator; generators are ", "road"),
            "paths",
            "--device=cpu:1",
            "--digraph",
            "rod:100"),
        bad(
            input,
            List.of("none.gr: no such file; what is generated", "--generate"),
            "msf",
            "--device=cpu:1",
            "--graph",
            file("none.gr")),
        bad(input, List.of("pointless.node: no such file"), mesh("--poly", "pointless")),
        bad(input, List.of("none.node", "no such file"), mesh("--mesh", "none")),
        bad(input, List.of("token.node:3", "'x'"), mesh("--mesh", "token")),
        bad(input, List.of("twice", "vertices 2 and 4"), mesh("--mesh", "twice")),
        bad(input, List.of("crossed", "segment 2", "crosses"), mesh("--poly", "crossed")),
        bad(input, List.of("corner.ele:2", "7"), mesh("--mesh", "corner")),
        bad(input, List.of("kite: ", "triangulate"), mesh("--mesh", "kite")),
        bad(
            input,
            List.of("kite: no constrained Delaunay", "--poly"),
            "compare",
            "refine",
            "--mesh",
            file("kite")),
        bad(input, List.of("uniform:n=2", "three"), mesh("--points", "uniform:2")),
        bad(
            input,
            List.of("uniform:n=9", "--max-area 1.0E-12", "triangles at least", "or more"),
            points("--device", "cpu", "--max-area", "1e-12")),
        bad(
            input,
            List.of("road:n=9", "10 parts of a graph of 9 vertices", "at most 9"),
            parts("-k", "10")),
        bad(
            input,
            List.of("road:n=9", "10 parts", "at most 9"),
            partitions("--variants", "parts=10", "--devices", "cpu")),
        bad(
            input,
            List.of(
                "heavy.graph: vertex 2 weighs 9", "at most 4", "at most 1 part", "no imbalance"),
            partition("heavy.graph", "-k", "3")),
        bad(input, List.of("real.mtx:3", "'0.5'"), partition("real.mtx", "-k", "2")),
        bad(input, List.of("none.graph", "no such file"), partition("none.graph", "-k", "2")),
        bad(input, List.of("x.part.2", "no such file"), parts("--evaluate", file("x.part.2"))),
        bad(
            input,
            List.of("token.part.2:2", "'x'", "a part, 0 to 1"),
            parts("--evaluate", file("token.part.2"))),
        bad(
            input,
            List.of("x.xyz", "no such file"),
            parts("--png", file("a.png"), "--coordinates", file("x.xyz"))),
        bad(
            input,
            List.of("token.xyz:2", "'x'", "a finite decimal number"),
            parts("--png", file("a.png"), "--coordinates", file("token.xyz"))),
        bad(input, List.of("none.jsonl", "no such file"), report("none.jsonl")),
        bad(input, List.of("folder.gr: is a folder", "records"), report("folder.gr")),
        bad(input, List.of("empty.gr: found an empty file", "--json"), report("empty.gr")),
        bad(input, List.of("good.gr:1: found text that is not JSON"), report("good.gr")),
        bad(input, List.of("cut.jsonl:2", "incomplete record"), report("cut.jsonl")),
        bad(input, List.of("history.jsonl:1", "not of a run"), report("history.jsonl")),
        // Devices.
        bad(usage, List.of("--device", "'gpu'", "auto", "cuda"), generate("--device", "gpu")),
        bad(usage, List.of("'none'"), generate("--device", "cpu:none")),
        bad(usage, List.of("width"), generate("--device", "sim:1:99")),
        bad(
            ExitStatus.DEVICE_UNAVAILABLE,
            List.of("cuda:77", "there are", "cpu"),
            generate("--device", "cuda:77")),
        bad(usage, List.of("--device", "'gpu'"), points("--device", "gpu")),
        bad(
            ExitStatus.DEVICE_UNAVAILABLE,
            List.of("cuda:77", "there are"),
            points("--device", "cuda:77")),
        bad(usage, List.of("--devices", "'tpu'"), compare("msf", "--devices", "cpu,tpu")),
        // Outputs, refused before any work.
        bad(
            ExitStatus.OUTPUT_FAILED,
            List.of("nowhere", "mkdir"),
            generate("--out", file("nowhere/forest.txt"))),
        bad(
            ExitStatus.OUTPUT_FAILED,
            List.of("folder.gr", "is a folder"),
            generate("--json", file("folder.gr"))),
        bad(
            ExitStatus.OUTPUT_FAILED,
            List.of("nowhere"),
            "generate",
            "road:9",
            "--out",
            file("nowhere/a.gr")),
        bad(
            ExitStatus.OUTPUT_FAILED,
            List.of("nowhere"),
            compare("msf", "--csv", file("nowhere/a.csv"))),
        bad(
            ExitStatus.OUTPUT_FAILED,
            List.of("nowhere"),
            drawn("--save", file("nowhere/history.txt"))),
        bad(ExitStatus.OUTPUT_FAILED, List.of("nowhere"), drawn("--png", file("nowhere/a.png"))),
        bad(
            ExitStatus.OUTPUT_FAILED,
            List.of("nowhere"),
            "verify",
            "--history",
            file("none.txt"),
            "--png",
            file("nowhere/a.png")),
        bad(ExitStatus.OUTPUT_FAILED, List.of("nowhere"), points("--out", file("nowhere/mesh"))),
        bad(ExitStatus.OUTPUT_FAILED, List.of("nowhere"), points("--png", file("nowhere/a.png"))),
        bad(ExitStatus.OUTPUT_FAILED, List.of("nowhere"), points("--svg", file("nowhere/a.svg"))),
        bad(
            ExitStatus.OUTPUT_FAILED,
            List.of("nowhere", "mkdir"),
            points("--profile", file("nowhere/a.csv"))),
        bad(
            ExitStatus.OUTPUT_FAILED,
            List.of("folder.gr", "is a folder"),
            points("--out", file("folder.gr"))),
        bad(ExitStatus.OUTPUT_FAILED, List.of("nowhere"), mutants("--csv", file("nowhere/a.csv"))),
        bad(ExitStatus.OUTPUT_FAILED, List.of("nowhere"), parts("--out", file("nowhere/a.part"))),
        bad(ExitStatus.OUTPUT_FAILED, List.of("nowhere"), parts("--png", file("nowhere/a.png"))),
        bad(ExitStatus.OUTPUT_FAILED, List.of("nowhere"), page("nowhere/a.html")),
        bad(usage, List.of("a.txt", ".html"), page("a.txt")),
        bad(usage, List.of("'--out=FILE.html'"), "report", file("cut.jsonl")),
        // Tutorials.
        bad(usage, List.of("'99-none'", "01-bank-transfer"), "run", "99-none"),
        bad(usage, List.of("device 'bogus'"), "run", "01-bank-transfer", "bogus"),
        bad(usage, List.of("device 'cpu:0'"), "run", "02-verify-your-region", "cpu:0"));
  }

  private static String file(String name) {
    return folder + "/" + name;
  }

  private static String[] generate(String... more) {
    return Stream.concat(Stream.of("msf", "--generate", "road:9"), Stream.of(more))
        .toArray(String[]::new);
  }

  private static String[] parts(String... more) {
    Stream<String> count = List.of(more).contains("-k") ? Stream.of() : Stream.of("-k", "2");
    return Stream.concat(
            Stream.concat(Stream.of("partition", "--generate", "road:9"), count), Stream.of(more))
        .toArray(String[]::new);
  }

  private static String[] partition(String name, String... more) {
    return Stream.concat(
            Stream.of("partition", "--device", "cpu", "--graph", file(name)), Stream.of(more))
        .toArray(String[]::new);
  }

  private static String[] partitions(String... more) {
    return Stream.concat(Stream.of("compare", "partition", "--generate", "road:9"), Stream.of(more))
        .toArray(String[]::new);
  }

  private static String[] points(String... more) {
    return Stream.concat(Stream.of("refine", "--points", "uniform:9"), Stream.of(more))
        .toArray(String[]::new);
  }

  private static String[] refinements(String... more) {
    return Stream.concat(Stream.of("compare", "refine", "--points", "uniform:9"), Stream.of(more))
        .toArray(String[]::new);
  }

  private static String[] mesh(String option, String input) {
    String value = option.equals("--points") ? input : file(input);
    return new String[] {"refine", "--device", "cpu", option, value};
  }

  private static String[] drawn(String... more) {
    return Stream.concat(Stream.of("verify", "--workload", "drawn:objects=9"), Stream.of(more))
        .toArray(String[]::new);
  }

  private static String[] ofPolicy(String policy, String... more) {
    return Stream.concat(
            Stream.of("verify", "--region", "a.cu", "--items", "2", "--policy", policy),
            Stream.of(more))
        .toArray(String[]::new);
  }

  private static String[] region(String... more) {
    String source =
        Path.of(System.getProperty("magpie.basedir"), "01-bank-transfer", "transfer.cu").toString();
    return Stream.concat(
            Stream.of("verify", "--device", "cpu", "--items", "2", "--region", source),
            Stream.of(more))
        .toArray(String[]::new);
  }

  private static String[] source(String name) {
    return new String[] {
      "verify", "--device", "cpu", "--items", "2", "--arg", "a=1", "--region", file(name)
    };
  }

  private static String[] mutants(String... more) {
    return Stream.concat(Stream.of("mutants"), Stream.of(more)).toArray(String[]::new);
  }

  private static String[] read(String name, String... more) {
    return Stream.concat(
            Stream.of("msf", "--device", "cpu", "--graph", file(name)), Stream.of(more))
        .toArray(String[]::new);
  }

  private static String[] report(String name) {
    return new String[] {"report", file(name), "--out", file("report.html")};
  }

  private static String[] page(String name) {
    return new String[] {"report", file("cut.jsonl"), "--out", file(name)};
  }

  private static String[] compare(String algorithm, String... more) {
    return Stream.concat(Stream.of("compare", algorithm, "--generate", "road:9"), Stream.of(more))
        .toArray(String[]::new);
  }

  private static String[] fraction(String value) {
    return new String[] {"compare", "msf", "--ladder", "thesis-3.2", "--fraction", value};
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @MethodSource("table")
  void saysWhatIsWrongAndHowItEnds(
      List<String> arguments, ExitStatus status, List<String> fragments) {
    Tutorials.makeKnown();
    CommandRun run = CommandRun.of(arguments.toArray(new String[0])).expect(status);
    assertFalse(run.err().contains("fault of Magpie"), run.err());
    for (String fragment : fragments) {
      assertTrue(run.err().contains(fragment), () -> "'" + fragment + "' is not in: " + run.err());
    }
    assertFalse(run.err().contains("\tat "), () -> "a stack trace: " + run.err());
    assertFalse(run.err().contains("Error: "), () -> "two prefixes: " + run.err());
    assertTrue(run.err().startsWith("magpie"), run.err());
    assertTrue(run.err().lines().count() <= 4, () -> "too long: " + run.err());
    assertEquals("", run.out());
  }

  @Test
  void saysWhyThereIsNoGpu() {
    assumeTrue(Device.whyNoGpu().isPresent(), "there is a GPU here");
    CommandRun run =
        CommandRun.of(generate("--device", "cuda")).expect(ExitStatus.DEVICE_UNAVAILABLE);
    assertTrue(run.err().contains("no GPU here"), run.err());
    assertTrue(CommandRun.of("devices").out().contains("no GPU here"));
  }

  @Test
  void theWayToTheHelpIsTheCommandAsItWasCalled() {
    System.setProperty(BuildInfo.COMMAND, "bin/magpie");
    try {
      CommandRun run = CommandRun.of("verify").expect(ExitStatus.USAGE);
      assertTrue(run.err().startsWith("magpie verify: Missing"), run.err());
      assertTrue(run.err().contains("'bin/magpie verify --help'"), run.err());
    } finally {
      System.clearProperty(BuildInfo.COMMAND);
    }
  }

  @Test
  void showsTheStackTraceIfAsked() {
    CommandRun run = CommandRun.of(read("token.gr", "--stacktrace"));
    assertTrue(run.err().contains("FileFormatException"), run.err());
    assertTrue(run.err().contains("\tat "), run.err());
  }

  @Test
  void aFailureLeavesNoFile() throws IOException {
    Path forest = folder.resolve("forest.txt");
    CommandRun.of(read("token.gr", "--out", forest.toString())).expect(ExitStatus.BAD_INPUT);
    assertFalse(Files.exists(forest));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          List.of(), files.filter(f -> f.getFileName().toString().startsWith(".")).toList());
    }
  }
}
