package io.magpie.verification.workload;

import io.magpie.stm.DeviceArray;
import io.magpie.stm.FieldKind;
import io.magpie.stm.Kernel;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Region;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.data.Commit;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * What must hold of a region's data whenever none of its transactions runs: a kernel of the
 * author's, in the region's file, that looks at the data and calls {@code violated} (kernel.cuh)
 * for each place where it does not.
 *
 * <p>The kernel has a field {@value #FIELD}, {@code array<std::uint32_t>}; all its other fields are
 * fields of the region, by name, and get the same arguments. An array gets the data of the region's
 * guarded array of its name.
 */
final class Invariant implements AutoCloseable {
  /** The field that takes what the kernel finds. */
  static final String FIELD = "violations";

  /** How many violations there are, and the least place: {@code violated}, kernel.cuh. */
  private static final int[] NONE = {0, -1};

  private final Kernel kernel;
  private final RegionArguments arguments;

  /** The region's fields that the kernel looks at, by its own names for them. */
  private final Map<String, String> shared = new LinkedHashMap<>();

  private final DeviceArray<int[]> found;

  /**
   * Binds the kernel.
   *
   * @throws IllegalArgumentException if there is no such kernel, or its fields are not as said
   *     above
   */
  Invariant(KernelModule module, Path source, String name, RegionArguments arguments) {
    if (!module.kernels().contains(name)) {
      throw new IllegalArgumentException(
          source
              + " has no kernel '"
              + name
              + "' to be the invariant; end it with MAGPIE_KERNEL("
              + name
              + ")"
              + (module.kernels().isEmpty()
                  ? ""
                  : "; it has: " + String.join(", ", module.kernels())));
    }
    this.kernel = module.kernel(name);
    this.arguments = arguments;
    List<String> names = new ArrayList<>(kernel.fields().keySet());
    if (!names.remove(FIELD) || !takesWords(kernel.fields().get(FIELD))) {
      throw new IllegalArgumentException(
          "invariant "
              + name
              + " needs a field 'magpie::array<std::uint32_t> "
              + FIELD
              + "', for which it calls magpie::violated");
    }
    for (String field : names) {
      shared.put(field, arguments.field(field));
      if (shared.get(field) == null) {
        throw new IllegalArgumentException(
            "invariant "
                + name
                + " has a field '"
                + field
                + "', which the region has not; its fields other than "
                + FIELD
                + " must be among "
                + String.join(", ", arguments.names()));
      }
    }
    this.found = module.device().ints(NONE.length);
  }

  private static boolean takesWords(FieldKind kind) {
    return kind.form() == FieldKind.Form.ARRAY && kind.element() == FieldKind.Element.U32;
  }

  /** The kernel's name. */
  String name() {
    return kernel.name();
  }

  /**
   * Looks at the data.
   *
   * @param items sizes the kernel's grid
   * @return what is wrong, if anything is
   * @throws io.magpie.stm.MagpieException if an argument does not fit its field of the kernel
   * @throws io.magpie.stm.KernelFaultException if the kernel breaks a rule
   */
  Optional<Violation> violation(long items) {
    found.copyFrom(NONE);
    kernel.run(items, arguments.fields(shared).set(FIELD, found));
    int[] words = found.toArray();
    if (words[0] == 0) {
      return Optional.empty();
    }
    String count = Integer.toUnsignedString(words[0]);
    return Optional.of(
        new Violation(
            Kind.INVARIANT,
            words[0] == 1
                ? name() + " does not hold at " + place(words)
                : name() + " does not hold at " + count + " places, the first at " + place(words)));
  }

  /** Whether all that the kernel can look at is known between these commits. */
  boolean canLookBetween(Region region, Commit.Sequence commits) {
    boolean slots =
        shared.keySet().stream()
            .anyMatch(each -> kernel.fields().get(each).form() == FieldKind.Form.POOL);
    List<AccessTrace.Memory> memory = region.memory(arguments.fields());
    return !slots
        && commits.others().stream()
            .flatMap(address -> at(memory, address).stream())
            .noneMatch(each -> shared.containsValue(each.name()));
  }

  private static Optional<AccessTrace.Memory> at(List<AccessTrace.Memory> memory, long address) {
    return memory.stream().filter(each -> each.contains(address)).findFirst();
  }

  /**
   * Makes commits one after the other, in memory that is as before them, and looks at the data
   * after each.
   *
   * @param lines tells the source's line of a place in the code
   * @return what is wrong after the first commit after which something is
   */
  Optional<Violation> violationBetween(
      Region region, Commit.Sequence made, long items, LongFunction<Optional<String>> lines) {
    List<Commit> commits = made.inOrder();
    Map<String, FieldKind> kinds = region.fields();
    List<AccessTrace.Memory> memory =
        region.memory(arguments.fields()).stream()
            .map(each -> each.withKind(kinds.get(each.name())))
            .toList();
    for (int i = 0; i < commits.size(); i++) {
      Commit commit = commits.get(i);
      StringBuilder writes = new StringBuilder();
      for (Commit.Write write : commit.writes()) {
        at(memory, write.address()).ifPresent(field -> writes.append(made(write, field, lines)));
      }
      Optional<Violation> found = violation(items);
      if (found.isPresent()) {
        return Optional.of(
            new Violation(
                Kind.INVARIANT,
                String.format(
                    Locale.ROOT,
                    "%s, after the commit of item %s, number %d of %d in the serial order%s",
                    found.get().text(),
                    Long.toUnsignedString(commit.item()),
                    i + 1,
                    commits.size(),
                    writes),
                List.of(made.attempts().get(i))));
      }
    }
    return Optional.empty();
  }

  /** Makes a write, and says so. */
  private String made(
      Commit.Write write, AccessTrace.Memory field, LongFunction<Optional<String>> lines) {
    long offset = field.offset(write.address());
    arguments.set(field.name(), offset, write.bytes(), write.value());
    return String.format(
        Locale.ROOT,
        "%n  it made %s[%d] %s%s",
        field.name(),
        offset / field.elementBytes(),
        write.bytes() == field.elementBytes()
            ? field.inWords(write.value())
            : Long.toUnsignedString(write.value()),
        lines.apply(write.place()).map(line -> " (" + line + ")").orElse(""));
  }

  private static String place(int[] words) {
    return Integer.toUnsignedString(words[1]);
  }

  @Override
  public void close() {
    found.close();
  }
}
