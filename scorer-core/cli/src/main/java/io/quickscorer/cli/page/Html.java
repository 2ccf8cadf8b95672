// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.page;

import java.util.Locale;

/** Writes parts of self-contained HTML pages. Supports a light and a dark theme. */
public final class Html {
  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>%s</title>
      <style>
      :root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --page: #ffffff;
        --line: #d0d7de; --good: #1a7f37; --bad: #cf222e; --bar: #0969da; }
      @media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --quiet: #9198a1;
        --page: #0d1117; --line: #3d444d; --good: #3fb950; --bad: #f85149; --bar: #4493f8; } }
      body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page);
        max-width: 960px; margin: 0 auto; padding: 1rem; }
      h1 { font-size: 1.6rem; overflow-wrap: anywhere; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
      p.note, td.note { color: var(--quiet); }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; } th, td { text-align: left; padding: .25rem .8rem .25rem 0;
        border-bottom: 1px solid var(--line); vertical-align: top; }
      td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
      svg { width: 100%%; height: auto; } svg text { fill: var(--text); font-size: 12px; }
      @media (max-width: 600px) { svg:not(.small) text { font-size: 17px; } }
      .gain { fill: var(--good); } .loss { fill: var(--bad); } .bar, .dot { fill: var(--bar); }
      .dot { opacity: .5; } .curve { stroke: var(--bar); fill: none; stroke-width: 2; }
      .axis { stroke: var(--line); }
      .lists { display: grid; grid-template-columns: repeat(auto-fit, minmax(280px, 1fr)); gap: 1rem; }
      ol { margin: .3rem 0; padding-left: 1.6rem; } li.good::marker { color: var(--good);
        font-weight: bold; } li.good { font-weight: 600; } li { overflow-wrap: anywhere; }
      </style></head><body>
      """;

  private Html() {}

  /** Returns the start of a page, up to the tag of its body. */
  public static String head(String title) {
    return String.format(Locale.ROOT, HEAD, escape(title));
  }

  /**
   * Appends the start of a table to a page.
   *
   * @param headings the headings of the columns, separated by tabs
   */
  public static void table(StringBuilder page, String headings) {
    page.append("<div class=\"scroll\"><table><tr>");
    for (String heading : headings.split("\t")) {
      page.append("<th>").append(escape(heading));
    }
    page.append("</tr>");
  }

  /**
   * Appends a row of a table to a page.
   *
   * @param text the content of the first cell
   * @param format the formats of the other cells, separated by tabs
   * @param numbers the numbers in the other cells
   */
  public static void row(StringBuilder page, String text, String format, Object... numbers) {
    page.append("<tr><td>").append(escape(text));
    for (String cell : String.format(Locale.ROOT, format, numbers).split("\t")) {
      page.append("<td class=\"number\">").append(escape(cell));
    }
    page.append("</tr>");
  }

  /** Returns a copy of a text in which HTML's special characters are escaped. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
