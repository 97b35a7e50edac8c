package io.magpie.stm.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.stm.FieldKind;
import io.magpie.stm.FieldKind.Element;
import io.magpie.stm.FieldKind.Form;
import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.stm.simulator.AccessTrace.Memory.Contents;
import io.magpie.stm.simulator.AccessTrace.Scope;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValueTextTest {
  private static String told(Element element, int elementBytes, int bytes, long value) {
    Memory array =
        new Memory("a", 1024, 4L * elementBytes, elementBytes, Contents.DATA, 0)
            .withKind(new FieldKind(Form.ARRAY, element, elementBytes, 0, false, 0, 0));
    Scope scope = new Scope(List.of(array), 1, 0, false);
    return new AccessTrace(scope, List.of(), 0).valueInWords(1024, bytes, value);
  }

  @Test
  void valuesAreThoseOfTheirType() {
    assertEquals("-1", told(Element.I32, 4, 4, 0xffffffffL));
    assertEquals("0.5", told(Element.F64, 8, 8, Double.doubleToRawLongBits(0.5)));
    assertEquals("4602678819172646912", told(Element.U64, 8, 8, Double.doubleToRawLongBits(0.5)));
  }

  /** Types of members are not known. */
  @Test
  void membersThatLookLikeFloatingPointAreToldSoToo() {
    long half = Double.doubleToRawLongBits(-0.5);
    assertEquals(
        Long.toUnsignedString(half) + " (as a double -0.5)", told(Element.BYTES, 32, 8, half));
    assertEquals(
        Long.toUnsignedString(half) + " (as a double -0.5)", told(Element.BYTES, 8, 8, half));
    assertEquals(
        "1069547520 (as a float 1.5)", told(Element.BYTES, 12, 4, Float.floatToRawIntBits(1.5f)));
    for (long value : new long[] {0, 7, 0xffffffffL, 1L << 47, -1, 5L << 32 | 3}) {
      assertEquals(Long.toUnsignedString(value), told(Element.BYTES, 16, 8, value));
    }
    assertEquals("65536", told(Element.BYTES, 12, 4, 65_536));
    assertEquals("16320", told(Element.BYTES, 12, 2, 0x3fc0));
  }
}
