package io.magpie.algorithms.components;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.Phase;
import io.magpie.algorithms.Setting;
import io.magpie.algorithms.SettingList;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.stm.StmOptions;
import java.util.List;
import java.util.Map;

/**
 * How connected components are found. Every permitted combination gives the same labels; they
 * differ in what they synchronize by, and in time.
 */
public final class ComponentsOptions extends Options<ComponentsOptions> {
  /** How the trees of two vertices are united. */
  public enum Form {
    /** One transaction for each union, over a sample of the edges first. */
    TRANSACTIONAL,
    /**
     * Compare-exchange of the larger of two roots, over a sample of the edges first. The default:
     * where a component has most of the arcs after the sample, its other arcs are not read.
     */
    ATOMIC,
    /** Plain stores with an arbitrary winner over all edges, in rounds, and pointer jumping. */
    ATOMIC_FREE
  }

  /** Which of two roots is hooked under the other; {@link Form#ATOMIC_FREE} only. */
  public enum Direction {
    /** In turn the smaller under the larger and the larger under the smaller. */
    ALTERNATING,
    /** The larger under the smaller. */
    FIXED
  }

  /** What is assumed of the order of the list of edges; {@link Form#ATOMIC_FREE} only. */
  public enum EdgeOrder {
    /** Nothing: each edge that would hook a root stores. */
    GIVEN,
    /** Nothing either, and there is none: the list is shuffled first, always in the same way. */
    SHUFFLED,
    /** That edges of one vertex lie together, as they do here: neighboring ones store once. */
    SORTED
  }

  /** What a run gives. */
  public enum Output {
    /** The component of each vertex. */
    LABELS,
    /** That, and the edges of a spanning forest. */
    FOREST
  }

  private static final SettingList SETTINGS = new SettingList();

  /** {@link #form()}. */
  public static final Setting<Form> FORM =
      SETTINGS.add(
          Setting.oneOf("form", Form.ATOMIC, "how two trees are united")
              .meaning(Form.TRANSACTIONAL, "transactions")
              .meaning(Form.ATOMIC, "compare-exchange")
              .meaning(Form.ATOMIC_FREE, "plain stores, in rounds"));

  /** {@link #output()}. */
  public static final Setting<Output> OUTPUT =
      SETTINGS.add(
          Setting.oneOf("output", Output.LABELS, "what a run returns")
              .meaning(Output.LABELS, "the component of each vertex")
              .meaning(Output.FOREST, "that, and a spanning forest"));

  /** {@link #direction()}. */
  public static final Setting<Direction> DIRECTION =
      SETTINGS.add(
          Setting.oneOf(
                  "direction", Direction.FIXED, "which of two roots is hooked under the other")
              .meaning(Direction.ALTERNATING, "the smaller and the larger in turn")
              .meaning(Direction.FIXED, "the larger")
              .onlyWith(FORM.is(Form.ATOMIC_FREE)));

  /** {@link #list()}. */
  public static final Setting<EdgeOrder> LIST =
      SETTINGS.add(
          Setting.oneOf("list", EdgeOrder.SORTED, "what order of the edges is assumed")
              .meaning(EdgeOrder.GIVEN, "none")
              .meaning(EdgeOrder.SHUFFLED, "none, and the list is shuffled first")
              .meaning(EdgeOrder.SORTED, "those of a vertex are adjacent, and store once")
              .onlyWith(FORM.is(Form.ATOMIC_FREE)));

  /** {@link #slots()}. */
  public static final Setting<Boolean> SLOTS =
      SETTINGS.add(
          Setting.flag(
                  "slots", true, "whether a sample of each vertex's edges is hooked over first")
              .onlyWith(LIST.is(EdgeOrder.GIVEN, EdgeOrder.SHUFFLED)));

  /** {@link #phaseTimes()}. */
  public static final Setting<Boolean> PHASE_TIMES = SETTINGS.add(Phase.TIMES);

  static {
    SETTINGS.addAll(TransactionSettings.onlyWith(FORM.is(Form.TRANSACTIONAL)));
  }

  private static final ComponentsOptions DEFAULTS = new ComponentsOptions();

  private ComponentsOptions() {}

  private ComponentsOptions(Map<String, Object> values) {
    super(values);
  }

  /** By compare-exchange, labels only, phases timed. */
  public static ComponentsOptions defaults() {
    return DEFAULTS;
  }

  @Override
  public List<Setting<?>> settings() {
    return SETTINGS.all();
  }

  @Override
  protected ComponentsOptions copy(Map<String, Object> changed) {
    return new ComponentsOptions(changed);
  }

  /** How the trees of two vertices are united; default {@link Form#ATOMIC}. */
  public Form form() {
    return get(FORM);
  }

  /** A copy with another {@link #form()}. */
  public ComponentsOptions withForm(Form value) {
    return with(FORM, value);
  }

  /** What a run gives; default {@link Output#LABELS}. */
  public Output output() {
    return get(OUTPUT);
  }

  /** A copy with another {@link #output()}. */
  public ComponentsOptions withOutput(Output value) {
    return with(OUTPUT, value);
  }

  /** Which of two roots is hooked under the other; default {@link Direction#FIXED}. */
  public Direction direction() {
    return get(DIRECTION);
  }

  /** A copy with another {@link #direction()}. */
  public ComponentsOptions withDirection(Direction value) {
    return with(DIRECTION, value);
  }

  /** What is assumed of the order of the edges; default {@link EdgeOrder#SORTED}. */
  public EdgeOrder list() {
    return get(LIST);
  }

  /** A copy with another {@link #list()}. */
  public ComponentsOptions withList(EdgeOrder value) {
    return with(LIST, value);
  }

  /**
   * Whether four edges of each vertex, whichever they are, are hooked over in the first two rounds;
   * not used by {@link EdgeOrder#SORTED}; default true.
   */
  public boolean slots() {
    return get(SLOTS);
  }

  /** A copy with another {@link #slots()}. */
  public ComponentsOptions withSlots(boolean value) {
    return with(SLOTS, value);
  }

  /**
   * Whether each phase is timed by itself, which waits for the device after every launch; default
   * true.
   */
  public boolean phaseTimes() {
    return get(PHASE_TIMES);
  }

  /** A copy with another {@link #phaseTimes()}. */
  public ComponentsOptions withPhaseTimes(boolean value) {
    return with(PHASE_TIMES, value);
  }

  /** How transactions run; used by {@link Form#TRANSACTIONAL} only. */
  public StmOptions stm() {
    return get(TransactionSettings.STM);
  }

  /** A copy with another {@link #stm()}. */
  public ComponentsOptions withStm(StmOptions value) {
    return with(TransactionSettings.STM, value);
  }
}
