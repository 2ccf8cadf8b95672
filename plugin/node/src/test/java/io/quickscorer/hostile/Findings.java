// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.Trial.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The faults that a hunt has found, each one once, with the fewest changes that show it. */
final class Findings {
  /** Nanoseconds that fewer and smaller changes are looked for. */
  private static final long MINIMISING = 60_000_000_000L;

  /** How many faults of a kind of change at a route say that it is the whole body's. */
  private static final int SAME = 2;

  private static final Set<Change.Kind> WHOLE =
      Set.of(Change.Kind.FILL, Change.Kind.FIELDS, Change.Kind.NEST, Change.Kind.LINES);

  private final Trial trial;
  private final Map<String, String> lines = new LinkedHashMap<>();
  private final Set<Set<String>> known = new HashSet<>();
  private final Map<Set<String>, Integer> kinds = new HashMap<>();
  private final long started = System.nanoTime();

  Findings(Trial trial) {
    this.trial = trial;
  }

  /** One line for each. */
  List<String> lines() {
    return List.copyOf(lines.values());
  }

  /** Whether it is the same to the reader of a body wherever it is. */
  static boolean isWhole(Change change) {
    return WHOLE.contains(change.kind());
  }

  /** Whether what the changes do, or some of them, is found already. */
  boolean isKnown(Cell cell) {
    List<String> keys = cell.keys();
    Set<String> of = Set.copyOf(cell.kinds());
    boolean whole = cell.isLarge() || cell.changes().stream().anyMatch(Findings::isWhole);
    return known.stream().anyMatch(keys::containsAll) || whole && kinds.getOrDefault(of, 0) >= SAME;
  }

  void report(Cell cell, List<Change> changes, Outcome outcome) throws Exception {
    String symptom = outcome.symptom();
    System.out.println("hostile: " + seen(symptom, outcome.what()));
    System.out.println("  " + cell.replay(changes));
    Cell least = new Cell(cell.scenario(), minimised(cell.scenario(), changes, symptom));
    known.add(Set.copyOf(least.keys()));
    kinds.merge(Set.copyOf(least.kinds()), 1, Integer::sum);
    String replay = least.replay(least.changes());
    System.out.println("  minimised: " + replay);
    add(symptom + " " + least.keys(), seen(symptom, outcome.what()) + " " + replay);
  }

  private String seen(String symptom, String what) {
    double seconds = (System.nanoTime() - started) / 1e9;
    return String.format(Locale.ROOT, "%s after %.0f s, %s: %s", symptom, seconds, trial, what);
  }

  /** A fault that is not of single requests. */
  void report(String place, String what) {
    System.out.println("hostile: " + seen(place, what));
    add(place, seen(place, what));
  }

  private void add(String place, String line) {
    if (lines.putIfAbsent(place, line) == null) {
      System.out.println("hostile: finding " + lines.size() + ": " + place);
    }
  }

  private List<Change> minimised(Scenario scenario, List<Change> changes, String symptom)
      throws Exception {
    List<Change> least = changes;
    long end = System.nanoTime() + MINIMISING;
    for (int c = least.size() - 1;
        !symptom.equals("GROWTH") && c >= 0 && least.size() > 1 && System.nanoTime() < end;
        c--) {
      List<Change> fewer = new ArrayList<>(least);
      fewer.remove(c);
      if (symptom.equals(trial.run(scenario, fewer).symptom())) {
        least = fewer;
      }
    }
    if (!List.of("ERROR", "WRONG").contains(symptom)) {
      return least;
    }
    for (int c = 0; c < least.size(); c++) {
      while (least.get(c).grows() && least.get(c).size() > 8 && System.nanoTime() < end) {
        List<Change> smaller = new ArrayList<>(least);
        smaller.set(c, least.get(c).withSize(least.get(c).size() / 2));
        if (!symptom.equals(trial.run(scenario, smaller).symptom())) {
          break;
        }
        least = smaller;
      }
    }
    return least;
  }
}
