// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.Change.Kind;
import io.quickscorer.hostile.Trial.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Looks for requests that cost a node much more than they should, or that it answers wrongly. Every
 * place of the right requests is changed in every way: values at the ends of their ranges or of
 * other types, and sizes that grow as long as their cost promises something. Then sizes that do
 * something grow in pairs. The ways take turns, by the time that they have had.
 */
final class Hunt {
  private static final int CORPUS = 40;
  private static final int MAX_STEPS = 12;
  private static final double PROMISING = 1.5;

  /** Seconds from which growth is told from chance. */
  private static final double LITTLE = 0.05;

  private static final double MUCH = 1.5;
  private static final double EXPONENT = Math.log(2.6) / Math.log(2);

  /** A pair's sizes multiply if it costs so much more than each. */
  private static final double MORE = 0.12;

  /** Begins a fault of two clients at once; the scenario's name follows. */
  static final String TOGETHER = "TOGETHER ";

  /** Requests of two clients at once. */
  static final int REQUESTS = 400;

  private static final int CLIENTS = 8;

  private final Trial trial;
  private final SplittableRandom random;
  private final List<Scenario> scenarios;

  /** Those that search what they store. */
  private final List<Scenario> stored;

  private final Findings findings;
  private final Map<Scenario, Double> bases = new HashMap<>();

  private final Deque<Cell> ends = new ArrayDeque<>();
  private final Deque<Cell> fresh = new ArrayDeque<>();
  private final List<Cell> growing = new ArrayList<>();

  private final Pairs pairs;
  private final Crowd crowd;
  private final List<Cell> corpus = new ArrayList<>();
  private final List<Turn> turns = new ArrayList<>();
  private int together;

  private static final class Turn {
    private final double weight;
    private final Way way;
    private double spent;

    Turn(double weight, Way way) {
      this.weight = weight;
      this.way = way;
    }
  }

  private interface Way {
    /** Returns whether there was anything to do. */
    boolean attempt() throws Exception;
  }

  Hunt(Trial trial, List<Scenario> scenarios, SplittableRandom random) {
    this.trial = trial;
    this.scenarios = scenarios;
    this.stored = scenarios.stream().filter(Crowd::fits).toList();
    this.random = random;
    this.crowd = new Crowd(trial);
    this.findings = new Findings(trial);
    this.pairs = new Pairs(random.split());
    Map<Cell, Double> order = new LinkedHashMap<>();
    Map<String, Integer> seen = new HashMap<>();
    for (Scenario scenario : scenarios) {
      for (Place place : Place.in(scenario.requests())) {
        if (place.path().size() < 3 && !isWhole(place)) {
          continue;
        }
        for (Change change : Change.all(place)) {
          if (isServers(scenario, place) && !change.kind().name().matches("NUMBER|EXTREME|ITEMS")) {
            continue;
          }
          add(new Cell(scenario, List.of(change)), order, seen);
          if (change.kind() == Kind.FILL && change.variant() < 3) {
            Change cbor = new Change(Kind.ENCODING, change.path().subList(0, 1), 0, 1, "");
            add(new Cell(scenario, List.of(change, cbor)), order, seen);
          }
        }
      }
    }
    order.entrySet().stream()
        .sorted(Comparator.comparingDouble(Map.Entry::getValue))
        .map(Map.Entry::getKey)
        .forEach(cell -> (cell.changes().getFirst().grows() ? fresh : ends).add(cell));
    turns.add(new Turn(2, this::end));
    turns.add(new Turn(4, this::grow));
    turns.add(new Turn(4, this::pair));
    turns.add(new Turn(0.7, this::together));
    turns.add(new Turn(0.3, this::anything));
    System.out.println("hostile: " + ends.size() + " changes, " + fresh.size() + " that grow");
  }

  /** A request, or what it has as its body or parameters. */
  private static boolean isWhole(Place place) {
    return place.path().size() == 1
        || place.path().size() == 2 && place.path().getLast().equals("body");
  }

  /** Whether the place is in a part of a search that is not of ours. */
  private static boolean isServers(Scenario scenario, Place place) {
    return place.path().size() > 2
        && List.of("query", "aggs").contains(place.path().get(2))
        && scenario.requests().get(place.request()).path("path").asString().endsWith("_search");
  }

  /** What is like another change comes later. */
  private void add(Cell cell, Map<Cell, Double> order, Map<String, Integer> seen) {
    Change change = cell.changes().getFirst();
    String like =
        Findings.isWhole(change)
            ? cell.kinds() + change.label()
            : cell.keys() + change.kind().name() + change.variant();
    double later = isOfModel(cell, change) ? 3 : 0;
    later += change.grows() ? 0 : change.variant() / 2.0;
    order.put(cell, seen.merge(like, 1, Integer::sum) + later + random.nextDouble());
  }

  /** In a model, whose readers have a suite of their own, or a piece of a name in an address. */
  private static boolean isOfModel(Cell cell, Change change) {
    List<String> path = change.path();
    int held = path.indexOf(Place.TEXT);
    String address = cell.scenario().requests().get(change.request()).path("path").asString();
    return change.kind() == Kind.TEXT && List.of("params", "path").contains(path.get(1))
        || held > 0 && path.get(held - 1).matches("model|body|definition")
        || change.kind() == Kind.TEXT
            && path.getLast().matches("model|body")
            && address.contains("/models/");
  }

  /** One line for each kind of fault. */
  List<String> findings() {
    return findings.lines();
  }

  @Override
  public String toString() {
    return ends.size()
        + " changes and "
        + fresh.size()
        + " that grow to come, "
        + growing.size()
        + " that grow, "
        + pairs
        + ", time "
        + turns.stream().map(t -> Math.round(t.spent)).toList();
  }

  /** One attempt in the way whose turn it is. */
  void attempt() throws Exception {
    List<Turn> order = new ArrayList<>(turns);
    order.sort(Comparator.comparingDouble(turn -> turn.spent / turn.weight));
    for (Turn turn : order) {
      long start = System.nanoTime();
      boolean done = turn.way.attempt();
      turn.spent += (System.nanoTime() - start) / 1e9;
      if (done) {
        return;
      }
    }
  }

  private boolean end() throws Exception {
    Cell cell = ends.poll();
    if (cell != null && !findings.isKnown(cell)) {
      run(cell, cell.changes());
    }
    return cell != null;
  }

  private Outcome run(Cell cell, List<Change> changes) throws Exception {
    Outcome outcome = trial.run(cell.scenario(), changes);
    if (outcome.symptom() != null) {
      findings.report(cell, changes, outcome);
    }
    return outcome;
  }

  private double base(Scenario scenario) throws Exception {
    Double base = bases.get(scenario);
    if (base == null) {
      base = Double.MAX_VALUE;
      for (int i = 0; i < 3; i++) {
        base = Math.min(base, trial.run(scenario, List.of()).cost());
      }
      bases.put(scenario, base);
    }
    return base;
  }

  /** A new change in its small sizes, or the next size of that which promises most. */
  private boolean grow() throws Exception {
    growing.removeIf(findings::isKnown);
    Cell best = null;
    double most = PROMISING;
    for (Cell cell : growing) {
      double promise = cell.promise(base(cell.scenario()));
      if (promise > most) {
        best = cell;
        most = promise;
      }
    }
    if (!fresh.isEmpty() && (best == null || random.nextBoolean())) {
      Cell cell = fresh.poll();
      while (cell.isNew() && !findings.isKnown(cell) && step(cell)) {
        // Its next size.
      }
      return true;
    }
    if (best == null) {
      return false;
    }
    if (!step(best) || best.isDone()) {
      growing.remove(best);
    }
    return true;
  }

  /** Returns whether it may go on. */
  private boolean step(Cell cell) throws Exception {
    double base = base(cell.scenario());
    List<Change> next = cell.next();
    Outcome outcome = trial.run(cell.scenario(), next);
    cell.learn(next, outcome, base);
    if (outcome.symptom() == null && outgrows(cell.before(), outcome, cell.growthOfSize())) {
      outcome = again(cell, cell.smaller(), next, outcome, cell.growthOfSize());
    }
    if (outcome.symptom() != null) {
      findings.report(cell, next, outcome);
      return false;
    }
    if (outcome.cost() - base > MORE) {
      keep(cell);
    }
    if (!cell.isNew() && !growing.contains(cell)) {
      growing.add(cell);
      pairs.add(cell);
    }
    return true;
  }

  /** Whether the time has grown by more than 2.6 per doubling of the sizes or of the requests. */
  private static boolean outgrows(Outcome before, Outcome after, double factor) {
    if (before == null) {
      return false;
    }
    double growth = Math.max(factor, after.sent() / Math.max(1.0, before.sent()));
    return after.cpu() > MUCH
        && before.cpu() > LITTLE
        && after.cpu() / before.cpu() > Math.pow(growth, EXPONENT);
  }

  /**
   * Measures both sizes again: a collection of the heap or a busy machine makes single requests
   * many times as costly. The outcome of the larger size is a fault only if the growth is the same.
   */
  private Outcome again(
      Cell cell, List<Change> small, List<Change> large, Outcome first, double factor)
      throws Exception {
    Outcome before = trial.run(cell.scenario(), small);
    Outcome after = trial.run(cell.scenario(), large);
    boolean outgrows = before.symptom() == null && outgrows(before, after, factor);
    return after.symptom() != null ? after : outgrows ? after.with("GROWTH") : first;
  }

  /** Two sizes, or a costly one and a further size, that may multiply. */
  private boolean pair() throws Exception {
    Pairs.Pair pair = pairs.next();
    if (pair == null) {
      return false;
    }
    Cell both = new Cell(pair.first().scenario(), pair.changes());
    if (findings.isKnown(both)) {
      return true;
    }
    Outcome outcome = run(both, both.changes());
    double apart = pair.first().usefulCost() + pair.second().usefulCost() - base(both.scenario());
    if (outcome.symptom() == null && outcome.cost() > MORE + 1.5 * apart) {
      ascend(both, outcome);
    }
    return true;
  }

  /** Enlarges all of the changes, or else one after the other, as long as the cost grows. */
  private void ascend(Cell from, Outcome first) throws Exception {
    List<Change> best = from.changes();
    Outcome most = first;
    int turn = -1;
    for (int step = 0; step < MAX_STEPS && turn < best.size(); step++) {
      List<Change> larger = new ArrayList<>();
      int factor = turn < 0 ? 4 : 8;
      for (int c = 0; c < best.size(); c++) {
        Change change = best.get(c);
        boolean grows = change.size() < Integer.MAX_VALUE / 8 && (turn < 0 || turn == c);
        larger.add(grows ? change.withSize(change.size() * factor) : change);
      }
      Outcome outcome = trial.run(from.scenario(), larger);
      if (outcome.symptom() == null && turn < 0 && outgrows(most, outcome, factor)) {
        outcome = again(from, best, larger, outcome, factor);
      }
      if (outcome.symptom() != null) {
        findings.report(from, larger, outcome);
        return;
      }
      if (outcome.cost() > 1.5 * most.cost()) {
        best = larger;
        most = outcome;
      } else {
        turn++;
      }
    }
    Cell grown = Cell.grown(from.scenario(), best, most.cost() - base(from.scenario()));
    pairs.addGrown(grown, most.cost());
    keep(grown);
  }

  private void keep(Cell cell) {
    corpus.removeIf(findings::isKnown);
    corpus.add(new Cell(cell.scenario(), cell.changes()));
    if (corpus.size() > CORPUS) {
      corpus.remove(random.nextInt(CORPUS / 2));
    }
  }

  /** Right requests, or costly ones, of several clients at the same time. */
  private boolean together() throws Exception {
    together++;
    if (together % 2 == 0 && corpus.size() >= CLIENTS / 2) {
      List<Cell> shots = new ArrayList<>();
      boolean same = random.nextBoolean();
      Cell one = Words.pick(corpus, random);
      for (int c = 0; c < CLIENTS; c++) {
        shots.add(same ? one : Words.pick(corpus, random));
      }
      String fault = crowd.volley(shots);
      if (fault != null) {
        findings.report("VOLLEY " + (same ? one.keys() : together), fault);
      }
      return true;
    }
    Scenario scenario = Words.pick(stored, random);
    String fault = crowd.together(scenario, random.split(), REQUESTS);
    if (fault != null) {
      findings.report(TOGETHER + scenario.name(), fault);
    }
    return true;
  }

  /** Some changes at random, other fields among them. */
  private boolean anything() throws Exception {
    Scenario scenario = Words.pick(scenarios, random);
    List<Place> places =
        Place.in(scenario.requests()).stream().filter(p -> p.path().size() > 2).toList();
    List<Change> changes = new ArrayList<>();
    for (int more = 1 + random.nextInt(3); more > 0; more--) {
      Place place = Words.pick(places, random);
      List<Change> all = Change.all(place);
      changes.add(
          random.nextBoolean() || all.isEmpty()
              ? Change.random(place, random)
              : Words.pick(all, random).withSize(1 << random.nextInt(16)));
    }
    Cell cell = new Cell(scenario, changes);
    if (!findings.isKnown(cell)) {
      run(cell, changes);
    }
    return true;
  }
}
