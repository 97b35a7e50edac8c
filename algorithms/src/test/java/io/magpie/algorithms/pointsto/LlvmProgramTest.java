package io.magpie.algorithms.pointsto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each instruction means, by the sets of small programs; expected ones are by hand. */
class LlvmProgramTest {
  /** Three pointers to three variables. */
  private static final String GLOBALS =
      """
      @a = global i32 0
      @b = global i32 0
      @c = global i32 0
      @p = global ptr @a
      @q = global ptr @b
      @r = global ptr null
      """;

  @TempDir Path folder;

  private LlvmProgram read(String text) throws IOException {
    return LlvmProgram.read(Files.writeString(folder.resolve("a.ll"), text));
  }

  /** The program of a function's body, with the pointers above. */
  private LlvmProgram body(String... lines) throws IOException {
    return read(
        GLOBALS
            + "define ptr @f(ptr %x, i64 %n) {\n"
            + String.join("\n", lines)
            + "\n}\n"
            + "declare ptr @malloc(i64)\n");
  }

  /** The names of what a variable may point to, with blanks between them. */
  private static String targets(LlvmProgram program, String name) {
    OptionalInt variable = program.variable(name);
    assertTrue(variable.isPresent(), () -> "no variable " + name);
    int[] set = Oracle.sets(program.constraints())[variable.getAsInt()];
    return Arrays.stream(set)
        .mapToObj(program::name)
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .collect(Collectors.joining(" "));
  }

  private static void expect(LlvmProgram program, String name, String targets) {
    assertEquals(targets, targets(program, name), name);
  }

  @Test
  void initializersAreWhatMemoryHolds() throws IOException {
    LlvmProgram program =
        read(
            GLOBALS
                + """
                %pair = type { ptr, [2 x ptr] }
                @t = internal constant %pair { ptr @a, [2 x ptr] [ptr @p, ptr null] }, align 8
                @e = global ptr getelementptr inbounds (%pair, ptr @t, i64 0, i32 1, i64 1)
                @i = global i64 ptrtoint (ptr @c to i64)
                @packed = global <{ i8, ptr }> <{ i8 1, ptr @b }>
                @text = private unnamed_addr constant [9 x i8] c"@b \\22 \\00x)]", align 1
                @outside = external global ptr, align 8
                @weak = extern_weak global ptr
                @compared = global i1 icmp eq (ptr @a, ptr @b)
                @block = global ptr blockaddress(@f, %there)
                @same = global ptr dso_local_equivalent @f
                @llvm.used = appending global [1 x ptr] [ptr @g], section "llvm.metadata"
                define void @f() {
                there:
                  ret void
                }
                define void @g() {
                  ret void
                }
                """);
    expect(program, "*@p", "*@a");
    expect(program, "*@t", "*@a *@p");
    expect(program, "*@e", "*@t");
    expect(program, "*@i", "*@c");
    expect(program, "*@packed", "*@b");
    expect(program, "*@same", "*@f");
    for (String none : new String[] {"*@r", "*@text", "*@outside", "*@compared", "*@block"}) {
      expect(program, none, "");
    }
    assertTrue(program.variable("*@llvm.used").isEmpty());
    assertEquals(2, program.externalVariables(), "@outside and @weak");
  }

  @Test
  void memoryIsLoadedAndStored() throws IOException {
    LlvmProgram program =
        body(
            "  %1 = alloca ptr, align 8",
            "  store ptr @c, ptr %1, align 8, !tbaa !3",
            "  %2 = load ptr, ptr %1, align 8",
            "  %3 = load volatile ptr, ptr @p",
            "  store atomic ptr %3, ptr @r release, align 8",
            "  %4 = load atomic i32, ptr @a acquire, align 4",
            "  ret ptr %2");
    expect(program, "@f/%1", "*@f/%1");
    expect(program, "*@f/%1", "*@c");
    expect(program, "@f/%2", "*@c");
    expect(program, "@f/%3", "*@a");
    expect(program, "*@r", "*@a");
    expect(program, "@f/return", "*@c");
    assertTrue(program.variable("@f/%4").isEmpty());
  }

  @Test
  void copiesKeepWhatTheyCopy() throws IOException {
    LlvmProgram program =
        body(
            "top:",
            "  %g = getelementptr inbounds nuw [4 x i32], ptr @a, i64 0, i64 %n",
            "  %i = ptrtoint ptr %g to i64",
            "  %o = or disjoint i64 %i, 1",
            "  %k = inttoptr i64 %o to ptr",
            "  %s = select i1 true, ptr %k, ptr @b",
            "  %z = freeze ptr %s",
            "  br i1 true, label %top2, label %end",
            "top2:",
            "  br label %end",
            "end:                            ; preds = %top2, %top",
            "  %h = phi ptr [ %z, %top ], [ @c, %top2 ]",
            "  %t = trunc i64 %i to i32",
            "  %w = zext i32 %t to i64",
            "  %l = inttoptr i64 %w to ptr",
            "  %m = mul i64 %i, 2",
            "  %v = inttoptr i64 %m to ptr",
            "  %u = getelementptr i8, ptr null, i64 %i",
            "  %y = addrspacecast ptr %h to ptr addrspace(1)",
            "  ret ptr %h");
    expect(program, "@f/%k", "*@a");
    expect(program, "@f/%z", "*@a *@b");
    expect(program, "@f/return", "*@a *@b *@c");
    expect(program, "@f/%y", "*@a *@b *@c");
    expect(program, "@f/%u", "*@a");
    expect(program, "@f/%l", "");
    expect(program, "@f/%v", "");
  }

  @Test
  void aggregatesAndVectorsHoldPointers() throws IOException {
    LlvmProgram program =
        body(
            "  %1 = insertvalue { ptr, i32 } poison, ptr @a, 0",
            "  %2 = insertvalue { ptr, i32 } %1, i32 3, 1",
            "  %3 = extractvalue { ptr, i32 } %2, 0",
            "  %4 = extractvalue { ptr, i32 } %2, 1, !dbg !7",
            "  %5 = insertelement <2 x ptr> <ptr @b, ptr null>, ptr @c, i64 1",
            "  %6 = shufflevector <2 x ptr> %5, <2 x ptr> poison, <2 x i32> <i32 1, i32 0>",
            "  %7 = extractelement <2 x ptr> %6, i64 0",
            "  %8 = load <16 x i8>, ptr @p",
            "  %9 = bitcast <16 x i8> %8 to <2 x i64>",
            "  %10 = load <4 x i8>, ptr @p",
            "  ret ptr %3");
    expect(program, "@f/%3", "*@a");
    assertTrue(program.variable("@f/%4").isEmpty());
    expect(program, "@f/%7", "*@b *@c");
    expect(program, "@f/%9", "*@a");
    assertTrue(program.variable("@f/%10").isEmpty());
  }

  @Test
  void atomicExchangesLoadAndStore() throws IOException {
    LlvmProgram program =
        body(
            "  %1 = cmpxchg weak volatile ptr @p, ptr null, ptr @c acq_rel monotonic, align 8",
            "  %2 = extractvalue { ptr, i1 } %1, 0",
            "  %3 = atomicrmw xchg ptr @q, ptr @c seq_cst, align 8",
            "  fence seq_cst",
            "  ret ptr %2");
    expect(program, "@f/%2", "*@a *@c");
    expect(program, "*@p", "*@a *@c");
    expect(program, "@f/%3", "*@b *@c");
  }

  @Test
  void typedPointersAreRead() throws IOException {
    LlvmProgram program =
        read(
            """
            %struct.s = type { i32*, %struct.s* }
            @a = global i32 0
            @s = global %struct.s { i32* @a, %struct.s* @s }
            define i32* @get(%struct.s* byval(%struct.s) align 8 %0, i8 addrspace(1)* %1) #0 {
              %3 = getelementptr inbounds %struct.s, %struct.s* %0, i32 0, i32 0
              %4 = load i32*, i32** %3, align 8
              %5 = bitcast i32* %4 to i8*
              %6 = call i32* bitcast (i8* (i8*)* @id to i32* (i32*)*)(i32* %4)
              ret i32* %6
            }
            define i8* @id(i8*) {
              ret i8* %0
            }
            define void @main() {
              %1 = call noundef i32* @get(%struct.s* byval(%struct.s) align 8 @s, i8 addrspace(1)* null)
              ret void
            }
            attributes #0 = { nounwind "frame-pointer"="all" }
            """);
    expect(program, "@main/%1", "*@a *@s");
    expect(program, "@get/%5", "*@a *@s");
    expect(program, "*@s", "*@a *@s");
    assertEquals(0, program.indirectCalls());
  }

  @Test
  void callsPassArgumentsAndResults() throws IOException {
    LlvmProgram program =
        read(
            GLOBALS
                + """
                declare i32 @__gxx_personality_v0(...)
                define internal fastcc noundef nonnull ptr @id(ptr noundef captures(none) %x, i32 %n) {
                  ret ptr %x
                }
                @other = alias ptr (ptr, i32), ptr @id
                define void @main() personality ptr @__gxx_personality_v0 {
                  %1 = tail call fastcc noundef nonnull align 4 dereferenceable(4) ptr @id(ptr noundef @a, i32 3), !dbg !2
                  %2 = invoke ptr @other(ptr @b, i32 0)
                          to label %3 unwind label %4

                3:                                                ; preds = %0
                  ret void

                4:
                  %5 = landingpad { ptr, i32 }
                          cleanup
                          catch ptr null
                  resume { ptr, i32 } %5
                }
                """);
    expect(program, "@id/%x", "*@a *@b");
    expect(program, "@main/%1", "*@a *@b");
    expect(program, "@main/%2", "*@a *@b");
    expect(program, "@main/%5", "");
    assertEquals(0, program.indirectCalls());
    assertEquals(Map.of(), program.ignoredCalls());
    assertEquals(2, program.functions());
    assertEquals(6, program.instructions());
  }

  /** As x86-64 has it: {@code va_arg} is a load from where an element of the list points to. */
  @Test
  void variableArgumentsAreMemoryOfTheFunction() throws IOException {
    LlvmProgram program =
        read(
            GLOBALS
                + """
                %list = type { i32, i32, ptr, ptr }
                define ptr @pick(i32 %n, ...) {
                  %1 = alloca [1 x %list]
                  %2 = alloca [1 x %list]
                  call void @llvm.va_start.p0(ptr %1)
                  call void @llvm.va_copy(ptr %2, ptr %1)
                  %3 = getelementptr inbounds %list, ptr %2, i32 0, i32 2
                  %4 = load ptr, ptr %3
                  %5 = load ptr, ptr %4
                  %6 = va_arg ptr %1, ptr
                  call void @llvm.va_end(ptr %1)
                  ret ptr %5
                }
                define void @main(ptr %f) {
                  %1 = call ptr (i32, ...) @pick(i32 1, ptr @a, double 1.5e+00, ptr @b)
                  %2 = call ptr (i32, ...) @pick(i32 1, ptr byval(%list) @p)
                  store ptr @pick, ptr @r
                  %3 = call ptr (i32, ...) %f(i32 1, ptr byval(%list) @q)
                  ret void
                }
                """);
    expect(program, "@pick/%4", "*@pick/...");
    expect(program, "@pick/%5", "*@a *@b *@p *@q");
    expect(program, "@pick/%6", "*@a *@b *@p *@q");
    expect(program, "@main/%1", "*@a *@b *@p *@q");
  }

  /** Which LLVM itself would refuse. */
  @Test
  void variableArgumentsMayBeginNowhere() throws IOException {
    LlvmProgram program =
        read(
            GLOBALS
                + """
                @start = global ptr @llvm.va_start.p0
                declare void @llvm.va_start.p0(ptr)
                define void @main(ptr %f, ...) {
                  call void @llvm.va_start.p0()
                  call void %f(ptr @p)
                  ret void
                }
                """);
    expect(program, "*@p", "*@a");
  }

  /** Only functions whose address is used, and only with enough arguments. */
  @Test
  void pointersCallFunctionsOfTheirArity() throws IOException {
    LlvmProgram program =
        read(
            GLOBALS
                + """
                @table = constant [3 x ptr] [ptr @one, ptr @two, ptr @malloc]
                declare ptr @malloc(i64)
                define ptr @one(ptr %x) {
                  ret ptr @c
                }
                define void @two(ptr %x, ptr %y) {
                  ret void
                }
                define ptr @more(ptr %x, ...) {
                  %l = alloca ptr
                  call void @llvm.va_start(ptr %l)
                  ret ptr %x
                }
                define ptr @direct(ptr %x) {
                  ret ptr null
                }
                define void @main(ptr %f) {
                  %1 = call ptr %f(ptr @a)
                  call void %f(ptr null, ptr @b)
                  %2 = call ptr @direct(ptr @a)
                  store ptr @more, ptr @r
                  ret void
                }
                """);
    expect(program, "@one/%x", "*@a");
    expect(program, "@two/%x", "");
    expect(program, "@two/%y", "*@b");
    expect(program, "@more/%x", "*@a");
    expect(program, "*@more/...", "*@b");
    expect(program, "@direct/%x", "*@a");
    expect(program, "@main/%1", "*@a *@c *@malloc by a pointer");
    expect(program, "*@table", "*@malloc *@one *@two");
    assertEquals(2, program.indirectCalls());
  }

  /** As in {@code (GFunc) g_free}: the callee does not look at the arguments that are too many. */
  @Test
  void pointersCallFunctionsOfFewerParameters() throws IOException {
    LlvmProgram program =
        read(
            GLOBALS
                + """
                @table = constant [5 x ptr] [ptr @none, ptr @one, ptr @three, ptr @more, ptr @strchr]
                declare ptr @strchr(ptr, i32)
                define ptr @none() {
                  ret ptr @p
                }
                define ptr @one(ptr %x) {
                  ret ptr @q
                }
                define ptr @three(ptr %x, ptr %y, ptr %z) {
                  ret ptr @r
                }
                define ptr @more(ptr %x, ...) {
                  ret ptr @table
                }
                define void @main(ptr %f) {
                  %1 = call ptr %f()
                  %2 = call ptr %f(ptr @a, ptr @b)
                  %3 = call ptr %f(ptr @c, ptr null, ptr @p, ptr @q)
                  %4 = call ptr %f(i32 1, i32 2, i32 3, i32 4, ptr @r)
                  ret void
                }
                """);
    expect(program, "@one/%x", "*@a *@c");
    expect(program, "@three/%x", "*@c");
    expect(program, "@three/%y", "");
    expect(program, "@three/%z", "*@p");
    expect(program, "@more/%x", "*@a *@c");
    expect(program, "*@more/...", "*@b *@p *@q *@r");
    expect(program, "@main/%1", "*@p");
    expect(program, "@main/%2", "*@a *@c *@p *@q *@table");
    expect(program, "@main/%3", "*@a *@c *@p *@q *@r *@table");
    expect(program, "@main/%4", "*@a *@c *@p *@q *@r *@table");
    assertEquals(4, program.indirectCalls());
  }

  /** Summaries of functions that only pointers call are callers, too. */
  @Test
  void librariesCallFunctionsOfFewerParameters() throws IOException {
    LlvmProgram program =
        read(
            GLOBALS
                + """
                @sort = global ptr @qsort
                declare void @qsort(ptr, i64, i64, ptr)
                declare i32 @pthread_create(ptr, ptr, ptr, ptr)
                declare i32 @pthread_join(i64, ptr)
                define i32 @careless(ptr %x) {
                  ret i32 0
                }
                define ptr @thread() {
                  ret ptr @b
                }
                define void @main(ptr %f) {
                  call void %f(ptr @a, i64 1, i64 4, ptr @careless)
                  %1 = call i32 @pthread_create(ptr null, ptr null, ptr @thread, ptr null)
                  %2 = call i32 @pthread_join(i64 0, ptr @r)
                  ret void
                }
                """);
    expect(program, "@careless/%x", "*@a");
    expect(program, "*@r", "*@b");
  }

  @Test
  void knownFunctionsAreSummarized() throws IOException {
    LlvmProgram program =
        read(
            GLOBALS
                + """
                declare ptr @malloc(i64)
                declare ptr @realloc(ptr, i64)
                declare ptr @strchr(ptr, i32)
                declare i64 @strtol(ptr, ptr, i32)
                declare void @qsort(ptr, i64, i64, ptr)
                declare i32 @posix_memalign(ptr, i64, i64)
                declare ptr @localeconv()
                declare i32 @printf(ptr, ...)
                declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
                declare void @llvm.dbg.declare(metadata, metadata, metadata)
                define i32 @compare(ptr %x, ptr %y) {
                  ret i32 0
                }
                define void @main() {
                  %1 = call noalias ptr @malloc(i64 8) #3
                  store ptr @a, ptr %1
                  %2 = call ptr @realloc(ptr %1, i64 16)
                  %3 = load ptr, ptr %2
                  call void @llvm.memcpy.p0.p0.i64(ptr @r, ptr align 8 %1, i64 8, i1 false)
                  %4 = call ptr @strchr(ptr @b, i32 0)
                  %5 = call i64 @strtol(ptr @b, ptr @q, i32 10)
                  call void @qsort(ptr %1, i64 1, i64 8, ptr @compare)
                  %6 = call i32 @posix_memalign(ptr @p, i64 8, i64 8)
                  %7 = call ptr @localeconv()
                  %8 = load ptr, ptr %7
                  %9 = call i32 (ptr, ...) @printf(ptr @b, ptr @p)
                  call void @llvm.dbg.declare(metadata ptr %1, metadata !3, metadata !DIExpression())
                    #dbg_value(ptr %1, !3, !DIExpression(), !4)
                  %10 = call i64 @llvm.umax.i64(i64 %5, i64 ptrtoint (ptr @c to i64))
                  ret void
                }
                !3 = !DILocalVariable(name: "x", scope: null)
                """);
    expect(program, "@main/%1", "*@main/%1");
    expect(program, "@main/%2", "*@main/%1 *@main/%2");
    expect(program, "@main/%3", "*@a");
    expect(program, "*@main/%2", "*@a");
    expect(program, "*@r", "*@a");
    expect(program, "@main/%4", "*@b");
    expect(program, "*@q", "*@b");
    expect(program, "@compare/%x", "*@main/%1");
    expect(program, "@compare/%y", "*@main/%1");
    expect(program, "*@p", "*@a *@main/%6");
    expect(program, "@main/%7", "*@localeconv");
    expect(program, "@main/%8", "*@localeconv");
    expect(program, "@main/%10", "*@c");
    assertEquals(Map.of(), program.ignoredCalls());
  }

  /** What a library keeps or makes, and gives to functions that it calls. */
  @Test
  void librariesCallBack() throws IOException {
    LlvmProgram program =
        read(
            GLOBALS
                + """
                declare i32 @pthread_create(ptr, ptr, ptr, ptr)
                declare i32 @pthread_join(i64, ptr)
                declare void @pthread_exit(ptr)
                declare i32 @pthread_key_create(ptr, ptr)
                declare i32 @pthread_setspecific(i32, ptr)
                declare i32 @scandir(ptr, ptr, ptr, ptr)
                define i32 @choose(ptr %x) {
                  ret i32 1
                }
                define i32 @order(ptr %x, ptr %y) {
                  ret i32 0
                }
                define void @destroy(ptr %x) {
                  ret void
                }
                define ptr @thread(ptr %x) {
                  call void @pthread_exit(ptr @b)
                  unreachable
                }
                define void @main() {
                  %1 = call i32 @pthread_create(ptr null, ptr null, ptr @thread, ptr @a)
                  %2 = call i32 @pthread_join(i64 0, ptr @r)
                  %3 = call i32 @pthread_key_create(ptr null, ptr @destroy)
                  %4 = call i32 @pthread_setspecific(i32 0, ptr @c)
                  %5 = call i32 @scandir(ptr null, ptr @q, ptr @choose, ptr @order)
                  ret void
                }
                """);
    expect(program, "@thread/%x", "*@a *@c *@main/%5");
    expect(program, "*@r", "*@b");
    expect(program, "@destroy/%x", "*@a *@c *@main/%5");
    expect(program, "@order/%y", "*@main/%5");
    expect(program, "*@q", "*@b *@main/%5");
  }

  /** Or to an earlier call. */
  @Test
  void librariesReturnWhatTheyWereGiven() throws IOException {
    LlvmProgram program =
        read(
            GLOBALS
                + """
                declare ptr @freopen(ptr, ptr, ptr)
                declare ptr @mkdtemp(ptr)
                declare ptr @tmpnam(ptr)
                declare i32 @putenv(ptr)
                declare ptr @getenv(ptr)
                declare ptr @__dynamic_cast(ptr, ptr, ptr, i64)
                define void @main() {
                  %1 = call ptr @freopen(ptr @a, ptr @b, ptr @c)
                  %2 = call ptr @mkdtemp(ptr @a)
                  %3 = call ptr @tmpnam(ptr @b)
                  %4 = call i32 @putenv(ptr @c)
                  %5 = call ptr @getenv(ptr @a)
                  %6 = call ptr @__dynamic_cast(ptr @a, ptr @b, ptr @c, i64 0)
                  ret void
                }
                """);
    expect(program, "@main/%1", "*@c");
    expect(program, "@main/%2", "*@a");
    expect(program, "@main/%3", "*@b *@tmpnam");
    expect(program, "@main/%5", "*@c *@getenv");
    expect(program, "@main/%6", "*@a");
    assertEquals(Map.of(), program.ignoredCalls());
  }

  @Test
  void whatIsThrownIsCaught() throws IOException {
    LlvmProgram program =
        read(
            """
            @t = constant i32 0
            declare ptr @__cxa_allocate_exception(i64)
            declare void @__cxa_throw(ptr, ptr, ptr)
            declare ptr @__cxa_begin_catch(ptr)
            declare i32 @__gxx_personality_v0(...)
            define void @f() {
              %1 = call ptr @__cxa_allocate_exception(i64 8)
              call void @__cxa_throw(ptr %1, ptr @t, ptr @destroy)
              unreachable
            }
            define void @destroy(ptr %x) {
              ret void
            }
            define void @g() personality ptr @__gxx_personality_v0 {
              invoke void @f()
                      to label %1 unwind label %2
            1:
              ret void
            2:
              %3 = landingpad { ptr, i32 }
                      catch ptr @t
              %4 = extractvalue { ptr, i32 } %3, 0
              %5 = call ptr @__cxa_begin_catch(ptr %4)
              ret void
            }
            """);
    expect(program, "@g/%5", "*@f/%1");
    expect(program, "@destroy/%x", "*@f/%1");
  }

  @Test
  void unknownFunctionsAreCounted() throws IOException {
    LlvmProgram program =
        read(
            GLOBALS
                + """
                module asm ".globl x"
                declare ptr @mystery(ptr)
                declare double @sin(double)
                define void @main() {
                  %1 = call ptr @mystery(ptr @a)
                  %2 = call ptr @mystery(ptr @b)
                  %3 = call double @sin(double 0x3FF0000000000000)
                  %4 = call ptr asm sideeffect "mov $1, $0", "=r,r,~{memory}"(ptr @c) #1
                  ret void
                }
                """);
    expect(program, "@main/%1", "");
    expect(program, "@main/%4", "*@c");
    assertEquals(
        Map.of("mystery", 2, "inline assembler", 1, "module asm", 1), program.ignoredCalls());
  }

  /** As unknown functions are, but for those that only compute, or do nothing with pointers. */
  @Test
  void unknownIntrinsicsAreCounted() throws IOException {
    LlvmProgram program =
        body(
            "  %i = ptrtoint ptr @a to i64",
            "  %1 = call i64 @llvm.umin.i64(i64 %i, i64 %n)",
            "  %2 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %i, i64 8)",
            "  %3 = extractvalue { i64, i1 } %2, 0",
            "  %4 = call i64 @llvm.expect.i64(i64 %i, i64 0)",
            "  %5 = call ptr @llvm.launder.invariant.group.p0(ptr @b)",
            "  %6 = call ptr @llvm.stacksave.p0()",
            "  %7 = call i1 @llvm.is.constant.i64(i64 %i)",
            "  call void @llvm.lifetime.start.p0(i64 8, ptr @a)",
            "  call void @llvm.memset.p0.i64(ptr @a, i8 0, i64 8, i1 false)",
            "  call void @llvm.stackrestore.p0(ptr %6)",
            "  call void @llvm.x86.sse.ldmxcsr(ptr @a)",
            "  %8 = call ptr @llvm.mystery.p0(ptr @c)",
            "  %9 = call ptr @llvm.mystery.p0(ptr @b)",
            "  call void @llvm.umina.i64(i64 %i)",
            "  call void @llvm.ubsan(i32 1)",
            "  ret ptr %8");
    expect(program, "@f/%1", "*@a");
    expect(program, "@f/%3", "*@a");
    expect(program, "@f/%4", "*@a");
    expect(program, "@f/%5", "*@b");
    expect(program, "@f/%6", "");
    expect(program, "@f/%8", "*@c");
    assertEquals(
        Map.of("llvm.x86.sse.ldmxcsr", 1, "llvm.mystery.p0", 2, "llvm.umina.i64", 1),
        program.ignoredCalls());
  }

  /** Pointers of 32 bits are as long as integers of 32. */
  @Test
  void theDataLayoutTellsHowLongPointersAre() throws IOException {
    String text =
        """
        target datalayout = "e-m:e-p:32:32-p270:16:16-i64:64"
        target triple = "i386-pc-linux-gnu"
        @a = global i32 0
        @p = global ptr @a
        define i32 @f() {
          %1 = load i32, ptr @p
          ret i32 %1
        }
        """;
    expect(read(text), "@f/return", "*@a");
    assertTrue(read(text.replace("-p:32:32", "")).variable("@f/%1").isEmpty());
  }

  @Test
  void anIfuncIsWhatItsResolverReturns() throws IOException {
    LlvmProgram program =
        read(
            """
            @a = global i32 0
            @fast = ifunc void (ptr), ptr @choose
            define void @one(ptr %x) {
              ret void
            }
            define ptr @choose() {
              ret ptr @one
            }
            define void @main() {
              call void @fast(ptr @a)
              %1 = select i1 true, ptr @fast, ptr null
              ret void
            }
            """);
    expect(program, "@one/%x", "*@a");
    expect(program, "@main/%1", "*@one");
  }

  /** Longer than a stack is deep. */
  @Test
  void chainsOfAliasesMayBeLong() throws IOException {
    StringBuilder text = new StringBuilder("@a = global i32 0\n@n0 = alias ptr (ptr), ptr @id\n");
    int last = 50_000;
    for (int i = 1; i <= last; i++) {
      text.append("@n" + i + " = alias ptr (ptr), ptr @n" + (i - 1) + "\n");
    }
    text.append("define ptr @id(ptr %x) {\n  ret ptr %x\n}\ndefine void @main() {\n");
    text.append("  %1 = call ptr @n" + last + "(ptr @a)\n  ret void\n}\n");
    expect(read(text.toString()), "@main/%1", "*@a");
  }

  /** LLVM's tools write the type of a name that an alias stands for, but not of an expression. */
  @Test
  void anAliasMayStandForAnExpression() throws IOException {
    LlvmProgram program =
        read(
            """
            @a = global i32 0
            @g = global [2 x ptr] [ptr null, ptr @a]
            @end = alias ptr, getelementptr inbounds ([2 x ptr], ptr @g, i64 0, i64 1)
            @old = weak alias ptr (ptr), bitcast (ptr (ptr)* @id to ptr (ptr)*)
            define ptr @id(ptr %x) {
              ret ptr %x
            }
            define void @main() {
              %1 = load ptr, ptr @end
              %2 = call ptr @old(ptr %1)
              ret void
            }
            """);
    expect(program, "@main/%1", "*@a");
    expect(program, "@main/%2", "*@a");
    assertEquals(0, program.indirectCalls());
  }

  @Test
  void namesMayBeQuotedAndFilesPacked() throws IOException {
    String text =
        """
        @"a b" = global i32 0
        @"p\\2A" = global ptr @"a b"
        @"two\\\\2A" = global ptr @"a b"
        define void @"f"(ptr %"x y") {
        "first block":
          %"1" = load ptr, ptr @"p*"
          ret void
        }
        """;
    Path file = folder.resolve("a.LL.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.US_ASCII));
    }
    assertTrue(LlvmProgram.isName(file));
    assertFalse(LlvmProgram.isName(Path.of("a.llx")));
    expect(LlvmProgram.read(file), "@f/%1", "*@a b");
    expect(LlvmProgram.read(file), "*@two\\2A", "*@a b");
    assertEquals(LlvmProgram.read(file).constraints(), ConstraintFormats.read(file));
    assertThrows(
        IllegalArgumentException.class,
        () -> ConstraintFormats.write(ConstraintGenerator.generate("art"), file));
  }

  /** As clang writes them, and as their bytes; those of another encoding stay apart. */
  @Test
  void namesAreInUtf8() throws IOException {
    LlvmProgram program =
        read(
            """
            @"gr\\C3\\B6\\C3\\9Fe" = global i32 0
            @"\u00e4" = global ptr @"gr\\C3\\B6\\C3\\9Fe"
            @"\\E4" = global ptr @"\u00e4"
            """);
    expect(program, "*@\u00e4", "*@gr\u00f6\u00dfe");
    expect(program, "*@\\E4", "*@\u00e4");
  }

  @Test
  void aProgramWithoutPointersHasNoConstraints() throws IOException {
    LlvmProgram program =
        read("source_filename = \"a.c\"\n\n!llvm.ident = !{!0}\n!0 = !{!\"x\"}\n");
    assertEquals(0, program.constraints().count());
    assertEquals(0, program.constraints().variables());
    program = read("define i32 @f(i32 %x) {\n  %y = add nsw i32 %x, 1\n  ret i32 %y\n}\n");
    assertEquals(0, program.constraints().count(Kind.COPY));
    assertEquals(0, program.constraints().variables());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      value = {
        "`` ! 0: found an empty file, expected LLVM's textual IR",
        "BC\u00c0\u00de ! 1: found LLVM bitcode, expected LLVM's textual IR (llvm-dis writes it)",
        "hello ! 1: found 'hello', expected a definition of LLVM's: define, declare, @name, %name, target and so on",
        "@a = global i32 0;@a = global i32 0 ! 2: found '@a', expected a name that the file has not defined before",
        "@p = global ptr @a ! 1: found '@a', expected a name that the file defines or declares",
        "@p = global ptr what ! 1: found 'what', expected a value",
        "@p = global pointer ! 1: found 'pointer', expected a type",
        "@p = hidden;@q = global i32 0 ! 2: found the end of the line, expected global, constant, alias or ifunc after '@p'",
        "@\"p\\0Aq\" = hidden ! 1: found the end of the line, expected global, constant, alias or ifunc after '@p?q'",
        "%t = type { ptr, [x ptr] } ! 1: found 'x', expected a number of elements",
        "%t = type { i0 } ! 1: found 'i0', expected an integer type of 1 to 8388608 bits",
        "@p = global { ptr } { ptr null ] ! 1: found ']', expected '}'",
        "@p = global [9 x i8] c\"abc ! 1: found a text that does not end in its line, expected a quotation mark",
        "define void @f() {;  ret void ! 2: found the end of the file, expected '}' at the end of the function of line 1",
        "define void @f() {;  jump label %x;} ! 2: found 'jump', expected an instruction of LLVM's",
        "define void @f() {;  ret void ret void;} ! 2: found 'ret', expected the end of the line (each instruction begins a line)",
        "define void @f() {;  %1 = alloca ptr %2 = alloca ptr;} ! 2: found '=', expected the end of the line (each instruction begins a line)",
        "define ptr @f() {;  ret ptr %x;} ! 2: found '%x', expected a register that the function sets",
        "define ptr @f(ptr %x) {;  %x = alloca ptr;} ! 2: found '%x' again, expected a register that is not set yet",
        "define void @f() {;  store ptr null ptr null;} ! 2: found 'ptr', expected ','",
        "define void @f() {;  store ptr null, ptr null);} ! 2: found ')', expected the end of the line",
        "define void @f() {;  call void @g();  ret void;} ! 2: found '@g', expected a name that the file defines or declares",
        "define void @f() {;  call void @f(ptr x;} ! 3: found '}', expected a value",
        "define void @f() {;  %1 = catchpad within %0 [];} ! 2: found 'catchpad', expected exceptions by landingpad (those of Windows are not supported: compile for another system)",
        "define void @f(ptr %x, ...) {;  musttail call void (ptr, ...) @f(ptr %x, ...);} ! 2: found '...', expected an argument (passing on variable arguments is not supported)",
        "define void @f() { ret void } ! 1: found 'ret', expected the end of the line (each instruction begins a line)",
        "declare void f() ! 1: found 'f', expected the name of a function",
        "@a = global i32 0 & ! 1: found the character '&', expected LLVM's textual IR"
      })
  void faultsAreToldByLine(String text, String message) throws IOException {
    Path file = folder.resolve("bad.ll");
    Files.writeString(file, text.replace(";", "\n"), StandardCharsets.ISO_8859_1);
    FileFormatException e = assertThrows(FileFormatException.class, () -> LlvmProgram.read(file));
    assertEquals(
        file + (message.startsWith("0:") ? message.substring(1) : ":" + message), e.getMessage());
  }
}
