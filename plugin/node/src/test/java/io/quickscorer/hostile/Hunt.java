// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.Trial.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Looks for requests that cost a node much more than they should: changes right requests at random
 * places, enlarges what it changed as long as that costs more, and goes on from the changes that
 * cost most.
 */
final class Hunt {
  /** Sizes of changes; the last is as large as a body may be. */
  private static final int[] LADDER = {16, 1_024, 32_768, 1 << 20, 1 << 22};

  private static final int CORPUS = 60;
  private static final int MAX_STEPS = 20;
  private static final int MINIMISING = 12;
  private static final double PROMISING = 0.8;
  private static final double DULL = 2;

  /** Seconds from which growth is told from chance. */
  private static final double LITTLE = 0.05;

  private static final double MUCH = 1.5;

  private static final double EXPONENT = Math.log(2.6) / Math.log(2);
  private static final int SAME = 2;

  private final Trial trial;
  private final SplittableRandom random;
  private final List<Request> requests = new ArrayList<>();

  /** Sums of the roots of how many places the requests have. */
  private final int[] weights;

  private final List<Candidate> corpus = new ArrayList<>();
  private final Map<String, String> findings = new LinkedHashMap<>();
  private final Map<String, Integer> found = new HashMap<>();
  private final Set<String> known = new HashSet<>();
  private final long started = System.nanoTime();

  /**
   * A request that can be changed.
   *
   * @param places what can be changed, the path and what is the server's own less often
   */
  private record Request(Scenario scenario, int number, List<Place> places) {}

  private record Candidate(Scenario scenario, List<Change> changes, double cost) {}

  Hunt(Trial trial, List<Scenario> scenarios, SplittableRandom random) {
    this.trial = trial;
    this.random = random;
    for (Scenario scenario : scenarios) {
      for (int r = 0; r < scenario.requests().size(); r++) {
        boolean search = scenario.requests().get(r).path("path").asString().endsWith("_search");
        List<Place> places = new ArrayList<>();
        for (Place place : Place.in(scenario.requests())) {
          if (place.request() == r
              && (place.path().size() != 2
                  || List.of("body", "path").contains(place.path().getLast()))) {
            places.addAll(Collections.nCopies(weight(place, search), place));
          }
        }
        requests.add(new Request(scenario, r, places));
      }
    }
    weights = new int[requests.size()];
    for (int r = 0, sum = 0; r < weights.length; r++) {
      sum += (int) Math.ceil(Math.sqrt(requests.get(r).places.size()));
      weights[r] = sum;
    }
  }

  /** One line for each kind of fault. */
  List<String> findings() {
    return List.copyOf(findings.values());
  }

  /** One attempt: some changes of some scenario, enlarged as far as it pays. */
  void attempt() throws Exception {
    Scenario scenario;
    List<Change> changes;
    if (!corpus.isEmpty() && random.nextInt(4) == 0) {
      // Of two, that which costs more.
      Candidate one = Words.pick(corpus, random);
      Candidate other = Words.pick(corpus, random);
      Candidate from = one.cost > other.cost ? one : other;
      scenario = from.scenario;
      changes = new ArrayList<>(from.changes);
      if (changes.size() > 1 && random.nextInt(4) == 0) {
        changes.remove(random.nextInt(changes.size()));
      }
      changes.add(another(scenario, changes));
    } else {
      int target = random.nextInt(weights[weights.length - 1]);
      int at = 0;
      while (weights[at] <= target) {
        at++;
      }
      scenario = requests.get(at).scenario;
      changes = new ArrayList<>();
      changes.add(change(requests.get(at).places, true));
      for (int more = random.nextInt(5) - 2; more > 0; more--) {
        changes.add(another(scenario, changes));
      }
    }
    if (!isKnown(scenario, changes)) {
      climb(scenario, changes);
    }
  }

  /** How often a place is chosen: sizes and texts promise more than names do. */
  private static int weight(Place place, boolean search) {
    boolean servers =
        search && place.path().size() > 3 && List.of("query", "aggs").contains(place.path().get(2));
    return place.node().isNumber()
        ? 6
        : servers
                || place.path().getLast().equals("path")
                || place.path().contains("params") && place.path().size() == 3
            ? 1
            : place.node().isArray() || place.node().isString() ? 4 : 2;
  }

  private Change change(List<Place> places, boolean any) {
    while (true) {
      Change change = Change.at(Words.pick(places, random), random);
      boolean rare = !any && !change.grows() || change.path().getLast().equals("path");
      if (!rare || random.nextInt(8) == 0) {
        return change;
      }
    }
  }

  /** A further change, of the same request as a rule, within or around another or anywhere. */
  private Change another(Scenario scenario, List<Change> others) {
    Change near = Words.pick(others, random);
    List<Request> ours = requests.stream().filter(r -> r.scenario == scenario).toList();
    List<Place> places = new ArrayList<>();
    for (Request request : ours) {
      if (request.number == near.request()) {
        places.addAll(request.places);
      }
    }
    if (places.isEmpty() || random.nextInt(4) == 0) {
      places.addAll(Words.pick(ours, random).places);
    }
    if (random.nextBoolean()) {
      // Sizes multiply where one is within another.
      List<Place> related =
          places.stream()
              .filter(
                  place ->
                      place.path().size() > 2
                          && place.path().size() != near.path().size()
                          && (isPrefix(place.path(), near.path())
                              || isPrefix(near.path(), place.path())))
              .toList();
      places = related.isEmpty() ? places : related;
    }
    return change(places, false);
  }

  private static boolean isPrefix(List<String> path, List<String> of) {
    return path.size() <= of.size() && of.subList(0, path.size()).equals(path);
  }

  private void climb(Scenario scenario, List<Change> changes) throws Exception {
    boolean grows = changes.stream().anyMatch(Change::grows);
    boolean numbers = changes.stream().anyMatch(c -> c.kind() == Change.Kind.NUMBER);
    Candidate best = null;
    Outcome before = null;
    double first = 0;
    for (int rung = 0; rung < (grows ? LADDER.length : 1); rung++) {
      List<Change> sized = sized(changes, LADDER[rung]);
      Outcome outcome = trial.run(scenario, sized);
      if (before == null) {
        first = outcome.cost();
      } else if (outcome.symptom() == null
          && outgrows(before, outcome, LADDER[rung] / (double) LADDER[rung - 1])) {
        outcome = outcome.with("GROWTH");
      }
      if (outcome.symptom() != null) {
        report(scenario, sized, outcome);
        return;
      }
      if (best == null || outcome.cost() > best.cost) {
        best = new Candidate(scenario, sized, outcome.cost());
      }
      if (before != null && rung < LADDER.length - 1) {
        if (!numbers && outcome.sent() == before.sent() && outcome.cost() < 1.5 * before.cost()) {
          break; // What grows is gone, or as large as can be.
        }
        // As it goes on, the largest would cost little.
        if (outcome.sent() > 4_000
            && outcome.cost() < PROMISING
            && outcome.cost() / outcome.sent() * Trial.BUDGET < DULL) {
          break;
        }
      }
      before = outcome;
    }
    if (best != null && best.cost > Math.max(PROMISING, 2 * first)) {
      keep(best);
      ascend(best);
    }
  }

  /** Whether the time has grown by more than 2.6 per doubling of the sizes or of the requests. */
  private static boolean outgrows(Outcome before, Outcome after, double factor) {
    double growth = Math.max(factor, after.sent() / Math.max(1.0, before.sent()));
    return after.cpu() > MUCH
        && before.cpu() > LITTLE
        && after.cpu() / before.cpu() > Math.pow(growth, EXPONENT);
  }

  /** Enlarges one change after the other as long as the cost grows with it. */
  private void ascend(Candidate from) throws Exception {
    Candidate best = from;
    int steps = 0;
    boolean better = true;
    while (better && steps < MAX_STEPS) {
      better = false;
      for (int c = 0; c < best.changes.size() && steps < MAX_STEPS; c++) {
        for (int factor = 8; factor > 1 && steps < MAX_STEPS; factor /= 2) {
          Change change = best.changes.get(c);
          if (!change.grows() || change.size() > Integer.MAX_VALUE / 8) {
            break;
          }
          List<Change> larger = new ArrayList<>(best.changes);
          larger.set(c, change.withSize(change.size() * factor));
          steps++;
          Outcome outcome = trial.run(best.scenario, larger);
          if (outcome.symptom() != null) {
            report(best.scenario, larger, outcome);
            return;
          }
          if (outcome.cost() > 1.2 * best.cost) {
            best = new Candidate(best.scenario, larger, outcome.cost());
            keep(best);
            better = true;
            factor = 16;
          }
        }
      }
    }
  }

  private static List<Change> sized(List<Change> changes, int size) {
    return changes.stream().map(change -> change.withSize(size)).toList();
  }

  private void keep(Candidate candidate) {
    corpus.add(candidate);
    if (corpus.size() > CORPUS) {
      corpus.sort(Comparator.comparingDouble(Candidate::cost));
      corpus.remove(random.nextInt(CORPUS / 2));
    }
  }

  private void report(Scenario scenario, List<Change> changes, Outcome outcome) throws Exception {
    String symptom = Objects.requireNonNull(outcome.symptom());
    String seen =
        String.format(
            Locale.ROOT,
            "%s after %.0f s, %d requests, %.0f s of the node's processor: %s",
            symptom,
            (System.nanoTime() - started) / 1e9,
            trial.requests(),
            trial.cpu(),
            outcome.what());
    System.out.println("hostile: " + seen + replay(scenario, changes));
    List<Change> least = symptom.equals("GROWTH") ? changes : minimised(scenario, changes, symptom);
    String place = symptom + " " + scenario.name() + " " + places(least);
    int times = found.merge(place, 1, Integer::sum);
    if (times >= SAME) {
      known.add(scenario.name() + " " + places(least));
    }
    corpus.removeIf(each -> isKnown(each.scenario, each.changes));
    String line = seen + replay(scenario, least);
    System.out.println("hostile: minimised:" + replay(scenario, least));
    findings.putIfAbsent(place, line);
  }

  private static String replay(Scenario scenario, List<Change> changes) {
    return changes.stream()
        .map(Change::toString)
        .collect(Collectors.joining("|", "\n  -Dhostile.replay='" + scenario.name() + "|", "'"));
  }

  private static String places(List<Change> changes) {
    return String.join(
        " & ",
        changes.stream().map(c -> c.kind() + ":" + String.join("/", c.path())).sorted().toList());
  }

  private boolean isKnown(Scenario scenario, List<Change> changes) {
    for (int skip = -1; skip < changes.size(); skip++) {
      List<Change> some = new ArrayList<>(changes);
      if (skip >= 0) {
        some.remove(skip);
      }
      if (known.contains(scenario.name() + " " + places(some))) {
        return true;
      }
    }
    return changes.stream()
        .anyMatch(change -> known.contains(scenario.name() + " " + places(List.of(change))));
  }

  /** Fewer and smaller changes with the same symptom. */
  private List<Change> minimised(Scenario scenario, List<Change> changes, String symptom)
      throws Exception {
    List<Change> least = changes;
    // A node that has died takes long to come back.
    int runs = Set.of("ERROR", "WRONG", "KEPT").contains(symptom) ? 0 : MINIMISING - 2;
    for (int c = least.size() - 1; c >= 0 && least.size() > 1 && runs < MINIMISING; c--) {
      List<Change> fewer = new ArrayList<>(least);
      fewer.remove(c);
      runs++;
      if (trial.run(scenario, fewer).shows(symptom)) {
        least = fewer;
      }
    }
    for (int c = 0; c < least.size(); c++) {
      while (least.get(c).grows() && least.get(c).size() > 8 && runs < MINIMISING) {
        List<Change> smaller = new ArrayList<>(least);
        smaller.set(c, least.get(c).withSize(least.get(c).size() / 2));
        runs++;
        if (!trial.run(scenario, smaller).shows(symptom)) {
          break;
        }
        least = smaller;
      }
    }
    return least;
  }
}
