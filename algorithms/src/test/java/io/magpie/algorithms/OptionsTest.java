package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Setting.Range;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsTest {
  enum Color {
    RED,
    DARK_BLUE
  }

  /** Options of a made-up algorithm, with a setting of each kind. */
  static final class Paint extends Options<Paint> {
    static final Setting<Color> COLOR =
        Setting.oneOf("color", Color.RED, "what color").meaning(Color.DARK_BLUE, "nearly black");
    static final Setting<Integer> COATS =
        Setting.whole("coats", 2, 1, 9, "how many coats").onlyWith(COLOR.is(Color.RED));
    static final Setting<Long> BATCH =
        Setting.wholeLong("batch-number", 7, Long.MIN_VALUE, Long.MAX_VALUE, "which batch");
    static final Setting<Double> SHARE =
        Setting.decimal("share", 0.5, Range.above(0, 1), "share of pigment").series(0.25, 1.0);
    static final Setting<Boolean> GLOSS = Setting.flag("gloss", false, "whether it shines");
    static final Setting<Boolean> SIDE =
        Setting.either("side", "inner", "outer", true, "which side is painted");

    Paint() {}

    private Paint(Map<String, Object> values) {
      super(values);
    }

    @Override
    public List<Setting<?>> settings() {
      List<Setting<?>> all = new ArrayList<>(List.of(COLOR, COATS, BATCH, SHARE, GLOSS, SIDE));
      all.addAll(TransactionSettings.onlyWith(COLOR.is(Color.RED).or(GLOSS.is(true))));
      return all;
    }

    @Override
    protected Paint copy(Map<String, Object> changed) {
      return new Paint(changed);
    }
  }

  private static final Paint PAINT = new Paint();

  @Test
  void aChangedCopyLeavesTheOtherAsItIs() {
    Paint blue = PAINT.with(Paint.COLOR, Color.DARK_BLUE);
    assertEquals(Color.DARK_BLUE, blue.get(Paint.COLOR));
    assertEquals(Color.RED, PAINT.get(Paint.COLOR));
    assertNotEquals(PAINT, blue);
    Paint back = blue.with(Paint.COLOR, Color.RED);
    assertEquals(PAINT, back, "a default that was set is equal to one that was not");
    assertEquals(PAINT.hashCode(), back.hashCode());
  }

  @Test
  void componentsOfTransactionsAreChangedWithinThem() {
    Paint other =
        PAINT
            .with(TransactionSettings.STM, StmOptions.defaults().withPolls(3))
            .with(TransactionSettings.POLICY, Policy.PRIORITY_RULE)
            .with(TransactionSettings.TIMEOUT, Duration.ofSeconds(5));
    assertEquals(
        StmOptions.defaults()
            .withPolls(3)
            .withPolicy(Policy.PRIORITY_RULE)
            .withTimeout(Duration.ofSeconds(5)),
        other.get(TransactionSettings.STM));
    assertEquals(Policy.PRIORITY_RULE, other.get(TransactionSettings.POLICY));
  }

  /** Each component of StmOptions may be as small, and as large, as it may be there. */
  @Test
  void transactionsMayHaveAllThatTheirOptionsAllow() {
    StmOptions options = StmOptions.defaults();
    for (StmOptions stm :
        List.of(
            options.withTimeout(Duration.ZERO),
            options.withTimeout(Duration.ofNanos(Long.MAX_VALUE)),
            options.withThreadsInFlight(0),
            options.withThreadsInFlight(Integer.MAX_VALUE),
            options.withEagerAttempts(-1),
            options.withEagerAttempts(Integer.MAX_VALUE))) {
      assertEquals(stm, PAINT.with(TransactionSettings.STM, stm).get(TransactionSettings.STM));
    }
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);
    assertEquals(
        longest, TransactionSettings.TIMEOUT.parse(TransactionSettings.TIMEOUT.write(longest)));
    Duration longer = longest.plusNanos(1);
    assertThrows(IllegalArgumentException.class, () -> options.withTimeout(longer));
    assertThrows(SettingException.class, () -> PAINT.with(TransactionSettings.TIMEOUT, longer));
  }

  @Test
  void whatHasNoEffectIsNotWritten() {
    assertEquals(
        "color=red coats=2 batch-number=7 share=0.5 gloss=off side=inner policy=hand_off"
            + " threads-in-flight=0 eager-attempts=-1 timeout=60",
        PAINT.toString());
    Paint blue = PAINT.with(Paint.COLOR, Color.DARK_BLUE);
    assertEquals("color=dark-blue batch-number=7 share=0.5 gloss=off side=inner", blue.toString());
    assertFalse(blue.hasEffect(Paint.COATS));
    Paint shining = blue.with(Paint.GLOSS, true);
    assertTrue(shining.hasEffect(shining.settings().get(6)), "the policy, by the other term");
    assertEquals(
        "--color red or --gloss on", shining.settings().get(6).condition().onCommandLine());
    assertEquals("color=red or gloss=on", shining.settings().get(6).condition().inVariants());
    Setting<?> eager = shining.settings().get(8);
    assertTrue(shining.hasEffect(eager));
    assertFalse(blue.hasEffect(eager), "the policy has its value but no effect");
    assertFalse(shining.with(TransactionSettings.POLICY, Policy.PRIORITY_RULE).hasEffect(eager));
    assertEquals(
        "policy=hand_off|optimistic_hand_off with color=red or gloss=on",
        eager.condition().inVariants());
  }

  /** One description of all policies; algorithms take those that run regions with apply. */
  @Test
  void aSettingMayTakeSomeOfItsValues() {
    assertEquals(List.of(Policy.values()), TransactionSettings.ANY_POLICY.all());
    List<Policy> some = Arrays.stream(Policy.values()).filter(Policy::runsApply).toList();
    assertEquals(some, TransactionSettings.POLICY.all());
    assertTrue(some.size() < Policy.values().length);
    for (Policy policy : Policy.values()) {
      String name = policy.kernelName();
      assertEquals(policy, TransactionSettings.ANY_POLICY.parse(name));
      if (some.contains(policy)) {
        assertEquals(policy, TransactionSettings.POLICY.parse(name));
        continue;
      }
      SettingException out =
          assertThrows(
              SettingException.class, () -> PAINT.with(TransactionSettings.POLICY, policy));
      assertTrue(out.getMessage().startsWith("policy must be one of hand_off, "), out::getMessage);
      assertTrue(out.getMessage().endsWith(", but is " + name), out::getMessage);
      SettingException any =
          assertThrows(
              SettingException.class, () -> PAINT.with(TransactionSettings.ANY_POLICY, policy));
      assertEquals(out.getMessage(), any.getMessage());
      SettingException within =
          assertThrows(
              SettingException.class,
              () -> PAINT.with(TransactionSettings.STM, StmOptions.defaults().withPolicy(policy)));
      assertEquals(out.getMessage(), within.getMessage());
      IllegalArgumentException unread =
          assertThrows(
              IllegalArgumentException.class, () -> TransactionSettings.POLICY.parse(name));
      assertTrue(unread.getMessage().startsWith("expected one of "), unread::getMessage);
    }
    String all = TransactionSettings.ANY_POLICY.help();
    assertTrue(all.contains("pr_stm (versions, marks and locks; may run forever)"), all);
    assertTrue(all.contains("obstruction_free (aborts others; may run forever)"), all);
    String help = TransactionSettings.POLICY.help();
    assertTrue(help.contains("pr_stm (versions, marks and locks; may run forever)"), help);
    assertFalse(help.contains("obstruction_free"), help);
    assertThrows(UnsupportedOperationException.class, () -> Paint.COATS.among(coats -> coats > 1));
  }

  @Test
  void valuesOutOfRangeAreRefusedByName() {
    SettingException e = assertThrows(SettingException.class, () -> PAINT.with(Paint.COATS, 10));
    assertEquals("coats must be from 1 to 9, but is 10", e.getMessage());
    assertEquals("must be from 1 to 9, but is 10", e.objection());
    assertEquals("coats", e.setting().name());
    for (double value : new double[] {0, -1, 1.0000001, Double.NaN}) {
      assertThrows(SettingException.class, () -> PAINT.with(Paint.SHARE, value));
    }
    assertEquals(1.0, PAINT.with(Paint.SHARE, 1.0).get(Paint.SHARE));
    assertThrows(NullPointerException.class, () -> PAINT.with(Paint.COLOR, null));
    Setting<Boolean> foreign = Setting.flag("matte", true, "whether it does not shine");
    IllegalArgumentException unknown =
        assertThrows(IllegalArgumentException.class, () -> PAINT.with(foreign, true));
    assertTrue(unknown.getMessage().startsWith("there is no setting 'matte'; expected one of"));
  }

  @Test
  void textIsReadAsItIsWritten() {
    for (Setting<?> setting : PAINT.settings()) {
      if (setting.written()) {
        readsWhatItWrites(setting);
      }
    }
    assertEquals(Color.DARK_BLUE, Paint.COLOR.parse("dark_blue"));
    assertEquals(1e-3, Paint.SHARE.parse("1e-3"));
    assertEquals(Long.MIN_VALUE, Paint.BATCH.parse("-9223372036854775808"));
    refuses(Paint.COLOR, "green", "expected one of red, dark-blue but was 'green'");
    refuses(Paint.COATS, "1.5", "expected a whole number, but was '1.5'");
    refuses(Paint.COATS, "+1", "expected a whole number, but was '+1'");
    refuses(Paint.COATS, "3000000000", "'3000000000' is out of range");
    refuses(Paint.SHARE, "0x1p3", "expected a number, such as 0.5, but was '0x1p3'");
    refuses(Paint.GLOSS, "true", "expected one of on, off but was 'true'");
    refuses(Paint.SIDE, "", "expected one of inner, outer but was ''");
    for (String text : List.of("1m", "1e9", ".5", "0.0000000001")) {
      refuses(
          TransactionSettings.TIMEOUT,
          text,
          "expected a number of seconds, such as 60 or 0.25, but was '" + text + "'");
    }
    refuses(
        TransactionSettings.TIMEOUT,
        "1" + "0".repeat(30),
        "'1" + "0".repeat(30) + "' is out of range");
  }

  @Test
  void durationsAreExact() {
    Map<Duration, String> texts =
        Map.of(
            Duration.ZERO,
            "0",
            Duration.ofSeconds(60),
            "60",
            Duration.ofMillis(250),
            "0.25",
            Duration.ofSeconds(1, 500_000_000),
            "1.5",
            Duration.ofNanos(1),
            "0.000000001",
            Duration.ofMillis(-250),
            "-0.25");
    texts.forEach(
        (duration, text) -> {
          assertEquals(text, TransactionSettings.TIMEOUT.write(duration));
          assertEquals(duration, TransactionSettings.TIMEOUT.parse(text));
          assertEquals(
              0,
              new BigDecimal(text)
                  .compareTo(
                      new BigDecimal(TransactionSettings.TIMEOUT.json(duration).toString())));
        });
    Paint quick = PAINT.with(TransactionSettings.TIMEOUT, Duration.ofMillis(250));
    assertTrue(quick.toString().endsWith(" timeout=0.25"), quick.toString());
  }

  private static <V> void readsWhatItWrites(Setting<V> setting) {
    for (V value : setting.all()) {
      assertEquals(value, setting.parse(setting.write(value)), setting.name());
    }
  }

  private static void refuses(Setting<?> setting, String text, String message) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> setting.parse(text));
    assertEquals(message, e.getMessage());
  }

  @Test
  void helpSaysValuesMeaningsAndDefault() {
    assertEquals("What color: red (the default) or dark-blue (nearly black).", Paint.COLOR.help());
    assertEquals("How many coats; 1 to 9, default 2; only with --color red.", Paint.COATS.help());
    assertEquals("Share of pigment; above 0, up to 1, default 0.5.", Paint.SHARE.help());
  }

  @Test
  void jsonHasNumbersAndWords() {
    assertEquals("batchNumber", Paint.BATCH.jsonName());
    assertEquals(7L, Paint.BATCH.json(7L));
    assertEquals("dark-blue", Paint.COLOR.json(Color.DARK_BLUE));
    assertEquals(false, Paint.GLOSS.json(false));
    assertEquals("outer", Paint.SIDE.json(false));
    assertEquals(5L, TransactionSettings.TIMEOUT.json(Duration.ofSeconds(5)));
  }

  @Test
  void aSettingMustBeDescribedSoundly() {
    assertThrows(IllegalArgumentException.class, () -> Setting.flag("Two Words", true, ""));
    assertThrows(SettingException.class, () -> Setting.whole("coats", 0, 1, 9, ""));
    assertThrows(IllegalArgumentException.class, () -> Paint.COATS.meaning(2, "two"));
  }

  @Test
  void settingsNeedNoClassOfTheirOwn() {
    Settings defaults = Settings.of(Paint.COLOR, Paint.COATS, TransactionSettings.POLICY);
    Settings changed =
        defaults
            .with(Paint.COLOR, Color.DARK_BLUE)
            .with(TransactionSettings.POLICY, Policy.PRIORITY_RULE);
    assertEquals(Color.RED, defaults.get(Paint.COLOR));
    assertEquals(Color.DARK_BLUE, changed.get(Paint.COLOR));
    assertEquals(Policy.PRIORITY_RULE, changed.get(TransactionSettings.STM).policy());
    assertEquals("color=red coats=2 policy=hand_off", defaults.toString());
    assertEquals("color=dark-blue policy=priority_rule", changed.toString());
    assertEquals(
        defaults,
        changed.with(Paint.COLOR, Color.RED).with(TransactionSettings.POLICY, Policy.HAND_OFF));
    assertThrows(IllegalArgumentException.class, () -> defaults.with(Paint.GLOSS, true));
  }
}
