// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.Spans.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NumericNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * A change of one place of a scenario's requests. It is the same whenever it is made.
 *
 * @param variant which of the kind's ways, or what it chooses by
 * @param size how much of it, for kinds that grow
 * @param label the same for changes of other places that do the same
 */
record Change(Kind kind, List<String> path, int variant, int size, String label) {
  enum Kind {
    /** An item of a list repeated. */
    ITEMS(true),
    /** Items of the lists of an object, which are of the same length, repeated. */
    JOINT(true),
    /** A field of an object repeated under other names. */
    FIELDS(true),
    /** A list of many small values in the place of a value. */
    FILL(true),
    /** Lines as short as can be in the place of a body. */
    LINES(true),
    /** A {@link Span} of a text grown. */
    TEXT(true),
    /** A model of that many features, trees or leaves. */
    MODEL(true),
    /** A value nested in lists or objects. */
    NEST(true),
    /** A number of some size, or one in a text. */
    NUMBER(true),
    /** A number at the end of its range. */
    EXTREME(false),
    VALUE(false),
    REMOVE(false),
    ENCODING(false),
    /** No longer JSON, as a rule. */
    BREAK(false),
    /** The value of another field. */
    OTHER(false),
    /** A further field. */
    ADD(false);

    private final boolean grows;

    Kind(boolean grows) {
      this.grows = grows;
    }
  }

  /** The first size of a change that grows. */
  private static final int FIRST = 48;

  /** Ways to repeat an item. */
  static final int COPIES = 4;

  boolean grows() {
    return kind.grows;
  }

  boolean isNumber() {
    return kind == Kind.NUMBER || kind == Kind.EXTREME;
  }

  /** The number of the request that it changes. */
  int request() {
    return Integer.parseInt(path.getFirst());
  }

  Change withSize(int other) {
    return new Change(kind, path, variant, other, label);
  }

  /** All that have ways of their own, which is neither of {@link #random}. */
  static List<Change> all(Place place) {
    List<Change> all = new ArrayList<>();
    JsonNode node = place.node();
    if (place.path().size() == 1) { // A request.
      some(all, place, Kind.ENCODING, Words.TYPES.size());
      some(all, place, Kind.BREAK, 4);
      return all;
    }
    if (!node.isContainer() || place.path().size() > 2) {
      some(all, place, Kind.VALUE, Words.VALUES.size());
      some(all, place, Kind.NEST, 2);
      some(all, place, Kind.REMOVE, 1);
    }
    some(all, place, Kind.FILL, Words.TINY.size());
    switch (node) {
      case ArrayNode array when !array.isEmpty() ->
          some(all, place, Kind.ITEMS, COPIES * (array.size() > 1 ? 2 : 1));
      case ObjectNode object when !object.isEmpty() -> {
        some(all, place, Kind.FIELDS, 3);
        if (Making.joint(object).size() > 1) {
          some(all, place, Kind.JOINT, 2);
        }
      }
      case NumericNode number -> {
        some(all, place, Kind.NUMBER, 2);
        some(all, place, Kind.EXTREME, Words.EXTREMES.size());
      }
      case StringNode text -> text(all, place, text.asString());
      default -> {}
    }
    return all;
  }

  private static void text(List<Change> all, Place place, String text) {
    int numbers = Spans.numbers(text);
    some(all, place, Kind.NUMBER, numbers);
    some(all, place, Kind.EXTREME, numbers * Words.EXTREMES.size());
    some(all, place, Kind.MODEL, Models.ways(text));
    some(all, place, Kind.LINES, place.path().getLast().equals("body") ? Words.LINES.size() : 0);
    List<Span> spans = Spans.of(text);
    for (int s = 0; s < spans.size(); s++) {
      all.add(new Change(Kind.TEXT, place.path(), s, FIRST, spans.get(s).label()));
    }
  }

  private static void some(List<Change> all, Place place, Kind kind, int variants) {
    for (int v = 0; v < variants; v++) {
      all.add(new Change(kind, place.path(), v, FIRST, kind.grows ? kind + " " + v : ""));
    }
  }

  /** Another field's value at that place, or another field beside it. */
  static Change random(Place place, SplittableRandom random) {
    Kind kind = place.node().isObject() && random.nextBoolean() ? Kind.ADD : Kind.OTHER;
    return new Change(kind, place.path(), random.nextInt(1 << 20), FIRST, "");
  }

  /**
   * The requests with the changes, the inner ones first, so that outer ones repeat them.
   *
   * @param budget characters that they may have, about
   */
  static ArrayNode apply(ArrayNode requests, List<Change> changes, Words words, long budget) {
    ArrayNode changed = requests.deepCopy();
    long each = budget / Math.max(1, changes.stream().filter(Change::grows).count());
    changes.stream()
        .sorted((a, b) -> b.path.size() - a.path.size())
        .forEach(change -> new Making(change, words, each).inside(changed, 0));
    return changed;
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return kind + ":" + String.join("/", path) + ":" + variant + ":" + size;
  }

  static Change parse(String text) {
    String[] parts = text.split(":");
    return new Change(
        Kind.valueOf(parts[0]),
        Arrays.asList(parts[1].split("/")),
        Integer.parseInt(parts[2]),
        Integer.parseInt(parts[3]),
        "");
  }
}
