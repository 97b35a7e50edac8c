package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class SettingListTest {
  private final SettingList list = new SettingList();
  private final Setting<Boolean> first = list.add(Setting.flag("first", true, "a test"));

  @Test
  void settingsAreInTheOrderInWhichTheyWereAdded() {
    Setting<Boolean> second = Setting.flag("second", true, "a test");
    Setting<Boolean> third = Setting.flag("third", true, "a test");
    assertSame(third, list.add(third));
    list.addAll(List.of(second));
    assertEquals(List.of(first, third, second), list.all());
  }

  @Test
  void twoOfOneNameAreRefused() {
    Exception e =
        assertThrows(
            IllegalArgumentException.class,
            () -> list.add(Setting.whole("first", 1, 1, 2, "another")));
    assertTrue(e.getMessage().contains("'first'"), e.getMessage());
    assertEquals(List.of(first), list.all());
  }

  /** Options that are in use would lack it. */
  @Test
  void whatComesTooLateIsRefused() {
    assertEquals(List.of(first), list.all());
    Setting<Boolean> late = Setting.flag("late", true, "a test");
    Exception e = assertThrows(IllegalStateException.class, () -> list.add(late));
    assertTrue(e.getMessage().contains("late"), e.getMessage());
    assertEquals(List.of(first), list.all());
  }
}
