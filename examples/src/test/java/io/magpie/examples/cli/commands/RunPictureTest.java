package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.internal.PixelImage;
import io.magpie.examples.cli.commands.RunTimeline.Bar;
import io.magpie.examples.cli.commands.RunTimeline.Ending;
import io.magpie.examples.cli.commands.RunTimeline.Link;
import io.magpie.verification.check.Dependency;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.Anomaly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunPictureTest {
  private static final int PIXELS = 640;

  /** Pixels of a letter's height at that size, and of a box of the legend. */
  private static final int LETTER = 14;

  private static final int PAPER = 0xffffff;
  private static final int GROUND = 0xf1efea;
  private static final int INK = 0x14324a;

  @TempDir Path folder;

  /** Connected pixels of one color. */
  private record Spot(int left, int top, int right, int bottom) {
    /** Whether it is more than what a digit encloses. */
    boolean isLarge() {
      return bottom - top >= LETTER;
    }

    boolean isBar() {
      return bottom - top > LETTER;
    }
  }

  /** As the page tells them: green, orange, gray and red. */
  private static int color(Ending ending) {
    return switch (ending) {
      case COMMITTED -> 0x3aa58b;
      case ABORTED -> 0xe2703a;
      case CANCELED -> 0x8fa3b3;
      case UNFINISHED -> 0xc0392b;
    };
  }

  private static RunTimeline of(List<Bar> bars, Set<Integer> marked, List<Link> links) {
    return new RunTimeline(bars, marked, links, "", "steps", bars.size());
  }

  private static PixelImage image(RunTimeline timeline) {
    return new RunPicture(timeline, PIXELS).image();
  }

  private static List<Spot> spots(PixelImage image, int color) {
    boolean[][] seen = new boolean[image.width()][image.height()];
    List<Spot> spots = new ArrayList<>();
    for (int y = 0; y < image.height(); y++) {
      for (int x = 0; x < image.width(); x++) {
        if (image.get(x, y) == color && !seen[x][y]) {
          spots.add(spot(image, color, x, y, seen));
        }
      }
    }
    return spots;
  }

  private static Spot spot(PixelImage image, int color, int x0, int y0, boolean[][] seen) {
    int left = x0;
    int right = x0;
    int bottom = y0;
    List<int[]> open = new ArrayList<>(List.of(new int[] {x0, y0}));
    seen[x0][y0] = true;
    while (!open.isEmpty()) {
      int[] at = open.remove(open.size() - 1);
      left = Math.min(left, at[0]);
      right = Math.max(right, at[0]);
      bottom = Math.max(bottom, at[1]);
      for (int[] step : new int[][] {{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
        int x = at[0] + step[0];
        int y = at[1] + step[1];
        boolean inside = x >= 0 && x < image.width() && y >= 0 && y < image.height();
        if (inside && !seen[x][y] && image.get(x, y) == color) {
          seen[x][y] = true;
          open.add(new int[] {x, y});
        }
      }
    }
    return new Spot(left, y0, right + 1, bottom + 1);
  }

  /** Attempts of some threads with pauses in between, in the order of their beginnings. */
  private static List<Bar> drawn(Random random) {
    List<Bar> bars = new ArrayList<>();
    int threads = 1 + random.nextInt(5);
    for (int thread = 0; thread < threads; thread++) {
      long time = random.nextInt(30);
      for (int i = random.nextInt(7); i >= 0; i--) {
        long end = time + 15 + random.nextInt(30);
        Ending ending = Ending.values()[random.nextInt(Ending.values().length)];
        bars.add(new Bar(3 * thread, random.nextInt(100), 1, time, end, ending));
        time = end + 15 + random.nextInt(30);
      }
    }
    bars.sort((a, b) -> Long.compare(a.begin(), b.begin()));
    return bars;
  }

  /** As many as attempts that ended so, each as long as its attempt. */
  @Test
  void eachAttemptHasABarInItsColor() {
    Random random = new Random(1);
    for (int run = 0; run < 30; run++) {
      List<Bar> bars = drawn(random);
      PixelImage image = image(of(bars, Set.of(), List.of()));
      long first = bars.stream().mapToLong(Bar::begin).min().orElseThrow();
      long last = bars.stream().mapToLong(Bar::end).max().orElseThrow();
      int left = PIXELS;
      int right = 0;
      for (Ending ending : Ending.values()) {
        for (Spot each : spots(image, color(ending))) {
          left = each.isBar() ? Math.min(left, each.left) : left;
          right = each.isBar() ? Math.max(right, each.right) : right;
        }
      }
      for (Ending ending : Ending.values()) {
        List<Bar> expected = bars.stream().filter(bar -> bar.ending() == ending).toList();
        List<Spot> spots = spots(image, color(ending)).stream().filter(Spot::isLarge).toList();
        List<Spot> found = spots.stream().filter(Spot::isBar).toList();
        assertEquals(expected.size(), found.size(), ending + " of " + bars);
        int legend = expected.isEmpty() ? 0 : 1;
        assertEquals(found.size() + legend, spots.size(), ending + " of " + bars);
        double scale = (double) (right - left) / (last - first);
        double[] begins =
            expected.stream().mapToDouble(bar -> (bar.begin() - first) * scale).sorted().toArray();
        double[] seen = found.stream().mapToDouble(spot -> spot.left).sorted().toArray();
        for (int i = 0; i < begins.length; i++) {
          assertEquals(left + begins[i], seen[i], 3, ending + " of " + bars);
        }
      }
    }
  }

  /** Threads are rows, in their order: the bars of one have one height and place. */
  @Test
  void eachThreadHasARow() {
    List<Bar> bars =
        List.of(
            new Bar(9, 1, 1, 0, 10, Ending.COMMITTED),
            new Bar(2, 2, 1, 5, 10, Ending.ABORTED),
            new Bar(9, 3, 1, 20, 30, Ending.CANCELED));
    PixelImage image = image(of(bars, Set.of(), List.of()));
    Spot committed = bar(image, Ending.COMMITTED);
    Spot aborted = bar(image, Ending.ABORTED);
    Spot canceled = bar(image, Ending.CANCELED);
    assertEquals(committed.top, canceled.top);
    assertEquals(committed.bottom, canceled.bottom);
    assertTrue(aborted.bottom < committed.top, "thread 2 is above thread 9");
    assertEquals(aborted.bottom - aborted.top, committed.bottom - committed.top);
  }

  private static Spot bar(PixelImage image, Ending ending) {
    return spots(image, color(ending)).stream().filter(Spot::isBar).findFirst().orElseThrow();
  }

  /** Around the marked one alone, and an arrow's line leads from one to the other. */
  @Test
  void attemptsOfAViolationAreOutlinedAndJoined() {
    List<Bar> bars =
        List.of(
            new Bar(0, 1, 1, 0, 100, Ending.COMMITTED),
            new Bar(1, 2, 1, 0, 100, Ending.ABORTED),
            new Bar(2, 3, 1, 0, 100, Ending.CANCELED));
    PixelImage plain = image(of(bars, Set.of(), List.of()));
    PixelImage marked = image(of(bars, Set.of(0, 1), List.of(new Link(0, 1, Dependency.Kind.RW))));
    assertEquals(PIXELS, marked.width());
    assertTrue(marked.height() > plain.height(), "it says what the arrow means");
    for (Ending ending : List.of(Ending.COMMITTED, Ending.ABORTED, Ending.CANCELED)) {
      Spot bar = bar(marked, ending);
      int around = ending == Ending.CANCELED ? PAPER : INK;
      assertEquals(around, marked.get(bar.left + 5, bar.top - 1), ending + ", above");
      assertEquals(around, marked.get(bar.left + 5, bar.bottom), ending + ", below");
      assertEquals(PAPER, plain.get(bar.left + 5, bar.bottom), ending + ", not marked");
    }
    Spot upper = bar(marked, Ending.COMMITTED);
    Spot lower = bar(marked, Ending.ABORTED);
    int x = upper.left + (upper.right - upper.left) / 3;
    for (int y = upper.bottom; y < lower.top; y++) {
      assertEquals(INK, marked.get(x, y), "the line at " + y);
      assertEquals(PAPER, plain.get(x, y), "no line at " + y);
    }
    PixelImage back = image(of(bars, Set.of(0, 1), List.of(new Link(1, 0, Dependency.Kind.RW))));
    assertEquals(PAPER, back.get(x, (upper.bottom + lower.top) / 2), "upward, it is elsewhere");
    PixelImage other = image(of(bars, Set.of(0, 1), List.of(new Link(0, 1, Dependency.Kind.WW))));
    assertTrue(differ(marked, other), "another reason has another name");
  }

  private static boolean differ(PixelImage one, PixelImage other) {
    if (one.width() != other.width() || one.height() != other.height()) {
      return true;
    }
    for (int y = 0; y < one.height(); y++) {
      for (int x = 0; x < one.width(); x++) {
        if (one.get(x, y) != other.get(x, y)) {
          return true;
        }
      }
    }
    return false;
  }

  /** In the bar, beside it where it is short, and nowhere where another one follows at once. */
  @Test
  void itemsHaveTheirNumbersWhereThereIsRoom() {
    PixelImage one = image(of(of(1, 0, 500), Set.of(), List.of()));
    assertTrue(differ(one, image(of(of(2, 0, 500), Set.of(), List.of()))), "in it");
    PixelImage brief = image(of(of(1, 0, 10), Set.of(), List.of()));
    Spot bar = bar(brief, Ending.COMMITTED);
    assertTrue(inked(brief, bar.right, bar.right + 30, bar), "beside it");
    assertTrue(!inked(brief, bar.right + 30, bar.right + 100, bar), "no further");
    assertTrue(!differ(image(crowded(1)), image(crowded(8))), "no room");
  }

  /** An attempt that another short one follows at once, and one at the end of a long time. */
  private static RunTimeline crowded(long item) {
    List<Bar> bars =
        List.of(
            new Bar(0, item, 1, 0, 10, Ending.COMMITTED),
            new Bar(0, 2, 1, 11, 20, Ending.ABORTED),
            new Bar(0, 5, 1, 990, 1000, Ending.ABORTED));
    return of(bars, Set.of(), List.of());
  }

  @Test
  void anAttemptIsSeenHoweverShortItIs() {
    for (int begin = 500; begin < 504; begin++) { // wherever it is within a pixel
      List<Bar> bars =
          List.of(
              new Bar(0, 1, 1, 0, 10, Ending.COMMITTED),
              new Bar(0, 2, 1, begin, begin, Ending.CANCELED),
              new Bar(0, 3, 1, 900, 1000, Ending.COMMITTED));
      PixelImage image = image(of(bars, Set.of(), List.of()));
      Spot other = bar(image, Ending.COMMITTED);
      boolean seen = false;
      for (int x = 300; x < 500; x++) {
        int at = image.get(x, other.top + 1); // above the item's number
        seen |= at != PAPER && at != GROUND;
      }
      assertTrue(seen, "at " + begin);
    }
  }

  /** An attempt, and one at the end of a long time. */
  private static List<Bar> of(long item, long begin, long end) {
    return List.of(
        new Bar(0, item, 1, begin, end, Ending.COMMITTED),
        new Bar(0, 5, 1, 990, 1000, Ending.ABORTED));
  }

  private static boolean inked(PixelImage image, int from, int to, Spot row) {
    for (int x = from; x < to; x++) {
      for (int y = row.top; y < row.bottom; y++) {
        if (image.get(x, y) == INK) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void anySizeAndAnyNumberOfAttemptsAreDrawn() throws IOException {
    List<Bar> many = new ArrayList<>();
    for (int i = 0; i < RunTimeline.MOST_ATTEMPTS; i++) {
      many.add(new Bar(i, i, 1, i, i, Ending.COMMITTED));
    }
    List<Bar> far =
        List.of(
            new Bar(-1, 1, 1, 0, Long.MAX_VALUE, Ending.CANCELED),
            new Bar(Integer.MAX_VALUE, 1, 1, Long.MAX_VALUE, Long.MAX_VALUE, Ending.ABORTED));
    List<Link> own = List.of(new Link(0, 1, Dependency.Kind.RT), new Link(1, 0, null));
    List<Bar> same = Collections.nCopies(2, new Bar(0, 1, 1, 5, 5, Ending.UNFINISHED));
    for (int pixels : new int[] {16, 100, 330, 1000}) {
      for (RunTimeline each :
          List.of(
              of(List.of(), Set.of(), List.of()),
              of(many, Set.of(0, 1), own),
              of(far, Set.of(0, 1), own),
              of(same, Set.of(0, 1), own))) {
        PixelImage image = new RunPicture(each, pixels).image();
        assertEquals(pixels, image.width());
      }
    }
    PixelImage image = image(of(many, Set.of(), List.of()));
    assertTrue(image.height() <= PIXELS * 3 / 4, image.height() + " pixels high");
    assertNotEquals(0, spots(image, color(Ending.COMMITTED)).size());
  }

  /** Also the last character of what can be said, which takes more than a line. */
  @Test
  void titlesAreNotCutOff() {
    List<Violation.Kind> kinds =
        List.of(
            Violation.Kind.NOT_SERIALIZABLE,
            Violation.Kind.NOT_STRICTLY_SERIALIZABLE,
            Violation.Kind.NOT_OPAQUE);
    for (Violation.Kind kind : kinds) {
      for (Anomaly anomaly : Anomaly.values()) {
        String title = kind.words() + ": " + anomaly.title();
        String other = title.substring(0, title.length() - 1) + "?";
        for (int pixels : new int[] {320, 640, 1000}) {
          assertTrue(
              differ(titled(title, pixels), titled(other, pixels)), pixels + " pixels: " + title);
        }
      }
    }
  }

  private static PixelImage titled(String title, int pixels) {
    RunTimeline timeline = new RunTimeline(of(1, 0, 500), Set.of(), List.of(), title, "steps", 2);
    return new RunPicture(timeline, pixels).image();
  }

  /** The picture depends on nothing but the timeline and the size. */
  /** What is left out is told in a line below the legend. */
  @Test
  void aPartOfARunSaysThatItIsOne() {
    List<Bar> bars = List.of(new Bar(0, 0, 1, 0, 9, Ending.COMMITTED));
    PixelImage all = image(of(bars, Set.of(), List.of()));
    PixelImage part =
        image(new RunTimeline(bars, Set.of(), List.of(), "", "steps", 1_000_000_000_000L));
    assertTrue(part.height() >= all.height() + LETTER, part.height() + " of " + all.height());
    int[] ink = {0, 0};
    for (int y = all.height() - 1; y < part.height(); y++) {
      for (int x = 0; x < PIXELS; x++) {
        ink[x < PIXELS - LETTER / 2 ? 0 : 1] += part.get(x, y) == INK ? 1 : 0;
      }
    }
    assertTrue(ink[0] > 0, "nothing is told");
    assertEquals(0, ink[1], "it is cut off");
  }

  @Test
  void equalTimelinesHaveEqualPictures() throws IOException {
    List<Path> files = new ArrayList<>();
    for (int seed : new int[] {4, 4, 5}) {
      Path file = folder.resolve(files.size() + ".png");
      new RunPicture(of(drawn(new Random(seed)), Set.of(), List.of()), 200).write(file);
      files.add(file);
    }
    assertEquals(-1, Files.mismatch(files.get(0), files.get(1)));
    assertNotEquals(-1, Files.mismatch(files.get(0), files.get(2)));
  }
}
