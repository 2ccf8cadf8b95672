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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
  private InterleavedClicks.Outcomes outcomes =
      new InterleavedClicks.Outcomes(List.of(), List.of(), Map.of());

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
  void add(ClickTable.Row row) {
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
    Map<String, List<Integer>> bySegment =
        IntStream.range(0, outcomes.outcomes().size())
            .boxed()
            .collect(
                Collectors.groupingBy(
                    outcomes.segments()::get,
                    LinkedHashMap::new,
                    Collectors.mapping(outcomes.outcomes()::get, Collectors.toList())));
    if (bySegment.size() > 1) {
      bySegment.entrySet().stream()
          .sorted(
              Comparator.comparingInt(
                  (Map.Entry<String, List<Integer>> segment) -> -segment.getValue().size()))
          .limit(MAX_SEGMENTS)
          .forEach(segment -> segments.put(segment.getKey(), of(pair, segment.getValue())));
    }
    InterleavingResult all = of(pair, outcomes.outcomes());
    result = all;
    return all;
  }

  private InterleavingResult of(List<String> pair, List<Integer> chosen) {
    return InterleavingResult.of(pair.getFirst(), pair.getLast(), chosen, sequence);
  }

  private InterleavingResult known() {
    return Objects.requireNonNull(result);
  }

  /**
   * Returns lines of text with the numbers of events and searches, including those that were left
   * out.
   */
  private List<String> counts() {
    List<String> lines = new ArrayList<>();
    lines.add("    " + events.events() + " events");
    lines(events.leftOut()).forEach(lines::add);
    if (events.undated() > 0) {
      lines.add("      " + events.undated() + " without a [timestamp], treated as the latest");
    }
    lines.add("    " + outcomes.outcomes().size() + " searches with clicks");
    lines(outcomes.leftOut()).forEach(lines::add);
    return lines;
  }

  @Override
  public List<String> report() {
    InterleavingResult all = known();
    List<String> lines = counts();
    lines.add("    won by [" + all.first() + "]: " + all.wins());
    lines.add("    won by [" + all.second() + "]: " + all.losses());
    lines.add("    ties: " + all.ties());
    lines.add("    share of the wins, [" + all.first() + "]: " + all.shown());
    segments.forEach(
        (segment, some) ->
            lines.add(
                "      ["
                    + segment
                    + "], "
                    + (some.wins() + some.losses())
                    + " with a winner: "
                    + some.shown()));
    lines.add("    " + all.verdict());
    return lines;
  }

  /** Returns the result as a JSON object for other programs. */
  public Map<String, Object> json() {
    Map<String, Object> json = json(known());
    json.put("confidence", sequence.confidence());
    json.put("events", events.events());
    json.put("events_left_out", events.leftOut());
    json.put("searches_left_out", outcomes.leftOut());
    if (!segments.isEmpty()) {
      Map<String, Object> each = new LinkedHashMap<>();
      segments.forEach((segment, some) -> each.put(segment, json(some)));
      json.put("segments", each);
    }
    return json;
  }

  private static Map<String, Object> json(InterleavingResult some) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("models", List.of(some.first(), some.second()));
    Map<String, Long> wins = new LinkedHashMap<>();
    wins.put(some.first(), some.wins());
    wins.put(some.second(), some.losses());
    json.put("wins", wins);
    json.put("ties", some.ties());
    json.put("share_of_wins", some.share());
    json.put("share_interval", List.of(some.interval().low(), some.interval().high()));
    String better = some.better();
    if (better != null) {
      json.put("better", better);
    }
    return json;
  }

  @Override
  public String page() {
    InterleavingResult all = known();
    String title = all.first() + " and " + all.second() + ", interleaved";
    StringBuilder page = new StringBuilder(Html.head(title));
    page.append("<h1>").append(Html.escape(title)).append("</h1><p>");
    page.append(Html.escape(all.verdict())).append(".</p>");
    List<Svg.Band> bands = bands();
    if (bands.size() > 1) {
      page.append(
          Svg.band(
              "share of the wins of " + all.first(),
              "searches with a winner; share of the wins of " + all.first(),
              0.5,
              bands));
    }
    page.append("<div class=\"scroll\"><table><tr><th>searches</th><th>won by ");
    page.append(Html.escape(all.first())).append("</th><th>won by ");
    page.append(Html.escape(all.second()));
    page.append("</th><th>ties</th><th>share (interval)</th></tr>");
    row(page, "all", all);
    segments.forEach((segment, some) -> row(page, segment, some));
    page.append("</table></div><p class=\"note\">The interval has a confidence of ");
    page.append(sequence.confidence());
    page.append(
        " at all times together: you may check it after each search. Each segment has its own"
            + " interval, so among many segments some may be wrong.</p><ul>");
    counts().forEach(line -> page.append("<li>").append(Html.escape(line.strip())).append("</li>"));
    return page.append("</ul></body></html>\n").toString();
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
    for (int outcome : outcomes.outcomes()) {
      wins += outcome > 0 ? 1 : 0;
      losses += outcome < 0 ? 1 : 0;
      long decided = wins + losses;
      if (outcome != 0 && (decided % step == 0 || decided == winners)) {
        ConfidenceSequence.Interval at = sequence.interval(wins, losses);
        bands.add(new Svg.Band(decided, at.low(), (double) wins / decided, at.high()));
      }
    }
    return bands;
  }
}
