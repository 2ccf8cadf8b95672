// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.page.Html;
import io.quickscorer.cli.page.Svg;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares two interleaved models by click events. Shows the result as lines of text, as JSON, and
 * as an HTML page with a plot. For use by one thread.
 */
public final class ClickComparison extends ClickStudy {
  /**
   * Maximum number of segments (groups of searches) to show. Those with the most searches are
   * shown.
   */
  private static final int MAX_SEGMENTS = 20;

  /** Approximate number of points of the plot in the report. */
  private static final int POINTS = 400;

  private final ConfidenceSequence sequence;
  private final int maxSearches;
  private final InterleavedClicks clicks = new InterleavedClicks();
  private final Map<String, InterleavingResult> segments = new LinkedHashMap<>();
  private @Nullable InterleavingResult result;
  private InterleavedClicks.Outcomes outcomes = new InterleavedClicks.Outcomes(List.of(), Map.of());

  /**
   * Creates a comparison without events.
   *
   * @param maxSearches maximum number of searches that count for each client; later searches are
   *     left out
   */
  public ClickComparison(EventReader events, ConfidenceSequence sequence, int maxSearches) {
    super(events, List.of("query", "document", "clicked", "session", "team"));
    this.sequence = sequence;
    this.maxSearches = maxSearches;
  }

  @Override
  void add(JsonNode record) {
    events.read(record, clicks::add);
  }

  @Override
  void add(Records.Row row) {
    events.read(row, events.events(), clicks::add);
  }

  /**
   * Compares two models by all events that were read.
   *
   * @param models the names of two models; empty for those in the events
   * @throws Failure if the events have no clicks on hits of both models; the message lists the
   *     models in the events
   */
  public InterleavingResult result(List<String> models) throws Failure {
    Map<String, Long> teams = clicks.teams();
    List<String> pair = models.isEmpty() ? List.copyOf(teams.keySet()) : models;
    if (teams.isEmpty()) {
      throw Failure.usage(
          "found no click on a hit of an interleaved search; "
              + events.events()
              + " events were read, left out: "
              + events.leftOut());
    }
    if (pair.size() != 2 || !teams.keySet().containsAll(pair)) {
      throw Failure.usage(
          "--models: found "
              + pair
              + ", expected two models with clicks; the events contain clicks on hits of "
              + teams);
    }
    outcomes = clicks.of(pair.getFirst(), pair.getLast(), maxSearches);
    Map<String, List<InterleavedClicks.Outcome>> bySegment =
        outcomes.searches().stream()
            .collect(
                Collectors.groupingBy(
                    InterleavedClicks.Outcome::segment, LinkedHashMap::new, Collectors.toList()));
    bySegment.entrySet().stream()
        .sorted(Comparator.comparingInt(segment -> -segment.getValue().size()))
        .limit(bySegment.size() > 1 ? MAX_SEGMENTS : 0)
        .forEach(
            segment ->
                segments.put(
                    segment.getKey(), InterleavingResult.of(pair, segment.getValue(), sequence)));
    result = InterleavingResult.of(pair, outcomes.searches(), sequence);
    return known();
  }

  private InterleavingResult known() {
    return Objects.requireNonNull(result);
  }

  @Override
  public List<String> report() {
    InterleavingResult all = known();
    List<String> lines = new ArrayList<>();
    lines.add("    " + events.events() + " events");
    lines(events.leftOut()).forEach(lines::add);
    if (events.undated() > 0) {
      lines.add("      " + events.undated() + " without a [timestamp], treated as the latest");
    }
    lines.add("    " + outcomes.searches().size() + " searches with clicks");
    lines(outcomes.leftOut()).forEach(lines::add);
    lines.add("    won by [" + all.first() + "]: " + all.wins());
    lines.add("    won by [" + all.second() + "]: " + all.losses());
    lines.add("    ties: " + all.ties());
    lines.add("    share of the wins, [" + all.first() + "]: " + all.shown());
    segments.forEach(
        (segment, some) -> {
          long winners = some.wins() + some.losses();
          lines.add("      [" + segment + "], " + winners + " with a winner: " + some.shown());
        });
    lines.add("    " + all.verdict());
    return lines;
  }

  /** Returns the result as a JSON object for other programs. */
  public ObjectNode json() {
    ObjectNode json = known().json();
    json.put("confidence", sequence.confidence()).put("events", events.events());
    ObjectNode some = json.putObject("events_left_out");
    events.leftOut().forEach(some::put);
    ObjectNode others = json.putObject("searches_left_out");
    outcomes.leftOut().forEach(others::put);
    if (!segments.isEmpty()) {
      ObjectNode each = json.putObject("segments");
      segments.forEach((segment, one) -> each.set(segment, one.json()));
    }
    return json;
  }

  @Override
  public String page() {
    InterleavingResult all = known();
    String title = all.first() + " and " + all.second() + ", interleaved";
    StringBuilder page = new StringBuilder(Html.head(title));
    page.append("<h1>").append(Html.escape(title)).append("</h1>");
    List<Svg.Band> bands = bands();
    if (bands.size() > 1) {
      String share = "share of the wins of " + all.first();
      page.append(Svg.band(share, "searches with a winner; " + share, 0.5, bands));
    }
    page.append("<div class=\"scroll\"><table><tr><th>searches</th>");
    for (String heading :
        List.of("won by " + all.first(), "won by " + all.second(), "ties", "share (interval)")) {
      page.append("<th>").append(Html.escape(heading)).append("</th>");
    }
    page.append("</tr>");
    row(page, "all", all);
    segments.forEach((segment, some) -> row(page, segment, some));
    page.append("</table></div>");
    appendReport(page);
    return page.append("<p class=\"note\">The interval has a confidence of ")
        .append(sequence.confidence())
        .append(
            " at all times together: you may check it after each search. Each segment has its own"
                + " interval, so among many segments some may be wrong.</p></body></html>\n")
        .toString();
  }

  private static void row(StringBuilder page, String name, InterleavingResult some) {
    Html.row(page, name, "%d\t%d\t%d\t%s", some.wins(), some.losses(), some.ties(), some.shown());
  }

  /**
   * Returns the points of the plot: the first model's share of wins and its confidence interval,
   * after about {@link #POINTS} numbers of searches.
   */
  private List<Svg.Band> bands() {
    InterleavingResult all = known();
    long winners = all.wins() + all.losses();
    long step = Math.max(1, winners / POINTS);
    List<Svg.Band> bands = new ArrayList<>();
    long wins = 0;
    long losses = 0;
    for (InterleavedClicks.Outcome outcome : outcomes.searches()) {
      wins += outcome.sign() > 0 ? 1 : 0;
      losses += outcome.sign() < 0 ? 1 : 0;
      long decided = wins + losses;
      if (outcome.sign() != 0 && (decided % step == 0 || decided == winners)) {
        ConfidenceSequence.Interval at = sequence.interval(wins, losses);
        bands.add(new Svg.Band(decided, at.low(), (double) wins / decided, at.high()));
      }
    }
    return bands;
  }
}
