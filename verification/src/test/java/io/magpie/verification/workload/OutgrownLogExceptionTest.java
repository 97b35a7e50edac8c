package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.stm.simulator.AccessTrace.Kind;
import io.magpie.verification.data.TraceBuilder;
import org.junit.jupiter.api.Test;

/** Which log is full shows in what it held at the end of the attempt. */
class OutgrownLogExceptionTest {
  private final TraceBuilder trace =
      new TraceBuilder().objects("cells", 16).array("values", 16).begin(3);

  private String outgrowing(int maxObjects, int maxWrites) {
    return OutgrownLogException.outgrowing(maxObjects, maxWrites, trace.outgrows().build());
  }

  private void opens(int first, int last) {
    for (int i = first; i <= last; i++) {
      trace.opens("cells", i);
    }
  }

  private void writes(int first, int last) {
    for (int i = first; i <= last; i++) {
      trace.does(Kind.LOGGED, "values", i, 1);
    }
  }

  @Test
  void objectsOfAnInnerTransactionThatWasUndoneAreNotCounted() {
    opens(0, 1);
    for (int attempt = 0; attempt < 5; attempt++) {
      trace.event(Kind.INNER_BEGIN);
      opens(2, 3);
      trace.event(Kind.INNER_UNDONE);
    }
    writes(0, 7);
    assertEquals(": item 3 writes more than 8 data", outgrowing(4, 8));
  }

  @Test
  void aDatumThatIsWrittenAgainIsOne() {
    opens(0, 3);
    for (int time = 0; time < 5; time++) {
      writes(0, 1);
    }
    assertEquals(": item 3 opens more than 4 objects", outgrowing(4, 8));
    assertEquals("", OutgrownLogException.outgrowing(5, 8, trace.build()));
  }

  @Test
  void anInnerTransactionMayFillTheLog() {
    opens(0, 1);
    trace.event(Kind.INNER_BEGIN).event(Kind.INNER_BEGIN);
    opens(2, 3);
    trace.event(Kind.INNER_UNDONE).event(Kind.INNER_UNDONE);
    assertEquals(": item 3 opens more than 4 objects", outgrowing(4, 8));
  }

  @Test
  void writesOfAnAlternativeThatWasUndoneAreNotCounted() {
    opens(0, 0);
    trace.event(Kind.INNER_BEGIN);
    opens(1, 3);
    writes(0, 7);
    trace.event(Kind.EFFECTS_UNDONE);
    assertEquals(": item 3 opens more than 4 objects", outgrowing(4, 8));
    assertEquals("", OutgrownLogException.outgrowing(5, 8, trace.build()));
  }
}
