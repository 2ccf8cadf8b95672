// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Draws plots as SVG text, for a page that begins with {@link Html#head}, whose CSS classes define
 * the colours for a light and a dark theme. All values must be finite.
 */
public final class Svg {
  private static final int WIDTH = 640;
  private static final int SMALL_WIDTH = 320;
  private static final int HEIGHT = 240;

  /** Width of the left margin, enough for nine digits in the larger text of narrow screens. */
  private static final int LEFT = 96;

  /** Height of the bottom margin: one line for the ends of the x axis, one line for its unit. */
  private static final int BOTTOM = 52;

  private static final int ENDS = 30;
  private static final int UNIT = 8;
  private static final int TOP = 10;
  private static final int RIGHT = 12;
  private static final int BAR = 22;
  private static final int LABEL = 230;
  private static final int MAX_LABEL = 22;
  private static final int NUMBER = LEFT;

  private Svg() {}

  /** A value with a label, drawn as a bar. */
  public record Bar(String label, double value) {}

  /** A point, with coordinates in the units of the plot's axes. */
  public record Point(double x, double y) {}

  /**
   * Draws a vertical column for each value: up from 0, or down if the value is negative. A tooltip
   * shows the label.
   */
  public static String columns(String title, List<Bar> bars) {
    List<Double> values = bars.stream().map(Bar::value).toList();
    double largest = values.stream().mapToDouble(Math::abs).max().orElse(0);
    double range = largest == 0 ? 1 : largest;
    double middle = TOP + (HEIGHT - TOP - BOTTOM) / 2.0;
    double half = (HEIGHT - TOP - BOTTOM) / 2.0;
    double step = (double) (WIDTH - LEFT - RIGHT) / Math.max(1, values.size());
    StringBuilder svg = open(title, WIDTH, HEIGHT);
    for (int i = 0; i < values.size(); i++) {
      double height = Math.abs(values.get(i)) / range * half;
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\">"
                  + "<title>%s</title></rect>",
              values.get(i) < 0 ? "loss" : "gain",
              LEFT + i * step,
              values.get(i) < 0 ? middle : middle - height,
              Math.max(0.5, step * 0.9),
              height,
              Html.escape(bars.get(i).label() + ": " + number(values.get(i)))));
    }
    line(svg, LEFT, middle, WIDTH - RIGHT, middle);
    text(svg, LEFT - 6, TOP + 8, "end", number(range));
    text(svg, LEFT - 6, middle + 4, "end", "0");
    text(svg, LEFT - 6, HEIGHT - BOTTOM, "end", number(-range));
    text(svg, (LEFT + WIDTH) / 2.0, HEIGHT - UNIT, "middle", values.size() + " queries, sorted");
    return svg.append("</svg>").toString();
  }

  /** Draws a horizontal bar for each value, with its label. Long labels are shortened. */
  public static String bars(String title, List<Bar> bars) {
    double largest = bars.stream().mapToDouble(Bar::value).max().orElse(0);
    StringBuilder svg = open(title, WIDTH, TOP + bars.size() * BAR + TOP);
    for (int i = 0; i < bars.size(); i++) {
      double length = largest <= 0 ? 0 : bars.get(i).value() / largest * (WIDTH - LABEL - NUMBER);
      double y = TOP + i * BAR;
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect class=\"bar\" x=\"%d\" y=\"%.1f\" width=\"%.2f\" height=\"%d\">"
                  + "<title>%s</title></rect>",
              LABEL,
              y,
              length,
              BAR - 6,
              Html.escape(bars.get(i).label())));
      text(svg, LABEL - 6, y + 12, "end", shortened(bars.get(i).label()));
      text(svg, LABEL + length + 6, y + 12, "start", number(bars.get(i).value()));
    }
    return svg.append("</svg>").toString();
  }

  /** Draws a curve through values, whose x coordinates are 1, 2, ... */
  public static String curve(String title, String unit, List<Double> values) {
    List<Point> points =
        IntStream.range(0, values.size()).mapToObj(i -> new Point(i + 1, values.get(i))).toList();
    Frame frame = Frame.of(points, WIDTH);
    StringBuilder svg = open(title, WIDTH, HEIGHT);
    StringBuilder path = new StringBuilder();
    points.forEach(point -> frame.to(path, point));
    svg.append("<path class=\"curve\" d=\"").append(path).append("\"/>");
    frame.axes(svg, unit);
    return svg.append("</svg>").toString();
  }

  /** A value with its confidence interval, {@code low} to {@code high}, at position {@code x}. */
  public record Band(double x, double low, double value, double high) {}

  /**
   * Draws shares from 0 to 1 with their intervals, and a horizontal line at {@code level}.
   *
   * @param bands in ascending order of x, at least 1
   */
  public static String band(String title, String unit, double level, List<Band> bands) {
    Frame frame = new Frame(bands.getFirst().x, bands.getLast().x, 0, 1, WIDTH);
    StringBuilder svg = open(title, WIDTH, HEIGHT);
    StringBuilder area = new StringBuilder();
    StringBuilder curve = new StringBuilder();
    bands.forEach(band -> frame.to(area, new Point(band.x, band.high)));
    bands.reversed().forEach(band -> frame.to(area, new Point(band.x, band.low)));
    bands.forEach(band -> frame.to(curve, new Point(band.x, band.value)));
    svg.append("<path class=\"bar\" opacity=\".25\" d=\"").append(area).append("Z\"/>");
    svg.append("<path class=\"curve\" d=\"").append(curve).append("\"/>");
    double y = frame.y(new Point(0, level));
    line(svg, LEFT, y, WIDTH - RIGHT, y);
    text(svg, LEFT - 6, y + 4, "end", number(level));
    frame.axes(svg, unit);
    return svg.append("</svg>").toString();
  }

  /**
   * A point with a vertical interval and a label.
   *
   * @param marked whether the point is highlighted
   */
  public record Choice(String label, Band band, boolean marked) {}

  /**
   * Draws points by cost (x) and value (y). A line joins the points whose value is higher than that
   * of all cheaper points.
   */
  public static String frontier(String title, String unit, List<Choice> choices) {
    List<Point> ends = new ArrayList<>();
    choices.forEach(choice -> ends.add(new Point(choice.band.x, choice.band.low)));
    choices.forEach(choice -> ends.add(new Point(choice.band.x, choice.band.high)));
    Frame frame = Frame.of(ends, WIDTH);
    StringBuilder svg = open(title, WIDTH, HEIGHT);
    StringBuilder path = new StringBuilder();
    double best = Double.NEGATIVE_INFINITY;
    for (Choice choice :
        choices.stream().sorted(Comparator.comparingDouble(c -> c.band.x)).toList()) {
      Band band = choice.band;
      Point point = new Point(band.x, band.value);
      double x = frame.x(point);
      if (band.value > best) {
        best = band.value;
        frame.to(path, point);
      }
      line(svg, x, frame.y(new Point(0, band.low)), x, frame.y(new Point(0, band.high)));
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle class=\"%s\" cx=\"%.2f\" cy=\"%.2f\" r=\"%d\"><title>%s</title></circle>",
              choice.marked ? "gain" : "bar",
              x,
              frame.y(point),
              choice.marked ? 6 : 3,
              Html.escape(choice.label)));
    }
    svg.append("<path class=\"curve\" d=\"").append(path).append("\"/>");
    frame.axes(svg, unit);
    return svg.append("</svg>").toString();
  }

  /**
   * Draws points and a diagonal: x is a share (0 to 1) before a change, y is the same share after
   * the change.
   */
  public static String before(String title, String unit, List<Point> points) {
    Frame frame = new Frame(0, 1, 0, 1, LEFT + HEIGHT - TOP - BOTTOM + RIGHT);
    StringBuilder svg = open(title, WIDTH, HEIGHT);
    Point end = new Point(1, 1);
    line(svg, LEFT, HEIGHT - BOTTOM, frame.x(end), frame.y(end));
    return scatter(svg, frame, unit, points);
  }

  /** Draws points in a plot of half the page's width; a long unit is shortened. */
  public static String smallScatter(String title, String unit, List<Point> points) {
    StringBuilder svg = open(title, SMALL_WIDTH, HEIGHT);
    return scatter(svg, Frame.of(points, SMALL_WIDTH), shortened(unit), points);
  }

  private static String scatter(StringBuilder svg, Frame frame, String unit, List<Point> points) {
    for (Point point : points) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle class=\"dot\" cx=\"%.2f\" cy=\"%.2f\" r=\"2\"/>",
              frame.x(point),
              frame.y(point)));
    }
    frame.axes(svg, unit);
    return svg.append("</svg>").toString();
  }

  /** The ranges of both axes. If all values of an axis are equal, they are drawn in the middle. */
  private record Frame(double minX, double maxX, double minY, double maxY, int width) {
    static Frame of(List<Point> points, int width) {
      return new Frame(
          points.stream().mapToDouble(Point::x).min().orElse(0),
          points.stream().mapToDouble(Point::x).max().orElse(0),
          points.stream().mapToDouble(Point::y).min().orElse(0),
          points.stream().mapToDouble(Point::y).max().orElse(0),
          width);
    }

    private static double share(double value, double min, double max) {
      return max > min ? (value - min) / (max - min) : 0.5;
    }

    double x(Point point) {
      return LEFT + share(point.x, minX, maxX) * (width - LEFT - RIGHT);
    }

    double y(Point point) {
      return HEIGHT - BOTTOM - share(point.y, minY, maxY) * (HEIGHT - TOP - BOTTOM);
    }

    /** Extends an SVG path by a line to a point. An empty path starts at the point. */
    void to(StringBuilder path, Point point) {
      path.append(path.isEmpty() ? 'M' : 'L');
      path.append(String.format(Locale.ROOT, "%.2f %.2f", x(point), y(point)));
    }

    void axes(StringBuilder svg, String unit) {
      double middle = (LEFT + width) / 2.0;
      line(svg, LEFT, HEIGHT - BOTTOM, width - RIGHT, HEIGHT - BOTTOM);
      line(svg, LEFT, TOP, LEFT, HEIGHT - BOTTOM);
      if (maxY > minY) {
        text(svg, LEFT - 6, TOP + 8, "end", number(maxY));
        text(svg, LEFT - 6, HEIGHT - BOTTOM, "end", number(minY));
      } else {
        text(svg, LEFT - 6, (HEIGHT - BOTTOM + TOP) / 2.0 + 4, "end", number(minY));
      }
      if (maxX > minX) {
        text(svg, LEFT, HEIGHT - ENDS, "start", number(minX));
        text(svg, width - RIGHT, HEIGHT - ENDS, "end", number(maxX));
      } else {
        text(svg, middle, HEIGHT - ENDS, "middle", number(minX));
      }
      text(svg, middle, HEIGHT - UNIT, "middle", unit);
    }
  }

  private static StringBuilder open(String title, int width, int height) {
    return new StringBuilder("<svg role=\"img\" ")
        .append(width < WIDTH ? "class=\"small\" " : "")
        .append("viewBox=\"0 0 ")
        .append(width)
        .append(' ')
        .append(height)
        .append("\"><title>")
        .append(Html.escape(title))
        .append("</title>");
  }

  private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
            x1,
            y1,
            x2,
            y2));
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        String.format(
            Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor));
    svg.append(Html.escape(text)).append("</text>");
  }

  private static String shortened(String label) {
    return label.length() <= MAX_LABEL ? label : label.substring(0, MAX_LABEL - 1) + "…";
  }

  /** Formats a number for a label: integers below a million unchanged, other numbers shortened. */
  private static String number(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e6) {
      return Long.toString((long) value);
    }
    double size = Math.abs(value);
    return size >= 1e5 || size < 1e-3
        ? String.format(Locale.ROOT, "%.2e", value)
        : String.format(Locale.ROOT, size >= 100 ? "%.0f" : "%.3f", value);
  }
}
