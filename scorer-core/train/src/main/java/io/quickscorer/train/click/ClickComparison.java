// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.cli.page.Html;
import io.quickscorer.cli.page.Svg;
import io.quickscorer.train.data.Table;
import io.quickscorer.train.quality.PairedBootstrap;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares two models by the clicks on interleaved result lists, in which hits of both models are
 * mixed. The model whose clicked hits have the higher sum of credits (weights of clicks) wins the
 * search. A hit counts once per search, with the highest credit of the actions on it.
 */
public final class ClickComparison extends EventReader {
  /** Maximum number of segments (groups of searches) in the report; the largest ones are shown. */
  private static final int MAX_SEGMENTS = 20;

  /** Approximate number of points of the plot in the report. */
  private static final int POINTS = 400;

  /** Searches with more clicked hits than this are left out: no person clicks on so many hits. */
  private static final int MAX_HITS = 100;

  private final ConfidenceSequence sequence;
  private final Map<String, Search> searches = new LinkedHashMap<>();
  private final Map<String, Long> teams = new TreeMap<>();
  private final Map<String, Result> segments = new LinkedHashMap<>();
  private List<Integer> signs = List.of();
  private Result all;
  private int segmentsLeftOut;

  private static final class Search {
    private final long client;
    private final String segment;

    /** By model, then by hit id: the credit (weight) of each clicked hit from this model. */
    private final Map<String, Map<String, Double>> credits = new HashMap<>();

    private long time;

    Search(Click first) {
      client = first.client();
      segment = first.segment();
      time = first.time();
    }

    /** Returns 1 if the first of two models won this search, -1 if the second won, 0 for a tie. */
    int sign(List<String> pair) {
      return credit(pair.getFirst()).compareTo(credit(pair.getLast()));
    }

    /** Returns the exact sum: a sum of doubles such as 0.1 and 0.7 would turn ties into wins. */
    private BigDecimal credit(String team) {
      return credits.getOrDefault(team, Map.of()).values().stream()
          .map(BigDecimal::valueOf)
          .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
  }

  /**
   * The numbers of searches that each of two interleaved models won.
   *
   * @param first the name of the first model
   * @param second the name of the second model
   * @param wins number of searches that the first model won
   * @param losses number of searches that the second model won
   * @param ties number of searches that neither model won
   * @param interval confidence interval of the first model's share of the searches with a winner
   */
  public record Result(
      String first,
      String second,
      long wins,
      long losses,
      long ties,
      ConfidenceSequence.Interval interval) {
    /** Returns the number of searches with a winner. */
    long winners() {
      return wins + losses;
    }

    /** Returns the first model's share (0 to 1) of searches with a winner; 0.5 without winners. */
    double share() {
      return winners() == 0 ? 0.5 : (double) wins / winners();
    }

    /** Returns the name of the model that is significantly better; null if there is none yet. */
    @Nullable String better() {
      return interval.low() > 0.5 ? first : interval.high() < 0.5 ? second : null;
    }

    /**
     * Returns the first model's share of won searches, with its confidence interval, for users. The
     * numbers have enough digits that an interval without 0.5 is also shown without 0.5.
     */
    String shown() {
      double distance = Math.max(interval.low() - 0.5, 0.5 - interval.high());
      int digits = better() == null ? 3 : (int) Math.max(3, Math.ceil(-Math.log10(distance)));
      return PairedBootstrap.text("%." + digits + "f", share(), interval.low(), interval.high());
    }

    ObjectNode json() {
      ObjectNode json = JSON.createObjectNode();
      json.putArray("models").add(first).add(second);
      json.putObject("wins").put(first, wins).put(second, losses);
      json.put("ties", ties).put("share_of_wins", share());
      json.putArray("share_interval").add(interval.low()).add(interval.high());
      return better() == null ? json : json.put("better", better());
    }
  }

  /**
   * Creates a comparison without any clicks yet.
   *
   * @param maxSearches maximum number of searches that count for each client, the earliest first
   */
  public ClickComparison(Actions actions, ConfidenceSequence sequence, int maxSearches) {
    super(actions, maxSearches, List.of("query", "document", "clicked", "session", "team"));
    this.sequence = sequence;
    this.all = result(List.of("", ""), List.of());
  }

  /** Adds the click in a line of a table. The lines have no times, but are in order of time. */
  @Override
  void add(Table.Row row) {
    double clicked = row.number("clicked", 0);
    String session = row.text("session");
    String document = row.text("document");
    String team = row.text("team");
    if (Double.isNaN(clicked)) {
      leaveEvent("with [clicked] that is not a count");
    } else if (clicked == 0) {
      leaveEvent("not clicked");
      if (!team.isEmpty()) {
        teams.putIfAbsent(team, 0L);
      }
    } else if (session.isEmpty() || document.isEmpty() || team.isEmpty()) {
      leaveEvent("without a session, a document or a team");
    } else {
      String search = session + "\t" + row.text("query");
      add(new Click(search, hash(session), document, team, 1, events, ""));
    }
    events++;
  }

  @Override
  void add(Click click) {
    Search search = searches.computeIfAbsent(click.search(), id -> new Search(click));
    search.time = Math.min(search.time, click.time());
    search
        .credits
        .computeIfAbsent(click.team(), team -> new HashMap<>())
        .merge(click.document(), click.credit(), Math::max);
    teams.merge(click.team(), 1L, Long::sum);
  }

  /**
   * Compares two models by all clicks that were read.
   *
   * @param models the names of two models; may be empty if the hits are of only two models
   * @throws Failure if there are no clicks, or no hits of one of the models
   */
  public Result result(List<String> models) throws Failure {
    List<String> pair = models.isEmpty() ? List.copyOf(teams.keySet()) : models;
    if (searches.isEmpty()) {
      throw Failure.usage(
          "found no click on a hit of an interleaved search; "
              + events
              + " events were read, left out: "
              + eventsLeftOut);
    }
    if (pair.size() != 2 || !teams.keySet().containsAll(pair)) {
      throw Failure.usage(
          "--models: found "
              + pair
              + ", expected two models; the numbers of clicks on hits of each model are "
              + teams);
    }
    List<Search> counted = counted(pair);
    signs = counted.stream().map(search -> search.sign(pair)).toList();
    all = result(pair, signs);
    Map<String, List<Integer>> bySegment =
        counted.stream()
            .collect(
                Collectors.groupingBy(
                    search -> search.segment,
                    LinkedHashMap::new,
                    Collectors.mapping(search -> search.sign(pair), Collectors.toList())));
    if (!bySegment.keySet().equals(Set.of(""))) {
      bySegment.entrySet().stream()
          .sorted(Comparator.comparingInt(segment -> -segment.getValue().size()))
          .limit(MAX_SEGMENTS)
          .forEach(segment -> segments.put(segment.getKey(), result(pair, segment.getValue())));
      segmentsLeftOut = bySegment.size() - segments.size();
    }
    return all;
  }

  private Result result(List<String> pair, List<Integer> of) {
    long wins = of.stream().filter(sign -> sign > 0).count();
    long losses = of.stream().filter(sign -> sign < 0).count();
    ConfidenceSequence.Interval interval = sequence.interval(wins, losses);
    return new Result(
        pair.getFirst(), pair.getLast(), wins, losses, of.size() - wins - losses, interval);
  }

  /**
   * Returns the searches on which two models are compared, sorted by time. Records why other
   * searches are left out.
   *
   * @param pair the names of the two models
   */
  private List<Search> counted(List<String> pair) {
    List<Search> counted = new ArrayList<>();
    for (Search search :
        searches.values().stream().sorted(Comparator.comparingLong(one -> one.time)).toList()) {
      if (!pair.containsAll(search.credits.keySet())) {
        leave("with clicks on hits of other models");
      } else if (search.credits.values().stream().mapToInt(Map::size).sum() > MAX_HITS) {
        leave("with more than " + MAX_HITS + " clicked hits");
      } else if (isTooMany(search.client)) {
        leave("after the first " + maxSearches + " of a client");
      } else {
        counted.add(search);
      }
    }
    return counted;
  }

  /** Returns the result as lines of text for a console. */
  public List<String> report() {
    List<String> lines = new ArrayList<>();
    lines.add("    " + events + " events");
    lines.addAll(lines(eventsLeftOut));
    if (undated > 0) {
      lines.add("      " + undated + " without a readable [timestamp], treated as the latest");
    }
    lines.add("    " + signs.size() + " searches with clicks");
    lines.addAll(lines(leftOut));
    lines.add("    won by [" + all.first() + "]: " + all.wins());
    lines.add("    won by [" + all.second() + "]: " + all.losses());
    lines.add("    ties: " + all.ties());
    lines.add("    share of the wins, [" + all.first() + "]: " + all.shown());
    segments.forEach(
        (name, some) ->
            lines.add(
                "      ["
                    + name
                    + "], "
                    + some.winners()
                    + " searches with a winner: "
                    + some.shown()));
    if (segmentsLeftOut > 0) {
      lines.add("      left out: the " + segmentsLeftOut + " smallest segments");
    } else if (segments.isEmpty() && !signs.isEmpty() && !actions.segment().isEmpty()) {
      lines.add("      --segment: no search has the field [" + actions.segment() + "]");
    }
    @Nullable String better = all.better();
    lines.add(
        better == null
            ? "    no difference detected yet: the interval contains 0.5"
            : "    [" + better + "] is better");
    return lines;
  }

  /** Returns the result as a JSON object for other programs. */
  public ObjectNode json() {
    ObjectNode json = all.json();
    json.put("confidence", sequence.confidence()).put("events", events);
    json.set("events_left_out", JSON.valueToTree(eventsLeftOut));
    json.set("searches_left_out", JSON.valueToTree(leftOut));
    if (!segments.isEmpty()) {
      ObjectNode each = json.putObject("segments");
      segments.forEach((segment, one) -> each.set(segment, one.json()));
      json.put("segments_left_out", segmentsLeftOut);
    }
    return json;
  }

  /** Returns the result as a self-contained HTML page. */
  public String page() {
    StringBuilder body = new StringBuilder();
    List<Svg.Band> bands = bands();
    if (bands.size() > 1) {
      String share = "share of the wins of " + all.first();
      body.append(Svg.band(share, "searches with a winner; " + share, 0.5, bands));
    }
    String won = "won by " + all.first() + "\twon by " + all.second();
    Html.table(body, "searches\t" + won + "\tties\tshare (interval)");
    row(body, "all", all);
    segments.forEach((segment, some) -> row(body, segment, some));
    return page(
        all.first() + " and " + all.second() + ", interleaved",
        body.append("</table></div>").toString(),
        report(),
        "The interval has a confidence of "
            + sequence.confidence()
            + " at all times together: you may check it after each search. Each segment has its own"
            + " interval, so among many segments some may be wrong.");
  }

  /** Returns an HTML page with a title, a plot or table, the lines of a report, and a note. */
  static String page(String title, String plot, List<String> report, String note) {
    StringBuilder page = new StringBuilder(Html.head(title));
    page.append("<h1>").append(Html.escape(title)).append("</h1>").append(plot).append("<pre>");
    report.forEach(line -> page.append(Html.escape(line.substring(4))).append('\n'));
    return page.append("</pre><p class=\"note\">")
        .append(Html.escape(note))
        .append("</p></body></html>\n")
        .toString();
  }

  private static void row(StringBuilder page, String name, Result some) {
    Html.row(page, name, "%d\t%d\t%d\t%s", some.wins(), some.losses(), some.ties(), some.shown());
  }

  /**
   * Returns about {@link #POINTS} points of the plot: the first model's share of the won searches,
   * with its confidence interval, after different numbers of searches.
   */
  private List<Svg.Band> bands() {
    long step = Math.max(1, all.winners() / POINTS);
    List<Svg.Band> bands = new ArrayList<>();
    long wins = 0;
    long decided = 0;
    for (int sign : signs) {
      wins += sign > 0 ? 1 : 0;
      decided += Math.abs(sign);
      if (sign != 0 && (decided % step == 0 || decided == all.winners())) {
        ConfidenceSequence.Interval at = sequence.interval(wins, decided - wins);
        bands.add(new Svg.Band(decided, at.low(), (double) wins / decided, at.high()));
      }
    }
    return bands;
  }
}
