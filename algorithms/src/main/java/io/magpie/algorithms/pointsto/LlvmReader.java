package io.magpie.algorithms.pointsto;

import static io.magpie.algorithms.pointsto.LlvmModule.NONE;

import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import io.magpie.algorithms.pointsto.LlvmLexer.Kind;
import io.magpie.algorithms.pointsto.LlvmModule.Form;
import io.magpie.algorithms.pointsto.LlvmModule.Symbol;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a module of LLVM's textual IR into an {@link LlvmModule}. Each definition and each
 * instruction begins a line, as LLVM's tools write them; nothing is taken that this reader does not
 * know.
 */
final class LlvmReader {
  private static final String VALUE = "a value";
  private static final int DEEPEST_TYPE = 256;

  /** Words that begin a type, but for integers. */
  private static final Set<String> TYPES =
      Set.of(
          "void",
          "half",
          "bfloat",
          "float",
          "double",
          "fp128",
          "x86_fp80",
          "ppc_fp128",
          "label",
          "metadata",
          "token",
          "x86_mmx",
          "x86_amx",
          "ptr",
          "opaque",
          "target");

  /** Values without pointers in them. */
  private static final Set<String> PLAIN_VALUES =
      Set.of("null", "undef", "poison", "zeroinitializer", "none", "true", "false");

  /** Words that begin a constant that is computed from others. */
  private static final Set<String> EXPRESSIONS =
      Set.of(
          "getelementptr",
          "bitcast",
          "inttoptr",
          "ptrtoint",
          "ptrtoaddr",
          "addrspacecast",
          "trunc",
          "zext",
          "sext",
          "fptrunc",
          "fpext",
          "fptoui",
          "fptosi",
          "uitofp",
          "sitofp",
          "add",
          "sub",
          "mul",
          "udiv",
          "sdiv",
          "urem",
          "srem",
          "and",
          "or",
          "xor",
          "shl",
          "lshr",
          "ashr",
          "fadd",
          "fsub",
          "fmul",
          "fdiv",
          "frem",
          "fneg",
          "select",
          "extractelement",
          "insertelement",
          "shufflevector",
          "extractvalue",
          "insertvalue",
          "splat",
          "ptrauth",
          "icmp",
          "fcmp",
          "blockaddress",
          "dso_local_equivalent",
          "no_cfi");

  /** Those of them whose operands do not count: the result holds no pointer, or one to code. */
  private static final Set<String> HOLD_NO_POINTER = Set.of("icmp", "fcmp", "blockaddress");

  /** Instructions that no other one may be followed by in its line. */
  private static final Set<String> LINE_BEGINNINGS =
      Set.of(
          "store",
          "ret",
          "br",
          "switch",
          "unreachable",
          "fence",
          "resume",
          "indirectbr",
          "call",
          "tail",
          "musttail",
          "notail",
          "invoke",
          "callbr");

  private static final Set<String> WITHOUT_POINTERS =
      Set.of(
          "icmp",
          "fcmp",
          "mul",
          "udiv",
          "sdiv",
          "urem",
          "srem",
          "fneg",
          "fadd",
          "fsub",
          "fmul",
          "fdiv",
          "frem",
          "fptrunc",
          "fpext",
          "fptoui",
          "fptosi",
          "uitofp",
          "sitofp",
          "br",
          "switch",
          "indirectbr",
          "unreachable",
          "fence");

  private static final Set<String> ARITHMETIC =
      Set.of("add", "sub", "and", "or", "xor", "shl", "lshr", "ashr");

  private static final Set<String> CASTS =
      Set.of(
          "bitcast", "addrspacecast", "inttoptr", "ptrtoint", "ptrtoaddr", "trunc", "zext", "sext");

  private static final Set<String> WINDOWS_EXCEPTIONS =
      Set.of("catchpad", "catchswitch", "catchret", "cleanuppad", "cleanupret");

  /** Attributes after which a number may stand alone. */
  private static final Set<String> WITH_NUMBER = Set.of("align", "alignstack", "cc", "addrspace");

  /** A register or block of the function that is being read. */
  private static final class Local {
    final long line;
    int variable = NONE;
    boolean defined;

    /** Whether it surely holds no pointer. */
    boolean plain;

    Local(long line) {
      this.line = line;
    }
  }

  private final LlvmLexer in;
  private final LlvmModule module = new LlvmModule();
  private final Map<String, LlvmType> types = new HashMap<>();

  /** Those of the current function; a map that was once large would take long to clear. */
  private Map<String, Local> locals = new HashMap<>();

  /** The function that is being read, and the line of its current instruction. */
  private Symbol function;

  private long at;
  private int pointerBits = 64;
  private int typeDepth;
  private int functions;
  private int externalVariables;
  private long instructions;

  LlvmReader(ByteSource source) throws IOException {
    in = new LlvmLexer(source);
  }

  /** Reads all of it. */
  LlvmProgram read() throws IOException {
    if (in.kind == Kind.END) {
      throw in.errorAt(0, "an empty file", "LLVM's textual IR", null);
    }
    while (in.kind != Kind.END) {
      definition();
    }
    for (Symbol symbol : module.symbols()) {
      if (symbol.form == Form.UNKNOWN) {
        if (symbol.name.startsWith("llvm.")) {
          symbol.form = Form.FUNCTION; // LLVM declares its own functions if a module does not
          continue;
        }
        throw in.errorAt(
            symbol.line,
            Tokenizer.quote("@" + symbol.name),
            "a name that the file defines or declares",
            null);
      }
    }
    ConstraintSet constraints = module.finish();
    return new LlvmProgram(
        constraints,
        module.names(),
        functions,
        instructions,
        module.indirectCalls(),
        externalVariables,
        module.ignored());
  }

  // ---- What a module consists of.

  private void definition() throws IOException {
    if (!in.first) {
      throw in.unexpected("the end of the line", "each definition begins a line");
    }
    switch (in.kind) {
      case LOCAL -> typeDefinition();
      case GLOBAL -> global();
      case METADATA, COMDAT -> skipLine();
      case PUNCTUATION -> {
        if (!in.is('^')) {
          throw unknownDefinition();
        }
        skipLine();
      }
      case WORD -> {
        switch (in.text) {
          case "define" -> define();
          case "declare" -> {
            in.next();
            header(false);
            skipRest();
          }
          case "target" -> target();
          case "module" -> {
            module.ignore("module asm");
            skipLine();
          }
          case "source_filename", "attributes", "uselistorder", "uselistorder_bb" -> skipLine();
          default -> throw unknownDefinition();
        }
      }
      default -> throw unknownDefinition();
    }
  }

  private IOException unknownDefinition() {
    if (in.line == 1 && in.kind == Kind.WORD && in.text.equals("BC")) {
      return in.error("LLVM bitcode", "LLVM's textual IR", "llvm-dis writes it");
    }
    return in.unexpected("a definition of LLVM's: define, declare, @name, %name, target and so on");
  }

  /** Skips what is left of a definition: up to a line that begins outside of all brackets. */
  private void skipLine() throws IOException {
    do {
      skip();
    } while (!in.first);
  }

  /** Skips a token, or all that is in brackets. */
  private void skip() throws IOException {
    if (in.opens()) {
      in.skipBrackets();
    } else if (in.kind == Kind.PUNCTUATION && ")]}>".contains(in.text)) {
      throw in.unexpected("the end of the line");
    } else {
      in.next();
    }
  }

  /** Skips what is left of the line, where there may be nothing. */
  private void skipRest() throws IOException {
    if (!in.first) {
      skipLine();
    }
  }

  private void target() throws IOException {
    in.next();
    if (in.takeWordIf("datalayout")) {
      in.take('=');
      if (in.kind != Kind.STRING) {
        throw in.unexpected("a data layout in quotes");
      }
      for (String part : in.text.split("-")) {
        if (part.matches("p0?:[0-9]{1,4}(:.*)?")) {
          pointerBits = Math.max(1, Integer.parseInt(part.split(":")[1]));
        }
      }
    }
    skipRest();
  }

  private void typeDefinition() throws IOException {
    String name = in.text;
    in.next();
    in.take('=');
    if (!in.takeWordIf("type")) {
      throw in.unexpected("'type'");
    }
    types.put(name, type());
    skipRest();
  }

  private Symbol defined(Form form) throws IOException {
    Symbol symbol = module.symbol(in.text, in.line);
    if (symbol.form != Form.UNKNOWN) {
      throw in.unexpected("a name that the file has not defined before");
    }
    symbol.form = form;
    return symbol;
  }

  private void global() throws IOException {
    Symbol symbol = defined(Form.VARIABLE);
    in.next();
    in.take('=');
    boolean external = false;
    while (!in.first) {
      if (in.kind == Kind.WORD) {
        String word = in.text;
        if (word.equals("global") || word.equals("constant")) {
          in.next();
          type();
          initializer(symbol, external);
          skipRest();
          return;
        }
        if (word.equals("alias") || word.equals("ifunc")) {
          in.next();
          symbol.form = Form.ALIAS;
          symbol.chosen = word.equals("ifunc");
          type();
          in.take(',');
          if (in.kind != Kind.WORD || !EXPRESSIONS.contains(in.text)) { // before these is none
            type();
          }
          symbol.targets = List.copyOf(constants());
          skipRest();
          return;
        }
        if (!external && (word.equals("external") || word.equals("extern_weak"))) {
          external = true;
          externalVariables++;
        }
      }
      skip();
    }
    throw in.error(
        "the end of the line",
        "global, constant, alias or ifunc after " + Tokenizer.quote("@" + symbol.name));
  }

  private void initializer(Symbol symbol, boolean external) throws IOException {
    if (external || in.first || in.is(',')) {
      return;
    }
    Set<Symbol> targets = constants();
    // Those of LLVM's own variables say what to keep and what to run at the start.
    if (!symbol.name.startsWith("llvm.") && !targets.isEmpty()) {
      targets.forEach(target -> target.taken = true);
      module.initializer(symbol, List.copyOf(targets));
    }
  }

  // ---- Types.

  private boolean typeBegins() {
    return switch (in.kind) {
      case LOCAL -> true;
      case WORD -> TYPES.contains(in.text) || isInteger(in.text);
      case PUNCTUATION -> in.is('{') || in.is('[') || in.is('<');
      default -> false;
    };
  }

  private static boolean isInteger(String word) {
    if (word.length() < 2 || word.charAt(0) != 'i') {
      return false;
    }
    return word.chars().skip(1).allMatch(c -> c >= '0' && c <= '9');
  }

  private LlvmType type() throws IOException {
    if (++typeDepth > DEEPEST_TYPE) {
      throw in.unexpected("a type of at most " + DEEPEST_TYPE + " levels");
    }
    LlvmType type = plainType();
    while (true) {
      if (in.takeIf('*')) {
        type = LlvmType.POINTER;
      } else if (in.isWord("addrspace")) {
        in.next();
        skipParentheses();
      } else if (in.is('(')) {
        in.skipBrackets();
        type = LlvmType.function(type);
      } else {
        typeDepth--;
        return type;
      }
    }
  }

  private void skipParentheses() throws IOException {
    if (!in.is('(')) {
      throw in.unexpected("'('");
    }
    in.skipBrackets();
  }

  private LlvmType plainType() throws IOException {
    if (!typeBegins()) {
      throw in.unexpected("a type");
    }
    if (in.kind == Kind.LOCAL) {
      // One that is defined later, such as the type of a field, may be anything.
      LlvmType known = types.getOrDefault(in.text, LlvmType.POINTER);
      in.next();
      return known;
    }
    if (in.kind == Kind.WORD) {
      String word = in.text;
      if (isInteger(word)) {
        int bits = word.length() > 9 ? 0 : Integer.parseInt(word.substring(1));
        if (bits < 1 || bits > 1 << 23) {
          throw in.unexpected("an integer type of 1 to 8388608 bits");
        }
        in.next();
        return LlvmType.integer(bits, pointerBits);
      }
      in.next();
      if (word.equals("target")) {
        skipParentheses();
      }
      return switch (word) {
        case "ptr" -> LlvmType.POINTER;
        case "metadata" -> LlvmType.METADATA;
        default -> LlvmType.OTHER;
      };
    }
    if (in.takeIf('{')) {
      return structure();
    }
    boolean vector = in.is('<');
    in.next();
    if (vector && in.takeIf('{')) {
      LlvmType packed = structure();
      in.take('>');
      return packed;
    }
    if (vector && in.takeWordIf("vscale")) {
      times();
    }
    if (in.kind != Kind.WORD || !in.text.matches("[0-9]{1,19}")) {
      throw in.unexpected("a number of elements");
    }
    long length = in.text.length() > 18 ? Long.MAX_VALUE : Long.parseLong(in.text);
    in.next();
    times();
    LlvmType array = LlvmType.array(length, type(), pointerBits);
    in.take(vector ? '>' : ']');
    return array;
  }

  private void times() throws IOException {
    if (!in.takeWordIf("x")) {
      throw in.unexpected("'x'");
    }
  }

  private LlvmType structure() throws IOException {
    List<LlvmType> fields = new ArrayList<>();
    if (!in.takeIf('}')) {
      do {
        fields.add(type());
      } while (in.takeIf(','));
      in.take('}');
    }
    return LlvmType.structure(fields);
  }

  // ---- Values.

  /** Takes a constant; the global names in it. */
  private Set<Symbol> constants() throws IOException {
    Set<Symbol> found = new LinkedHashSet<>();
    switch (in.kind) {
      case GLOBAL -> {
        found.add(module.symbol(in.text, in.line));
        in.next();
      }
      case STRING -> in.next();
      case PUNCTUATION -> {
        if (!in.opens() || in.is('(')) {
          throw in.unexpected(VALUE);
        }
        in.takeBrackets(() -> inside(found));
      }
      case WORD -> {
        if (EXPRESSIONS.contains(in.text)) {
          expression(found);
        } else if (PLAIN_VALUES.contains(in.text) || isNumber(in.text)) {
          in.next();
        } else {
          throw in.unexpected(VALUE);
        }
      }
      default -> throw in.unexpected(VALUE);
    }
    return found;
  }

  private static boolean isNumber(String word) {
    char c = word.charAt(0);
    return (c >= '0' && c <= '9') || ((c == '-' || c == '+') && word.length() > 1);
  }

  /** An expression with its operands in parentheses, or a form of a function's name. */
  private void expression(Set<Symbol> found) throws IOException {
    String word = in.text;
    boolean plain = HOLD_NO_POINTER.contains(word);
    in.next();
    if (word.equals("dso_local_equivalent") || word.equals("no_cfi")) {
      if (in.kind != Kind.GLOBAL) {
        throw in.unexpected("the name of a function");
      }
      inside(found);
      in.next();
      return;
    }
    while (in.kind == Kind.WORD && !in.first) { // flags
      boolean range = in.text.equals("inrange");
      in.next();
      if (range && in.is('(')) {
        in.skipBrackets();
      }
    }
    if (!in.is('(')) {
      throw in.unexpected("'(' after '" + word + "'");
    }
    if (plain) {
      in.skipBrackets();
    } else {
      in.takeBrackets(() -> inside(found));
    }
  }

  /** Adds the global name at a place inside a constant, if there is one. */
  private boolean inside(Set<Symbol> found) throws IOException {
    if (in.kind == Kind.GLOBAL) {
      found.add(module.symbol(in.text, in.line));
    } else if (in.kind == Kind.WORD && HOLD_NO_POINTER.contains(in.text)) {
      do {
        in.next();
      } while (in.kind == Kind.WORD);
      skipParentheses();
      return true;
    }
    return false;
  }

  private Local local(String name) {
    return locals.computeIfAbsent(name, key -> new Local(in.line));
  }

  private int variable(String name, Local local) {
    if (local.variable == NONE && !local.plain) {
      local.variable = module.variable("@" + function.name + "/%" + name);
    }
    return local.variable;
  }

  /** Takes a value of a type; the variable that holds what it points to, or {@code NONE}. */
  private int value(LlvmType type) throws IOException {
    if (in.kind == Kind.LOCAL) {
      String name = in.text;
      Local local = local(name);
      in.next();
      return type.carries() ? variable(name, local) : NONE;
    }
    Set<Symbol> found = constants();
    if (!type.carries() || found.isEmpty()) {
      return NONE;
    }
    int single = NONE;
    for (Symbol symbol : found) {
      symbol.taken = true;
      single = module.address(symbol);
    }
    if (found.size() == 1) {
      return single;
    }
    int all = module.variable("@" + function.name + "/line " + at);
    found.forEach(symbol -> module.copy(all, module.address(symbol)));
    return all;
  }

  /** Takes a type and a value of it. */
  private int typed() throws IOException {
    return value(type());
  }

  // ---- Functions.

  /** Skips attributes and the like up to a type. */
  private void skipAttributes() throws IOException {
    while (!typeBegins()) {
      if (in.kind == Kind.END || in.kind == Kind.GLOBAL || in.first) {
        throw in.unexpected("a type");
      }
      attribute();
    }
  }

  private void attribute() throws IOException {
    boolean number = in.kind == Kind.WORD && WITH_NUMBER.contains(in.text);
    in.next();
    if (in.is('(')) {
      in.skipBrackets();
    } else if (number && in.kind == Kind.WORD && isNumber(in.text)) {
      in.next();
    }
  }

  /** What precedes the body of a function; of a definition also makes its registers. */
  private Symbol header(boolean body) throws IOException {
    skipAttributes();
    LlvmType result = type();
    if (in.kind != Kind.GLOBAL) {
      throw in.unexpected("the name of a function");
    }
    Symbol symbol = defined(Form.FUNCTION);
    function = symbol;
    at = in.line;
    symbol.hasBody = body;
    locals = new HashMap<>();
    in.next();
    in.take('(');
    List<Integer> parameters = new ArrayList<>();
    int unnamed = 0;
    while (!in.takeIf(')')) {
      if (!parameters.isEmpty() || symbol.variadic) {
        in.take(',');
      }
      if (in.takeWordIf("...")) {
        symbol.variadic = true;
        in.take(')');
        break;
      }
      LlvmType type = type();
      while (in.kind != Kind.LOCAL && !in.is(',') && !in.is(')')) {
        if (in.kind == Kind.END) {
          throw in.unexpected("')'");
        }
        attribute();
      }
      int parameter = NONE;
      if (body) {
        boolean named = in.kind == Kind.LOCAL;
        String name = named ? in.text : Integer.toString(unnamed);
        unnamed += named && !name.equals(Integer.toString(unnamed)) ? 0 : 1;
        parameter = define(name, type.carries());
      }
      if (in.kind == Kind.LOCAL) {
        in.next();
      }
      parameters.add(parameter);
    }
    symbol.parameters = parameters.stream().mapToInt(v -> v).toArray();
    if (body && result.carries()) {
      symbol.result = module.variable("@" + symbol.name + "/return");
    }
    return symbol;
  }

  /** Makes a register; returns its variable if it may hold a pointer. */
  private int define(String name, boolean carries) throws IOException {
    Local local = local(name);
    if (local.defined) {
      throw in.errorAt(
          at, Tokenizer.quote("%" + name) + " again", "a register that is not set yet", null);
    }
    local.defined = true;
    if (!carries) {
      local.plain = true;
      return NONE;
    }
    return variable(name, local);
  }

  private void define() throws IOException {
    long begin = in.line;
    in.next();
    header(true);
    while (!in.is('{')) {
      if (in.kind == Kind.END || (in.kind == Kind.WORD && in.text.equals("define"))) {
        throw in.unexpected("'{' and the body of the function");
      }
      skip();
    }
    in.next();
    functions++;
    while (!in.is('}')) {
      if (in.kind == Kind.END) {
        throw in.unexpected("'}' at the end of the function of line " + begin);
      }
      if (!in.first) {
        throw in.unexpected("the end of the line", "each instruction begins a line");
      }
      at = in.line;
      switch (in.kind) {
        case LABEL -> {
          in.next();
          in.first = true;
        }
        case ATTRIBUTES -> skipLine(); // a record for debuggers
        case WORD -> {
          if (in.text.startsWith("uselistorder")) {
            skipLine();
          } else {
            instruction(null);
          }
        }
        case LOCAL -> {
          String name = in.text;
          in.next();
          in.take('=');
          instruction(name);
        }
        default -> throw in.unexpected("an instruction");
      }
    }
    in.next();
    requireDefined();
  }

  private void requireDefined() throws IOException {
    String missing = null;
    for (Map.Entry<String, Local> entry : locals.entrySet()) {
      Local first = missing == null ? null : locals.get(missing);
      if (!entry.getValue().defined && (first == null || entry.getValue().line < first.line)) {
        missing = entry.getKey();
      }
    }
    if (missing != null) {
      throw in.errorAt(
          locals.get(missing).line,
          Tokenizer.quote("%" + missing),
          "a register that the function sets",
          null);
    }
  }

  // ---- Instructions.

  private void instruction(String to) throws IOException {
    if (in.kind != Kind.WORD) {
      throw in.unexpected("an instruction");
    }
    instructions++;
    String word = in.text;
    in.next();
    if (WITHOUT_POINTERS.contains(word)) {
      result(to, false);
    } else if (ARITHMETIC.contains(word)) {
      skipFlags();
      LlvmType type = type();
      int one = value(type);
      in.take(',');
      eitherOf(to, type, one, value(type));
    } else if (CASTS.contains(word)) {
      skipFlags();
      int from = typed();
      if (!in.takeWordIf("to")) {
        throw in.unexpected("'to'");
      }
      module.copy(result(to, type().carries()), from);
    } else if (WINDOWS_EXCEPTIONS.contains(word)) {
      throw in.errorAt(
          at,
          Tokenizer.quote(word),
          "exceptions by landingpad",
          "those of Windows are not supported: compile for another system");
    } else {
      onlyOfItsKind(word, to);
    }
    endOfInstruction();
  }

  /** An instruction that no other is like, after its word. */
  private void onlyOfItsKind(String word, String to) throws IOException {
    switch (word) {
      case "alloca" -> alloca(to);
      case "load" -> {
        skipWords("atomic", "volatile");
        LlvmType type = type();
        in.take(',');
        int pointer = typed();
        module.load(result(to, type.carries()), pointer);
      }
      case "store" -> {
        skipWords("atomic", "volatile");
        int from = typed();
        in.take(',');
        module.store(typed(), from);
      }
      case "getelementptr" -> elementPointer(to);
      case "phi" -> phi(to);
      case "select" -> {
        skipFlags();
        typed();
        in.take(',');
        LlvmType type = type();
        int one = value(type);
        in.take(',');
        eitherOf(to, type, one, typed());
      }
      case "freeze" -> {
        LlvmType type = type();
        int from = value(type);
        module.copy(result(to, type.carries()), from);
      }
      case "extractvalue", "extractelement" -> extract(to, word.equals("extractvalue"));
      case "insertvalue", "insertelement", "shufflevector" -> {
        LlvmType type = type();
        int one = value(type);
        in.take(',');
        eitherOf(to, type, one, typed());
      }
      case "cmpxchg" -> exchange(to, true);
      case "atomicrmw" -> exchange(to, false);
      case "va_arg" -> variableArgument(to);
      case "landingpad" -> module.copy(result(to, type().carries()), module.exceptions());
      case "resume" -> module.copy(module.exceptions(), typed());
      case "ret" -> module.copy(function.result, in.takeWordIf("void") ? NONE : typed());
      case "call", "invoke", "callbr" -> call(to);
      case "tail", "musttail", "notail" -> {
        if (!in.takeWordIf("call")) {
          throw in.unexpected("'call'");
        }
        call(to);
      }
      default -> throw in.errorAt(at, Tokenizer.quote(word), "an instruction of LLVM's", null);
    }
  }

  /** Lets a result be either of two values. */
  private void eitherOf(String to, LlvmType type, int one, int other) throws IOException {
    int result = result(to, type.carries());
    module.copy(result, one);
    module.copy(result, other);
  }

  private void variableArgument(String to) throws IOException {
    int list = typed();
    in.take(',');
    int result = result(to, type().carries());
    if (result != NONE) {
      int arguments = module.variable("@" + function.name + "/line " + at);
      module.load(arguments, list);
      module.load(result, arguments);
    }
  }

  /** Alignment, metadata, labels and the like, up to the next instruction. */
  private void endOfInstruction() throws IOException {
    Kind before = Kind.WORD;
    while (!in.first || continues()) {
      boolean sets = in.is('=') && before == Kind.LOCAL;
      if (sets || (in.kind == Kind.WORD && !in.first && LINE_BEGINNINGS.contains(in.text))) {
        throw in.unexpected("the end of the line", "each instruction begins a line");
      }
      before = in.kind;
      skip();
    }
  }

  /** Whether the line goes on with the instruction before it. */
  private boolean continues() {
    return in.kind == Kind.WORD
        && switch (in.text) {
          case "to", "unwind", "cleanup", "catch", "filter" -> true;
          default -> false;
        };
  }

  private int result(String to, boolean carries) throws IOException {
    return to == null ? NONE : define(to, carries);
  }

  private void skipFlags() throws IOException {
    while (in.kind == Kind.WORD && !typeBegins() && !in.first) {
      in.next();
      if (in.is('(')) {
        in.skipBrackets();
      }
    }
  }

  private void skipWords(String one, String other) throws IOException {
    while (in.isWord(one) || in.isWord(other)) {
      in.next();
    }
  }

  private void alloca(String to) throws IOException {
    skipWords("inalloca", "swifterror");
    type();
    if (to != null) {
      int memory = module.variable("*@" + function.name + "/%" + to);
      module.addressOf(define(to, true), memory);
    }
  }

  private void elementPointer(String to) throws IOException {
    skipFlags();
    type();
    in.take(',');
    LlvmType type = type();
    boolean fromNull = in.isWord("null");
    int base = value(type);
    int result = result(to, true);
    module.copy(result, base);
    while (fromNull && in.is(',')) { // then an index may be an address
      in.next();
      if (in.kind == Kind.METADATA) {
        return;
      }
      module.copy(result, typed());
    }
  }

  private void phi(String to) throws IOException {
    skipFlags();
    LlvmType type = type();
    int result = result(to, type.carries());
    do {
      in.take('[');
      module.copy(result, value(type));
      in.take(',');
      if (in.kind != Kind.LOCAL) {
        throw in.unexpected("a block");
      }
      in.next();
      in.take(']');
    } while (in.takeIf(',') && in.is('['));
  }

  private void extract(String to, boolean fields) throws IOException {
    LlvmType type = type();
    int from = value(type);
    LlvmType part = fields ? type : type.part(0);
    while (fields && in.takeIf(',')) {
      if (in.kind != Kind.WORD || !in.text.matches("[0-9]{1,9}")) {
        break; // metadata
      }
      part = part.part(Integer.parseInt(in.text));
      in.next();
    }
    module.copy(result(to, part.carries()), from);
  }

  /** An atomic exchange: what the memory has, and what it gets. */
  private void exchange(String to, boolean compares) throws IOException {
    skipWords("weak", "volatile");
    if (!compares) {
      if (in.kind != Kind.WORD) {
        throw in.unexpected("an operation");
      }
      in.next();
    }
    int pointer = typed();
    in.take(',');
    LlvmType type = type();
    int value = value(type);
    if (compares) {
      in.take(',');
      value = typed();
    }
    module.load(result(to, type.carries()), pointer);
    module.store(pointer, value);
  }

  private void call(String to) throws IOException {
    skipAttributes();
    LlvmType type = type();
    LlvmType returned = type.form() == LlvmType.Form.FUNCTION ? type.parts().get(0) : type;
    Symbol callee = null;
    boolean assembler = in.takeWordIf("asm");
    if (assembler) {
      while (!in.is('(')) {
        if (in.first) {
          throw in.unexpected("'(' and arguments");
        }
        in.next();
      }
    } else if (in.kind == Kind.LOCAL) {
      local(in.text);
      in.next();
    } else {
      Set<Symbol> found = constants();
      if (found.size() == 1) {
        callee = found.iterator().next();
      } else {
        found.forEach(symbol -> symbol.taken = true);
      }
    }
    if (!in.is('(')) {
      throw in.unexpected("'(' and arguments");
    }
    in.next();
    int[] arguments = new int[4];
    boolean[] byValue = null;
    int count = 0;
    while (!in.takeIf(')')) {
      if (count > 0) {
        in.take(',');
      }
      arguments = count == arguments.length ? Arrays.copyOf(arguments, 2 * count) : arguments;
      if (in.isWord("...")) {
        throw in.unexpected("an argument", "passing on variable arguments is not supported");
      }
      LlvmType argument = type();
      boolean copied = false;
      while (isAttribute()) {
        copied |= in.isWord("byval");
        attribute();
      }
      if (argument.form() == LlvmType.Form.METADATA) {
        skipArgument();
        arguments[count++] = NONE;
        continue;
      }
      if (copied) {
        byValue = byValue == null ? new boolean[0] : byValue;
        byValue = Arrays.copyOf(byValue, count + 1);
        byValue[count] = true;
      }
      arguments[count++] = value(argument);
    }
    arguments = Arrays.copyOf(arguments, count);
    byValue = byValue == null ? null : Arrays.copyOf(byValue, count);
    int result = result(to, returned.carries());
    if (assembler) {
      module.ignore("inline assembler");
      for (int argument : arguments) {
        module.copy(result, argument);
      }
      return;
    }
    String place = to == null ? "/line " + at : "/%" + to;
    String site = "*@" + function.name + place;
    module.call(new LlvmModule.Call(function, callee, result, arguments, byValue, site));
  }

  /** Whether the current token is an attribute of an argument, not its value. */
  private boolean isAttribute() {
    if (in.kind == Kind.ATTRIBUTES) {
      return true;
    }
    return in.kind == Kind.WORD
        && !in.first
        && !PLAIN_VALUES.contains(in.text)
        && !EXPRESSIONS.contains(in.text)
        && !isNumber(in.text);
  }

  private void skipArgument() throws IOException {
    while (!in.is(',') && !in.is(')')) {
      if (in.opens()) {
        in.skipBrackets();
      } else if (in.kind == Kind.END) {
        throw in.unexpected("')'");
      } else {
        in.next();
      }
    }
  }
}
