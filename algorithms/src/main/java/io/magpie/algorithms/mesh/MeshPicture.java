package io.magpie.algorithms.mesh;

import io.magpie.algorithms.internal.FileReplacement;
import io.magpie.algorithms.internal.PixelCanvas;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PngImage;
import io.magpie.algorithms.mesh.internal.QualityBound;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Draws meshes side by side and at the same scale: triangles with an angle below a bound in reds,
 * the darker the smaller the angle, the others pale, segments as thick lines.
 *
 * <p>A PNG shows meshes of any size: a triangle too small for that colors one sample of a pixel,
 * bad ones over good ones, and edges are drawn only where there is room between them. An SVG has
 * every triangle and edge, of at most {@value #SVG_TRIANGLES} triangles. Neither needs a display or
 * fonts, and both depend on nothing but the meshes and the settings.
 *
 * <p>Immutable: the methods that set something return another picture.
 */
public final class MeshPicture {
  /** The most triangles of an SVG. */
  public static final int SVG_TRIANGLES = 500_000;

  private static final int SMALLEST_SIZE = 16;
  private static final int LARGEST_SIZE = 8192;

  /** A pixel of a PNG is the mean of a square of samples with that side. */
  private static final int SAMPLES = 2;

  /** A PNG has edges from that length on, in samples. */
  private static final double SHORTEST_EDGE = 8;

  private static final int PAPER = 0xffffff;
  private static final int GOOD = 0xe6edf2;
  private static final int EDGE = 0x8796a3;
  private static final int SEGMENT = 0x14324a;

  /** Smallest angles in the lowest quarter below the bound, in the next one, and so on. */
  private static final int[] BAD = {0x8f0f14, 0xd42a24, 0xf5694a, 0xfbb08f};

  private final List<Mesh> meshes;
  private final double minimumAngle;
  private final int size;

  private MeshPicture(List<Mesh> meshes, double minimumAngle, int size) {
    this.meshes = meshes;
    this.minimumAngle = minimumAngle;
    this.size = size;
  }

  /** A mesh, with angles below 30 degrees colored, in 1000 pixels. */
  public static MeshPicture of(Mesh mesh) {
    return new MeshPicture(List.of(mesh), 30, 1000);
  }

  /**
   * Two meshes, the first on the left, with angles below 30 degrees colored, in 1000 pixels each.
   */
  public static MeshPicture of(Mesh before, Mesh after) {
    return new MeshPicture(List.of(before, after), 30, 1000);
  }

  /** The same with triangles colored that have an angle below so many degrees, 0 to 60. */
  public MeshPicture withMinimumAngle(double degrees) {
    if (!(degrees >= 0 && degrees <= 60)) {
      throw new IllegalArgumentException(
          "the minimum angle must be 0 to 60 degrees, not " + degrees);
    }
    return new MeshPicture(meshes, degrees, size);
  }

  /** The same with so many pixels, 16 to 8192, along the longer side of each mesh. */
  public MeshPicture withSize(int pixels) {
    if (pixels < SMALLEST_SIZE || pixels > LARGEST_SIZE) {
      throw new IllegalArgumentException(
          "a picture has " + SMALLEST_SIZE + " to " + LARGEST_SIZE + " pixels, not " + pixels);
    }
    return new MeshPicture(meshes, minimumAngle, pixels);
  }

  /**
   * Writes the picture. A file of that name is replaced when the new one is complete.
   *
   * @param file its name ends in .png or .svg, in small or capital letters
   * @throws IllegalArgumentException for another ending, or too many triangles for an SVG
   * @throws IOException if it cannot be written
   */
  public void write(Path file) throws IOException {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    if (!name.endsWith(".svg") && !name.endsWith(".png")) {
      throw new IllegalArgumentException(
          file + ": the name of a picture must end in .png or .svg, which is its format");
    }
    String text = name.endsWith(".svg") ? svg() : null;
    try (FileReplacement replacement = new FileReplacement(file)) {
      if (text != null) {
        replacement.sink().text(text);
      } else {
        PngImage.write(image(), replacement.sink());
      }
      replacement.complete();
      replacement.commit();
    }
  }

  /** The picture in pixels. */
  PixelImage image() {
    Frame frame = new Frame(SAMPLES);
    PixelImage image = new PixelImage(meshes.size() * frame.width, frame.height);
    for (int i = 0; i < meshes.size(); i++) {
      PixelCanvas canvas = new PixelCanvas(SAMPLES * frame.width, SAMPLES * frame.height, PAPER);
      paint(meshes.get(i), frame, canvas);
      canvas.shrinkInto(image, i * frame.width, SAMPLES);
    }
    return image;
  }

  private void paint(Mesh mesh, Frame frame, PixelCanvas canvas) {
    byte[] shades = shades(mesh);
    double[] x = new double[3];
    double[] y = new double[3];
    // Good ones first, then those just below the bound, and the worst last.
    for (int shade = BAD.length; shade >= 0; shade--) {
      int color = shade == BAD.length ? GOOD : BAD[shade];
      for (int t = 0; t < shades.length; t++) {
        if (shades[t] == shade) {
          for (int k = 0; k < 3; k++) {
            x[k] = frame.x(mesh, mesh.corner(t, k));
            y[k] = frame.y(mesh, mesh.corner(t, k));
          }
          canvas.triangle(x, y, color);
        }
      }
    }
    for (int t = 0; t < mesh.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        if (mesh.neighbor(t, k) < t) {
          line(mesh, mesh.corner(t, (k + 1) % 3), mesh.corner(t, (k + 2) % 3), frame, canvas);
        }
      }
    }
    for (int s = 0; s < mesh.segments(); s++) {
      int v = mesh.segmentStart(s);
      int w = mesh.segmentEnd(s);
      canvas.line(
          frame.x(mesh, v),
          frame.y(mesh, v),
          frame.x(mesh, w),
          frame.y(mesh, w),
          2 * SAMPLES,
          SEGMENT);
    }
  }

  private static void line(Mesh mesh, int v, int w, Frame frame, PixelCanvas canvas) {
    double x0 = frame.x(mesh, v);
    double y0 = frame.y(mesh, v);
    double x1 = frame.x(mesh, w);
    double y1 = frame.y(mesh, w);
    if (Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)) >= SHORTEST_EDGE) {
      canvas.line(x0, y0, x1, y1, 1, EDGE);
    }
  }

  /**
   * The picture as an SVG.
   *
   * @throws IllegalArgumentException if there are more than {@value #SVG_TRIANGLES} triangles
   */
  public String svg() {
    long triangles = meshes.stream().mapToLong(Mesh::triangles).sum();
    if (triangles > SVG_TRIANGLES) {
      throw new IllegalArgumentException(
          triangles
              + " triangles are too many for an SVG, which has at most "
              + SVG_TRIANGLES
              + ": write a PNG");
    }
    Frame frame = new Frame(1);
    StringBuilder svg = new StringBuilder();
    svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"")
        .append(meshes.size() * frame.width)
        .append("\" height=\"")
        .append(frame.height)
        .append("\">\n<rect width=\"100%\" height=\"100%\" fill=\"")
        .append(color(PAPER))
        .append("\"/>\n");
    for (int i = 0; i < meshes.size(); i++) {
      svg.append("<g transform=\"translate(")
          .append(i * frame.width)
          .append(" 0)\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n");
      draw(meshes.get(i), frame, svg);
      svg.append("</g>\n");
    }
    return svg.append("</svg>\n").toString();
  }

  private void draw(Mesh mesh, Frame frame, StringBuilder svg) {
    byte[] shades = shades(mesh);
    for (int shade = BAD.length; shade >= 0; shade--) {
      StringBuilder path = new StringBuilder();
      int count = 0;
      for (int t = 0; t < shades.length; t++) {
        if (shades[t] == shade) {
          count++;
          path.append('M');
          for (int k = 0; k < 3; k++) {
            point(mesh, mesh.corner(t, k), frame, path).append(k < 2 ? "L" : "Z");
          }
        }
      }
      if (count > 0) {
        svg.append("<path fill=\"")
            .append(color(shade == BAD.length ? GOOD : BAD[shade]))
            .append("\" stroke=\"")
            .append(color(EDGE))
            .append("\" stroke-width=\"0.5\" d=\"")
            .append(path)
            .append("\"><title>")
            .append(count)
            .append(shade == BAD.length ? " triangles from " : " triangles below ")
            .append(decimal(minimumAngle * Math.min(shade + 1, BAD.length) / BAD.length))
            .append(" degrees</title></path>\n");
      }
    }
    svg.append("<path fill=\"none\" stroke=\"")
        .append(color(SEGMENT))
        .append("\" stroke-width=\"1.5\" d=\"");
    for (int s = 0; s < mesh.segments(); s++) {
      point(mesh, mesh.segmentStart(s), frame, svg.append('M')).append('L');
      point(mesh, mesh.segmentEnd(s), frame, svg);
    }
    svg.append("\"/>\n");
  }

  private static StringBuilder point(Mesh mesh, int v, Frame frame, StringBuilder text) {
    return text.append(decimal(frame.x(mesh, v))).append(' ').append(decimal(frame.y(mesh, v)));
  }

  /** Two places at most. */
  private static String decimal(double value) {
    double rounded = Math.rint(value * 100) / 100;
    return rounded == Math.rint(rounded) ? Long.toString((long) rounded) : Double.toString(rounded);
  }

  private static String color(int rgb) {
    return String.format("#%06x", rgb);
  }

  /** Of each triangle the index in {@link #BAD}, or behind it. */
  private byte[] shades(Mesh mesh) {
    byte[] shades = new byte[mesh.triangles()];
    QualityBound[] bounds = new QualityBound[BAD.length];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = new QualityBound(minimumAngle * (i + 1) / BAD.length, 0);
    }
    for (int t = 0; t < shades.length; t++) {
      int a = mesh.corner(t, 0);
      int b = mesh.corner(t, 1);
      int c = mesh.corner(t, 2);
      int shade = BAD.length;
      while (shade > 0
          && bounds[shade - 1].tooSharp(
              mesh.x(a), mesh.y(a), mesh.x(b), mesh.y(b), mesh.x(c), mesh.y(c))) {
        shade--;
      }
      shades[t] = (byte) shade;
    }
    return shades;
  }

  /** Where points come to lie: the box around all meshes, with a margin, and y upwards. */
  private final class Frame {
    private static final int MARGIN = 8;

    /** In pixels. */
    final int width;

    final int height;

    private final int samples;
    private final double scale;
    private final double left;
    private final double top;

    Frame(int samples) {
      this.samples = samples;
      double minX = meshes.stream().mapToDouble(Mesh::minX).min().orElseThrow();
      double minY = meshes.stream().mapToDouble(Mesh::minY).min().orElseThrow();
      double maxX = meshes.stream().mapToDouble(Mesh::maxX).max().orElseThrow();
      double maxY = meshes.stream().mapToDouble(Mesh::maxY).max().orElseThrow();
      double extent = Math.max(maxX - minX, maxY - minY);
      scale = extent > 0 ? size / extent : 1;
      left = minX;
      top = maxY;
      width = 2 * MARGIN + pixels(maxX - minX);
      height = 2 * MARGIN + pixels(maxY - minY);
    }

    /** At least one, also of an empty mesh, whose box is inverted and infinite. */
    private int pixels(double length) {
      return Math.max(1, (int) Math.ceil(Math.min(size, scale * length)));
    }

    double x(Mesh mesh, int v) {
      return samples * (MARGIN + scale * (mesh.x(v) - left));
    }

    double y(Mesh mesh, int v) {
      return samples * (MARGIN + scale * (top - mesh.y(v)));
    }
  }
}
