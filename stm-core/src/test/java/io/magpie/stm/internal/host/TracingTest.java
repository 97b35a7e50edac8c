package io.magpie.stm.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Pointer;
import io.magpie.stm.internal.Enumerators;
import io.magpie.stm.internal.StructLayout;
import io.magpie.stm.internal.host.LaunchStructs.Event;
import io.magpie.stm.internal.host.LaunchStructs.Range;
import io.magpie.stm.internal.host.LaunchStructs.Trace;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Kind;
import io.magpie.stm.simulator.AccessTrace.Scope;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is read of events that launches put, or only had a place for. */
class TracingTest {
  private static final Scope SCOPE = new Scope(List.of(), 4, 0, false);

  private static final LaunchStructs FIRST = structs();
  private static final LaunchStructs SECOND = structs();

  private final Tracing tracing = new Tracing();
  private Pointer block;

  /** Members of 8 bytes, one behind the other. */
  private static <M extends Enum<M>> StructLayout<M> layout(Class<M> names) {
    int count = names.getEnumConstants().length;
    return new StructLayout<>(
        8 * count,
        IntStream.range(0, count).mapToObj(i -> new StructLayout.Place(8 * i, 8)).toList());
  }

  private static LaunchStructs structs() {
    Map<Kind, Integer> numbers =
        Arrays.stream(Kind.values())
            .collect(Collectors.toMap(Function.identity(), TracingTest::number));
    Map<Integer, Kind> kinds =
        Arrays.stream(Kind.values())
            .collect(Collectors.toMap(TracingTest::number, Function.identity()));
    return new LaunchStructs(
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        layout(Trace.class),
        layout(Range.class),
        layout(Event.class),
        null,
        null,
        null,
        null,
        new Enumerators<>(numbers, kinds));
  }

  private static int number(Kind kind) {
    return kind.ordinal() + 1; // 0 is none
  }

  /** A launch draws so many places, and puts events of these kinds. */
  private void launch(LaunchStructs structs, int drawn, Kind... kinds) {
    block = new Pointer(tracing.begin(structs));
    block.setLong(structs.trace().offset(Trace.COUNT), drawn);
    for (int i = 0; i < kinds.length; i++) {
      long at = (long) i * structs.event().bytes() + structs.event().offset(Event.KIND);
      events().setLong(at, kinds[i] == null ? 0 : number(kinds[i]));
    }
  }

  private Pointer events() {
    return block.getPointer(FIRST.trace().offset(Trace.EVENTS));
  }

  private List<Kind> seen() {
    AccessTrace trace = tracing.trace();
    return IntStream.range(0, trace.size()).mapToObj(trace::kind).toList();
  }

  /** A fault can end a thread in between. */
  @Test
  void anEventThatWasNeverPutIsNone() {
    tracing.set(SCOPE);
    launch(FIRST, 3, Kind.BEGIN, null, Kind.LOCKED);
    assertEquals(List.of(Kind.BEGIN, Kind.LOCKED), seen());
    assertEquals(2, tracing.trace().count());
    assertTrue(tracing.trace().complete());
  }

  @Test
  void whatAnEarlierLaunchPutIsNoEventOfALaterOne() {
    tracing.set(SCOPE);
    launch(FIRST, 9, Kind.BEGIN, Kind.OPENED, Kind.LOCKED, Kind.END);
    launch(FIRST, 4, Kind.BEGIN);
    assertEquals(List.of(Kind.BEGIN), seen());
    launch(SECOND, 4);
    assertEquals(List.of(), seen());
    launch(SECOND, 2, Kind.BEGIN, Kind.END);
    tracing.set(null);
    tracing.set(SCOPE);
    assertEquals(List.of(), seen());
    launch(FIRST, 1);
    assertEquals(List.of(), seen());
  }

  @Test
  void theMemoryOfEventsStays() {
    tracing.set(SCOPE);
    launch(FIRST, 1, Kind.BEGIN);
    Pointer first = events();
    tracing.set(null);
    tracing.set(SCOPE);
    launch(FIRST, 1, Kind.BEGIN);
    assertEquals(first, events());
    launch(SECOND, 1, Kind.BEGIN);
    assertEquals(first, events());
  }
}
