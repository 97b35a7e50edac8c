package io.magpie.examples.cli.commands;

import io.magpie.algorithms.internal.PixelCanvas;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PointDrawing;
import io.magpie.examples.cli.commands.RunTimeline.Bar;
import io.magpie.examples.cli.commands.RunTimeline.Ending;
import io.magpie.examples.cli.commands.RunTimeline.Link;
import io.magpie.verification.check.Dependency;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws a run: a row for each thread, time from left to right, and in the rows a bar for each
 * attempt, in the color of its end, with its item's number where that has room. Attempts that a
 * violation is about are outlined, and joined by arrows that say why one comes before the other. A
 * legend says how many ended in which way.
 *
 * <p>The picture depends on nothing but the timeline and the size.
 */
final class RunPicture {
  private static final int SAMPLES = PointDrawing.SAMPLES;

  /** Dots of a picture's width: so large letters are, whatever the size. */
  private static final int DOTS = 320;

  /** The following are in dots. */
  private static final int MARGIN = 4;

  private static final int GAP = 3;
  private static final int LINE = DotFont.HEIGHT + GAP;
  private static final int TALLEST_ROW = 48;
  private static final int TICK = 2;
  private static final int ARROW = 3;

  /** Of the number of an item in its bar, above and below. */
  private static final int PADDING = 2;

  /** All rows together are at most so high, of the width. */
  private static final double MOST_HEIGHT = 0.5;

  private static final int PAPER = 0xffffff;
  private static final int GROUND = 0xf1efea;
  private static final int INK = 0x14324a;
  private static final int COMMITTED = 0x3aa58b;
  private static final int ABORTED = 0xe2703a;
  private static final int CANCELED = 0x8fa3b3;
  private static final int UNFINISHED = 0xc0392b;

  private final RunTimeline timeline;
  private final int pixels;
  private final int dot;
  private final int width;
  private final Map<Integer, Integer> rows = new TreeMap<>(); // of the threads
  private final int labelWidth;
  private final int rowHeight;
  private final int barHeight;
  private final int top; // of the first row
  private final List<String> title; // in lines
  private final List<Entry> legend;
  private final List<String> notes;
  private final long first;
  private final long last;
  private PixelCanvas canvas;

  /**
   * @param pixels from left to right
   */
  RunPicture(RunTimeline timeline, int pixels) {
    this.timeline = timeline;
    this.pixels = pixels;
    width = SAMPLES * pixels;
    dot = Math.max(1, width / DOTS);
    timeline.bars().forEach(bar -> rows.put(bar.thread(), 0));
    int number = 0;
    for (Map.Entry<Integer, Integer> each : rows.entrySet()) {
      each.setValue(number++);
    }
    int widest = Math.max(DotFont.width("thread"), DotFont.width(timeline.unit()));
    for (int thread : rows.keySet()) {
      widest = Math.max(widest, DotFont.width(name(thread)));
    }
    labelWidth = widest * dot;
    legend = entries();
    notes = notes();
    title = lines(timeline.title(), width / dot - 2 * MARGIN);
    top = dot * (MARGIN + LINE * (title.size() + 1));
    int room = (int) (MOST_HEIGHT * width) / Math.max(1, rows.size());
    rowHeight = Math.max(1, Math.min(TALLEST_ROW * dot, room));
    int forText = (DotFont.ASCENT + 2 * PADDING) * dot;
    barHeight =
        Math.max(
            Math.max(1, rowHeight / 2),
            Math.min(forText, rowHeight - Math.max(SAMPLES, rowHeight / 8)));
    first = timeline.bars().stream().mapToLong(Bar::begin).min().orElse(0);
    last = timeline.bars().stream().mapToLong(Bar::end).max().orElse(first);
  }

  /**
   * A line's entry of the legend.
   *
   * @param left where it begins, in samples
   */
  private record Entry(Ending ending, String words, int line, int left) {}

  /** The color of a bar, 0xRRGGBB. */
  private static int color(Ending ending) {
    return switch (ending) {
      case COMMITTED -> COMMITTED;
      case ABORTED -> ABORTED;
      case CANCELED -> CANCELED;
      case UNFINISHED -> UNFINISHED;
    };
  }

  /**
   * Writes the picture as PNG. A file of that name is replaced when the new one is complete.
   *
   * @throws IOException if it cannot be written
   */
  void write(Path file) throws IOException {
    PointDrawing.write(image(), file);
  }

  /** The picture in pixels. */
  PixelImage image() {
    int below = TICK + GAP + LINE + GAP + LINE * (legendLines() + notes.size()) + MARGIN;
    int height = (top + rows.size() * rowHeight + dot * below + SAMPLES - 1) / SAMPLES;
    canvas = new PixelCanvas(width, SAMPLES * height, PAPER);
    head();
    rows.forEach(this::lane);
    axis();
    for (int i = 0; i < timeline.bars().size(); i++) {
      bar(i);
    }
    timeline.marked().forEach(this::outline);
    timeline.links().forEach(this::link);
    tell();
    PixelImage image = new PixelImage(pixels, height);
    canvas.shrinkInto(image, 0, SAMPLES);
    return image;
  }

  private void text(String text, int left, int textTop, int color) {
    DotFont.draw(canvas, text, left, textTop, dot, color);
  }

  private void head() {
    int y = dot * MARGIN;
    for (String line : title) {
      text(line, dot * MARGIN, y, INK);
      y += dot * LINE;
    }
    text("thread", dot * MARGIN, y, INK);
  }

  /** A text in lines of so many dots, as far as its words allow; none if it is empty. */
  private static List<String> lines(String text, int dots) {
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String word : text.split(" ", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (!line.isEmpty() && DotFont.width(longer) > dots) {
        lines.add(line);
        longer = word;
      }
      line = longer;
    }
    if (!line.isEmpty()) {
      lines.add(line);
    }
    return lines;
  }

  private static String name(int thread) {
    return thread < 0 ? "?" : Integer.toString(thread);
  }

  private int left() {
    return dot * (MARGIN + 2 * GAP) + labelWidth;
  }

  private int right() {
    return Math.max(left() + 1, width - dot * MARGIN);
  }

  /** Where the next thing begins at a time, in samples. */
  private int x(long time) {
    double part = last == first ? 0 : (double) (time - first) / (last - first);
    return left() + (int) Math.round(part * (right() - left()));
  }

  /** The upper edge of a row's bars. */
  private int barTop(int row) {
    return top + row * rowHeight + (rowHeight - barHeight) / 2;
  }

  private int row(Bar bar) {
    return rows.get(bar.thread());
  }

  private int barRight(Bar bar) {
    int begin = x(bar.begin());
    int end = x(bar.end());
    // A bar is seen, however short; and it ends before the next one begins.
    return end - begin > 2 * SAMPLES ? end - SAMPLES : Math.max(begin + SAMPLES, end);
  }

  private void lane(int thread, int row) {
    canvas.rectangle(left(), barTop(row), right(), barTop(row) + barHeight, GROUND);
    int named = (LINE * dot + rowHeight - 1) / rowHeight; // one in so many rows has room
    if (row % named == 0) {
      String name = name(thread);
      int textLeft = dot * MARGIN + labelWidth - dot * DotFont.width(name);
      text(name, textLeft, barTop(row) + (barHeight - dot * DotFont.ASCENT) / 2, INK);
    }
  }

  private void axis() {
    int y = top + rows.size() * rowHeight;
    canvas.rectangle(left(), y, right(), y + Math.max(1, dot / 2), INK);
    int below = y + dot * (TICK + GAP);
    text(
        timeline.unit(),
        dot * MARGIN + labelWidth - dot * DotFont.width(timeline.unit()),
        below,
        INK);
    // Other clocks than the simulator's begin anywhere.
    long origin = timeline.unit().equals(RunTimeline.STEPS) ? 0 : first;
    long step = step();
    long ticks = (last - origin) / step;
    for (long i = (first - origin + step - 1) / step; i <= ticks; i++) {
      long tick = i * step;
      int x = x(tick + origin);
      canvas.rectangle(x, y, x + Math.max(1, dot / 2), y + dot * TICK, INK);
      String number = Long.toString(tick);
      int half = dot * DotFont.width(number) / 2;
      text(number, Math.max(left(), Math.min(x - half, right() - 2 * half)), below, INK);
    }
  }

  /** From a tick to the next: 1, 2 or 5 times a power of ten, so that their numbers have room. */
  private long step() {
    long span = Math.max(1, last - first);
    long step = 1;
    int room = right() - left();
    for (int i = 0; step < span && step <= Long.MAX_VALUE / 5; i++) {
      int number = dot * DotFont.width(" " + span + " ");
      if ((double) step / span * room >= number) {
        break;
      }
      step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    }
    return step;
  }

  private void bar(int index) {
    Bar bar = timeline.bars().get(index);
    int begin = x(bar.begin());
    int end = barRight(bar);
    int y = barTop(row(bar));
    canvas.rectangle(begin, y, end, y + barHeight, color(bar.ending()));
    if (barHeight <= dot * DotFont.ASCENT) {
      return;
    }
    String item = Long.toString(bar.item());
    int textWidth = dot * DotFont.width(item);
    int textTop = y + (barHeight - dot * DotFont.ASCENT) / 2;
    if (textWidth + 2 * dot <= end - begin) {
      int color = bar.ending() == Ending.UNFINISHED ? PAPER : INK;
      text(item, begin + (end - begin - textWidth) / 2, textTop, color);
    } else if (end + textWidth + 3 * dot <= nextBegin(index)) {
      text(item, end + 2 * dot, textTop, INK);
    }
  }

  /** Where the next bar of the same row begins; the end of the row if there is none. */
  private int nextBegin(int index) {
    Bar bar = timeline.bars().get(index);
    for (int i = index + 1; i < timeline.bars().size(); i++) {
      Bar next = timeline.bars().get(i);
      if (next.thread() == bar.thread()) {
        return x(next.begin());
      }
    }
    return right();
  }

  private void outline(int index) {
    Bar bar = timeline.bars().get(index);
    int thick = thickness();
    int begin = x(bar.begin());
    int end = barRight(bar);
    int y = barTop(row(bar));
    int bottom = y + barHeight;
    canvas.rectangle(begin - thick, y - thick, end + thick, y, INK);
    canvas.rectangle(begin - thick, bottom, end + thick, bottom + thick, INK);
    canvas.rectangle(begin - thick, y, begin, bottom, INK);
    canvas.rectangle(end, y, end + thick, bottom, INK);
  }

  private int thickness() {
    return Math.max(SAMPLES, dot);
  }

  /** A line from a bar to another; those downward are left of those upward. */
  private void link(Link link) {
    Bar from = timeline.bars().get(link.from());
    Bar to = timeline.bars().get(link.to());
    int difference = row(to) - row(from);
    double part = difference > 0 ? 1.0 / 3 : 2.0 / 3;
    double x0 = along(from, difference == 0 ? 2.0 / 3 : part);
    double x1 = along(to, difference == 0 ? 1.0 / 3 : part);
    int thick = thickness();
    double y0 = barTop(row(from)) + (difference > 0 ? barHeight + thick : -thick);
    double y1 = barTop(row(to)) + (difference < 0 ? barHeight + thick : -thick);
    if (difference == 0) {
      // Above both, where rows are apart.
      double y = y0 - (rowHeight - barHeight) / 4.0;
      canvas.line(x0, y0, x0, y, thick, INK);
      canvas.line(x0, y, x1, y, thick, INK);
      canvas.line(x1, y, x1, y1, thick, INK);
      arrow(link, x1, y, x1, y1);
      label(link, (x0 + x1) / 2, y, 0);
    } else {
      canvas.line(x0, y0, x1, y1, thick, INK);
      arrow(link, x0, y0, x1, y1);
      label(link, (x0 + x1) / 2, (y0 + y1) / 2, difference > 0 ? -1 : 1);
    }
  }

  private double along(Bar bar, double part) {
    return x(bar.begin()) + part * (barRight(bar) - x(bar.begin()));
  }

  private void arrow(Link link, double x0, double y0, double x1, double y1) {
    double length = Math.hypot(x1 - x0, y1 - y0);
    if (link.kind() == null || length == 0) {
      return;
    }
    double alongX = (x1 - x0) / length * ARROW * dot;
    double alongY = (y1 - y0) / length * ARROW * dot;
    canvas.triangle(
        new double[] {x1, x1 - alongX - alongY * 0.6, x1 - alongX + alongY * 0.6},
        new double[] {y1, y1 - alongY + alongX * 0.6, y1 - alongY - alongX * 0.6},
        INK);
  }

  /**
   * Names a line.
   *
   * @param side of the place: -1 is left, 1 right, 0 on it
   */
  private void label(Link link, double x, double y, int side) {
    if (link.kind() == null) {
      return;
    }
    String text = link.kind().toString();
    int textWidth = dot * DotFont.width(text);
    int space = textWidth / 2 + 2 * dot;
    int textLeft = (int) x + side * space - textWidth / 2;
    int textTop = (int) y - dot * DotFont.ASCENT / 2;
    canvas.rectangle(
        textLeft - dot,
        textTop - dot,
        textLeft + textWidth + dot,
        textTop + dot * (DotFont.ASCENT + 1),
        PAPER);
    text(text, textLeft, textTop, INK);
  }

  /** How many ended in which way, then what is marked. */
  private void tell() {
    int y = top + rows.size() * rowHeight + dot * (TICK + GAP + LINE + GAP);
    int box = dot * DotFont.ASCENT;
    for (Entry each : legend) {
      int entryTop = y + each.line * dot * LINE;
      canvas.rectangle(each.left, entryTop, each.left + box, entryTop + box, color(each.ending));
      text(each.words, each.left + box + dot * GAP, entryTop, INK);
    }
    y += legendLines() * dot * LINE;
    for (String note : notes) {
      text(note, dot * MARGIN, y, INK);
      y += dot * LINE;
    }
  }

  private int legendLines() {
    return legend.isEmpty() ? 0 : legend.get(legend.size() - 1).line + 1;
  }

  /** The entries of the legend, in as many lines as they take. */
  private List<Entry> entries() {
    Map<Ending, Integer> counts = new EnumMap<>(Ending.class);
    timeline.bars().forEach(bar -> counts.merge(bar.ending(), 1, Integer::sum));
    List<Entry> entries = new ArrayList<>();
    int line = 0;
    int left = dot * MARGIN;
    for (Map.Entry<Ending, Integer> each : counts.entrySet()) {
      String words = each.getValue() + " " + each.getKey().name().toLowerCase(Locale.ROOT);
      int entryWidth = dot * (DotFont.ASCENT + GAP + DotFont.width(words));
      if (left > dot * MARGIN && left + entryWidth > width - dot * MARGIN) {
        line++;
        left = dot * MARGIN;
      }
      entries.add(new Entry(each.getKey(), words, line, left));
      left += entryWidth + 2 * dot * GAP;
    }
    return entries;
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    int shown = timeline.bars().size();
    if (shown < timeline.attempts()) {
      notes.add(
          String.format(Locale.ROOT, "shown: %d of %,d attempts", shown, timeline.attempts()));
    }
    if (!timeline.marked().isEmpty()) {
      boolean cycle = timeline.links().stream().anyMatch(each -> each.kind() != null);
      notes.add("outlined: " + (cycle ? "the cycle" : "attempts whose accesses show it"));
    }
    timeline.links().stream()
        .map(Link::kind)
        .filter(kind -> kind != null)
        .distinct()
        .sorted()
        .forEach(kind -> notes.add(kind + ": " + reason(kind)));
    return notes;
  }

  private static String reason(Dependency.Kind kind) {
    return switch (kind) {
      case WW -> "wrote the version that the other overwrote";
      case WR -> "wrote the version that the other read";
      case RW -> "read the version that the other overwrote";
      case RT -> "ended before the other began";
    };
  }
}
