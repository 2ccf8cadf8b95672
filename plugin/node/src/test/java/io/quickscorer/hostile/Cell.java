// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.Trial.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Changes of a scenario's requests, and what they have cost so far. Not safe for threads. */
final class Cell {
  /** Sizes of changes; the last is more than a body may have. */
  private static final int[] LADDER = {1_024, 32_768, 1 << 20, 1 << 24};

  /** A size below most limits of numbers of things, for what the first one is beyond. */
  private static final int FEW = 48;

  /** Rungs whose cost is little. */
  private static final int SMALL = 2;

  private static final double CHEAP = 0.3;
  private static final long LARGE = 500_000;

  private final Scenario scenario;
  private List<Change> changes;
  private int rung = -1;
  private @Nullable Outcome last;
  private @Nullable Outcome before;

  /** The largest sizes that were not refused, or else of those that cost little. */
  private List<Change> useful;

  private double usefulCost;
  private boolean accepted;
  private boolean few;

  Cell(Scenario scenario, List<Change> changes) {
    this.scenario = scenario;
    this.changes = changes;
    this.useful = changes;
  }

  /**
   * Changes of sizes that are known to multiply.
   *
   * @param cost seconds
   */
  static Cell grown(Scenario scenario, List<Change> changes, double cost) {
    Cell cell = new Cell(scenario, changes);
    cell.accepted = true;
    cell.usefulCost = cost;
    return cell;
  }

  Scenario scenario() {
    return scenario;
  }

  List<Change> changes() {
    return changes;
  }

  List<Change> useful() {
    return useful;
  }

  /** Seconds that they take more than the right requests. */
  double usefulCost() {
    return usefulCost;
  }

  boolean isAccepted() {
    return accepted;
  }

  /** Whether its requests have a size of which any reader would take notice. */
  boolean isLarge() {
    return last != null && last.sent() > LARGE;
  }

  /** Whether its next size is small still. */
  boolean isNew() {
    return rung < SMALL - 1;
  }

  boolean isDone() {
    return rung >= LADDER.length - 1;
  }

  /** The changes in the next size. */
  List<Change> next() {
    if (rung == 0 && !few && last != null && last.refusal() != null) {
      few = true;
      return sized(changes, FEW);
    }
    rung++;
    changes = sized(changes, LADDER[rung]);
    return changes;
  }

  static List<Change> sized(List<Change> changes, int size) {
    return changes.stream().map(change -> change.withSize(size)).toList();
  }

  /**
   * Remembers what {@link #next} has cost.
   *
   * @param base seconds that the right requests cost
   */
  void learn(List<Change> sized, Outcome outcome, double base) {
    boolean taken = outcome.refusal() == null;
    double cost = Math.max(0, outcome.cost() - base);
    if (cost < CHEAP && (taken || !accepted && rung < SMALL)) {
      accepted |= taken;
      useful = sized;
      usefulCost = cost;
    }
    if (sized.equals(changes)) {
      before = last;
      last = outcome;
    }
  }

  double growthOfSize() {
    return rung == 0 ? 1 : LADDER[rung] / (double) LADDER[rung - 1];
  }

  /** The changes in the size before that of {@link #next}. */
  List<Change> smaller() {
    return sized(changes, LADDER[rung - 1]);
  }

  @Nullable Outcome before() {
    return before;
  }

  /** Seconds that the largest size would cost, if it goes on like this. */
  double promise(double base) {
    if (last == null || isDone()) {
      return 0;
    }
    double now = Math.max(0.001, last.cost() - base);
    double then = before == null ? now : Math.max(0.001, before.cost() - base);
    double exponent = Math.log(now / then) / Math.log(growthOfSize());
    double room = LADDER[LADDER.length - 1] / (double) LADDER[rung];
    if (before != null && last.sent() > 2 * before.sent()) {
      room = Math.min(room, Trial.BUDGET / (double) last.sent());
    } else if (before != null && last.sent() < before.sent() + 8 && room > 1) {
      boolean numbers = changes.stream().anyMatch(Change::isNumber);
      room = numbers ? room : 1; // What grows is gone, or as large as can be.
    }
    return now * Math.pow(Math.max(1, room), Math.clamp(exponent, 0, 2));
  }

  /** The route and the field, or how its text grows, of each change. */
  List<String> keys() {
    List<String> keys = new ArrayList<>();
    for (Change change : changes) {
      JsonNode request = scenario.requests().get(change.request());
      List<String> path = change.path();
      String field = path.getLast();
      for (int i = path.size() - 1; i > 0 && field.matches("\\d+|!"); i--) {
        field = path.get(i);
      }
      String where = change.kind() == Change.Kind.TEXT ? "" : " " + field;
      keys.add(route(request) + " " + (change.grows() ? change.label() : "ENDS") + where);
    }
    return keys;
  }

  /** The routes and kinds alone, whatever the field. */
  List<String> kinds() {
    return changes.stream()
        .map(c -> route(scenario.requests().get(c.request())) + " " + c.kind())
        .toList();
  }

  private static String route(JsonNode request) {
    String path = request.path("path").asString().replaceAll("^/(few|docs3?)/", "/");
    return request.path("method").asString() + " " + path.replaceAll("/x\\w$", "/x");
  }

  /** As a property repeats it. */
  String replay(List<Change> some) {
    StringBuilder text = new StringBuilder("-Dhostile.replay='" + scenario.name());
    some.forEach(change -> text.append('|').append(change));
    return text.append('\'').toString();
  }
}
