package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Collects what a module of LLVM's says, and makes constraints of it once all is known: calls and
 * initializers may name what is defined after them.
 *
 * <p>Variables are registers, results of functions, and memory: that of a global variable or
 * function, of each instruction that allocates some, and of a function's variable arguments. Memory
 * is never split up: what is stored at one place in it may be loaded at every other one.
 */
final class LlvmModule {
  /** Stands for a value that points to nothing. */
  static final int NONE = -1;

  /** What a global name stands for. */
  enum Form {
    /** Only used so far. */
    UNKNOWN,
    VARIABLE,
    FUNCTION,
    /** Another name, or a function that chooses one when the program starts. */
    ALIAS
  }

  /** A global name. */
  static final class Symbol {
    final String name;

    /** Where it is first used. */
    final long line;

    Form form = Form.UNKNOWN;

    /** Whether it is a function with a body. */
    boolean hasBody;

    /** Whether anything but direct calls uses it. */
    boolean taken;

    /** Registers of a function's parameters, {@link #NONE} where one holds no pointer. */
    int[] parameters = new int[0];

    /** Whether more arguments may follow. */
    boolean variadic;

    /** What a function returns. */
    int result = NONE;

    /** What an alias stands for; of an ifunc, what chooses. */
    List<Symbol> targets = List.of();

    /** Whether what it stands for is what its target returns. */
    boolean chosen;

    private int address = NONE;
    private int memory = NONE;
    private int rest = NONE;

    private Symbol(String name, long line) {
      this.name = name;
      this.line = line;
    }
  }

  /**
   * A call.
   *
   * @param within the function that calls
   * @param callee what is called; null if that is not known
   * @param result the register of its result, or {@link #NONE}
   * @param arguments those that are no pointers are {@link #NONE}
   * @param byValue which of them stand for the memory that they point to; null for none
   * @param site a name for the memory that it allocates
   */
  record Call(
      Symbol within, Symbol callee, int result, int[] arguments, boolean[] byValue, String site) {}

  /**
   * What calls by pointers with the same number of arguments pass, and what is returned to them.
   * Arguments of calls with more of them are added, and results of functions with fewer parameters.
   */
  private static final class Hub {
    final int arity;
    final int[] arguments;
    int result = NONE;

    Hub(int arity) {
      this.arity = arity;
      arguments = new int[arity];
      Arrays.fill(arguments, NONE);
    }
  }

  private record Initializer(Symbol variable, List<Symbol> targets) {}

  private final ConstraintSet.Builder builder = ConstraintSet.builder(0);
  private final List<String> names = new ArrayList<>();
  private final Map<String, Symbol> symbols = new LinkedHashMap<>();
  private final List<Symbol> addressed = new ArrayList<>();
  private final List<Initializer> initializers = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private final NavigableMap<Integer, Hub> hubs = new TreeMap<>();
  private final Map<String, Integer> shared = new HashMap<>();
  private final Map<String, Integer> ignored = new TreeMap<>();
  private long indirectCalls;
  private int exceptions = NONE;

  /** A new variable. */
  int variable(String name) {
    names.add(name);
    builder.atLeast(names.size());
    return names.size() - 1;
  }

  List<String> names() {
    return names;
  }

  /** How many calls there are of each function of which nothing is known. */
  Map<String, Integer> ignored() {
    return ignored;
  }

  long indirectCalls() {
    return indirectCalls;
  }

  /** A global name, which may not be defined yet. */
  Symbol symbol(String name, long line) {
    return symbols.computeIfAbsent(name, key -> new Symbol(key, line));
  }

  Iterable<Symbol> symbols() {
    return symbols.values();
  }

  /** The value of a global name, which is an address. */
  int address(Symbol symbol) {
    if (symbol.address == NONE) {
      symbol.address = variable("@" + symbol.name);
      addressed.add(symbol);
    }
    return symbol.address;
  }

  /** The memory of a global variable or function. */
  private int memory(Symbol symbol) {
    if (symbol.memory == NONE) {
      symbol.memory = variable("*@" + symbol.name);
    }
    return symbol.memory;
  }

  /** The memory of a function's variable arguments. */
  private int rest(Symbol function) {
    if (function.rest == NONE) {
      function.rest = variable("*@" + function.name + "/...");
    }
    return function.rest;
  }

  /** What is thrown. */
  int exceptions() {
    if (exceptions == NONE) {
      exceptions = shared("[exception]");
    }
    return exceptions;
  }

  private int shared(String name) {
    Integer known = shared.get(name);
    if (known == null) {
      known = variable(name);
      shared.put(name, known);
    }
    return known;
  }

  // Constraints; those of NONE say nothing.

  void addressOf(int to, int memory) {
    builder.add(Kind.ADDRESS_OF, to, memory);
  }

  void copy(int to, int from) {
    if (to != NONE && from != NONE && to != from) {
      builder.add(Kind.COPY, to, from);
    }
  }

  void load(int to, int pointer) {
    if (to != NONE && pointer != NONE) {
      builder.add(Kind.LOAD, to, pointer);
    }
  }

  void store(int pointer, int from) {
    if (pointer != NONE && from != NONE) {
      builder.add(Kind.STORE, pointer, from);
    }
  }

  void call(Call call) {
    calls.add(call);
  }

  void initializer(Symbol variable, List<Symbol> targets) {
    initializers.add(new Initializer(variable, targets));
  }

  /** The constraints, when everything has been said. */
  ConstraintSet finish() {
    for (Initializer each : initializers) {
      for (Symbol target : each.targets) {
        points(memory(each.variable), target);
      }
    }
    for (Call call : calls) {
      bind(call);
    }
    bindHubs();
    // Addresses of targets may be asked for meanwhile.
    for (int i = 0; i < addressed.size(); i++) {
      Symbol symbol = addressed.get(i);
      if (symbol.form != Form.ALIAS) {
        addressOf(symbol.address, memory(symbol));
        continue;
      }
      for (Symbol target : symbol.targets) {
        Symbol function = symbol.chosen ? function(target) : null;
        copy(symbol.address, function != null ? function.result : address(target));
      }
    }
    nameVariables();
    return builder.build();
  }

  /** Global variables have names even if nothing uses them; LLVM's own are none of the program. */
  private void nameVariables() {
    for (Symbol symbol : symbols.values()) {
      if (symbol.form == Form.VARIABLE && !symbol.name.startsWith("llvm.")) {
        memory(symbol);
      }
    }
  }

  private void points(int to, Symbol target) {
    if (target.form == Form.ALIAS) {
      copy(to, address(target));
    } else {
      addressOf(to, memory(target));
    }
  }

  /** The function that a name stands for; null if it is none, or not known. */
  private static Symbol function(Symbol symbol) {
    Symbol at = symbol;
    for (int steps = 0; at != null && at.form == Form.ALIAS && steps < 100; steps++) {
      at = at.targets.size() == 1 && !at.chosen ? at.targets.get(0) : null;
    }
    return at != null && at.form == Form.FUNCTION ? at : null;
  }

  private void bind(Call call) {
    Symbol function = call.callee == null ? null : function(call.callee);
    if (function != null) {
      bind(call, function);
      return;
    }
    if (call.callee != null) {
      call.callee.taken = true; // a name for what is not known
    }
    indirectCalls++;
    Hub hub = hub(call.arguments.length);
    for (int i = 0; i < call.arguments.length; i++) {
      if (call.arguments[i] != NONE) {
        copy(argument(hub, i), call.arguments[i]);
        if (call.byValue != null && call.byValue[i]) { // the callee may be variadic
          load(argument(hub, i), call.arguments[i]);
        }
      }
    }
    if (call.result != NONE) {
      copy(call.result, result(hub));
    }
  }

  private Hub hub(int arity) {
    return hubs.computeIfAbsent(arity, Hub::new);
  }

  private int argument(Hub hub, int index) {
    if (hub.arguments[index] == NONE) {
      hub.arguments[index] = variable("argument " + index + " of pointers to " + hub.arity);
    }
    return hub.arguments[index];
  }

  private int result(Hub hub) {
    if (hub.result == NONE) {
      hub.result = variable("result of pointers to " + hub.arity);
    }
    return hub.result;
  }

  private void bind(Call call, Symbol function) {
    if (!function.hasBody) {
      summarize(call, function);
      return;
    }
    for (int i = 0; i < call.arguments.length; i++) {
      int argument = call.arguments[i];
      if (argument == NONE) {
        continue;
      }
      if (i < function.parameters.length) {
        copy(function.parameters[i], argument);
      } else if (function.variadic) {
        copy(rest(function), argument);
        if (call.byValue != null && call.byValue[i]) {
          load(rest(function), argument);
        }
      }
    }
    copy(call.result, function.result);
  }

  /**
   * Functions whose addresses are used may be called by every pointer that passes at least as many
   * arguments as they have parameters.
   */
  private void bindHubs() {
    takeTargets();
    List<Symbol> taken = new ArrayList<>();
    for (Symbol symbol : symbols.values()) {
      if (symbol.taken && symbol.form == Form.FUNCTION) {
        taken.add(symbol);
        if (!symbol.hasBody) {
          makeHubs(LlvmSummaries.of(symbol.name));
        }
      }
    }
    for (Symbol function : taken) {
      Map.Entry<Integer, Hub> least = hubs.ceilingEntry(function.parameters.length);
      if (least != null) {
        bind(least.getValue(), function);
      }
    }
    joinHubs();
  }

  /** Those that a summary uses: which there are must be known before functions choose one. */
  private void makeHubs(List<LlvmSummaries.Step> steps) {
    if (steps == null) {
      return;
    }
    for (LlvmSummaries.Step step : steps) {
      if (step.arguments() != null) {
        hub(step.arguments().size());
      } else {
        for (LlvmSummaries.Side side : List.of(step.to(), step.from())) {
          if (side.place() == LlvmSummaries.Place.BACK) {
            hub(side.index());
          }
        }
      }
    }
  }

  /** Passes arguments on to the next hub with fewer of them, and results to the next with more. */
  private void joinHubs() {
    Hub more = null;
    for (Hub hub : hubs.descendingMap().values()) {
      for (int i = 0; more != null && i < hub.arity; i++) {
        if (more.arguments[i] != NONE) {
          copy(argument(hub, i), more.arguments[i]);
        }
      }
      more = hub;
    }
    Hub fewer = null;
    for (Hub hub : hubs.values()) {
      if (fewer != null && fewer.result != NONE) {
        copy(result(hub), fewer.result);
      }
      fewer = hub;
    }
  }

  /** What an alias stands for is used where the alias is. */
  private void takeTargets() {
    Deque<Symbol> open = new ArrayDeque<>();
    for (Symbol symbol : symbols.values()) {
      if (symbol.taken) {
        open.add(symbol);
      }
    }
    while (!open.isEmpty()) {
      for (Symbol target : open.remove().targets) {
        if (!target.taken) {
          target.taken = true;
          open.add(target);
        }
      }
    }
  }

  /** Binds a function to the hub of the fewest arguments that are enough for its parameters. */
  private void bind(Hub hub, Symbol function) {
    int fixed = function.parameters.length;
    int[] arguments = new int[function.variadic ? hubs.lastKey() : fixed];
    for (int i = 0; i < arguments.length; i++) {
      boolean pointer = !function.hasBody || i >= fixed || function.parameters[i] != NONE;
      Hub from = i < fixed ? hub : hubs.ceilingEntry(i + 1).getValue();
      arguments[i] = pointer ? argument(from, i) : NONE;
    }
    int result = function.hasBody && function.result == NONE ? NONE : result(hub);
    String site = "*@" + function.name + " by a pointer";
    Call call = new Call(null, function, result, arguments, null, site);
    bind(call, function);
  }

  // ---- Functions without a body.

  private void summarize(Call call, Symbol function) {
    if (function.name.startsWith("llvm.va_start")
        && call.within != null
        && call.arguments.length > 0) {
      int address = variable("@" + call.within.name + "/...");
      addressOf(address, rest(call.within));
      store(call.arguments[0], address);
      return;
    }
    List<LlvmSummaries.Step> steps = LlvmSummaries.of(function.name);
    if (steps != null) {
      new Summary(call, function).apply(steps);
      return;
    }
    if (function.name.startsWith("llvm.")) {
      for (int argument : call.arguments) {
        copy(call.result, argument);
      }
      if (LlvmSummaries.onlyComputes(function.name)) {
        return;
      }
    }
    if (call.result != NONE || Arrays.stream(call.arguments).anyMatch(a -> a != NONE)) {
      ignore(function.name);
    }
  }

  void ignore(String function) {
    ignored.merge(function, 1, Integer::sum);
  }

  /** A summary of a function at a call of it. */
  private final class Summary {
    private final Call call;
    private final Symbol function;
    private int fresh = NONE;

    Summary(Call call, Symbol function) {
      this.call = call;
      this.function = function;
    }

    void apply(List<LlvmSummaries.Step> steps) {
      for (LlvmSummaries.Step step : steps) {
        if (step.arguments() != null) {
          Hub hub = hub(step.arguments().size());
          for (int i = 0; i < hub.arity; i++) {
            LlvmSummaries.Side side = step.arguments().get(i);
            int argument = variable(side);
            if (isMemory(side)) {
              argument = temporary();
              addressOf(argument, variable(side));
            }
            if (argument != NONE) {
              copy(argument(hub, i), argument);
            }
          }
        } else {
          assign(step.to(), step.from());
        }
      }
    }

    private void assign(LlvmSummaries.Side to, LlvmSummaries.Side from) {
      int target = variable(to);
      if (target == NONE) {
        return;
      }
      boolean through = to.memory() && !isMemory(to);
      if (isMemory(from) && !from.memory()) {
        int pointer = through ? temporary() : target;
        addressOf(pointer, variable(from));
        if (through) {
          store(target, pointer);
        }
        return;
      }
      int source = variable(from);
      if (source == NONE) {
        return;
      }
      boolean loads = from.memory() && !isMemory(from);
      if (loads && through) {
        int between = temporary();
        load(between, source);
        store(target, between);
      } else if (loads) {
        load(target, source);
      } else if (through) {
        store(target, source);
      } else {
        copy(target, source);
      }
    }

    /** Whether {@link #variable} gives memory itself, not what points to it. */
    private boolean isMemory(LlvmSummaries.Side side) {
      return side.place() == LlvmSummaries.Place.NEW || side.place() == LlvmSummaries.Place.OWN;
    }

    private int temporary() {
      return LlvmModule.this.variable("in " + call.site);
    }

    private int variable(LlvmSummaries.Side side) {
      return switch (side.place()) {
        case RESULT -> call.result;
        case ARGUMENT -> side.index() < call.arguments.length ? call.arguments[side.index()] : NONE;
        case NEW -> {
          fresh = fresh == NONE ? LlvmModule.this.variable(call.site) : fresh;
          yield fresh;
        }
        case OWN -> memory(function);
        case SHARED -> shared(side.name());
        case BACK -> result(hub(side.index()));
      };
    }
  }
}
