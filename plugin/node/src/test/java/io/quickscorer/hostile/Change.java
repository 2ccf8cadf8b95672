// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NumericNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * A change of one place of a scenario's requests. It is the same whenever it is made.
 *
 * @param salt what it chooses by
 * @param size how much of it, for kinds that grow
 */
record Change(Kind kind, List<String> path, long salt, int size) {
  private static final JsonMapper JSON = new JsonMapper();

  /** How a number is called among the extremes; the first ones grow. */
  private static final List<String> EXTREMES =
      List.of(
          "-1", "0", "2147483647", "-2147483648", "9223372036854775807", "1e308", "1e-320", "0.5");

  private static final List<String> TYPES =
      List.of("application/cbor", "application/smile", "application/yaml", "text/plain");

  enum Kind {
    /** An item of a list repeated. */
    ITEMS(true),
    /** A field of an object repeated under other names. */
    FIELDS(true),
    /** A list of many small values in the place of a value. */
    FILL(true),
    /** A piece of a text repeated. */
    TEXT(true),
    /** Nested parts of a text. */
    PARTS(true),
    /** A value nested in lists or objects. */
    NEST(true),
    /** A number of some size, or one in a text. */
    NUMBER(true),
    /** A number at the end of its range. */
    EXTREME(false),
    VALUE(false),
    /** The value of another field. */
    OTHER(false),
    ADD(false),
    REMOVE(false),
    ENCODING(false),
    /** No longer JSON, as a rule. */
    BREAK(false);

    private final boolean grows;

    Kind(boolean grows) {
      this.grows = grows;
    }
  }

  boolean grows() {
    return kind.grows;
  }

  /** The number of the request that it changes. */
  int request() {
    return Integer.parseInt(path.getFirst());
  }

  Change withSize(int other) {
    return new Change(kind, path, salt, other);
  }

  /** A change at that place, of any kind that its value can have. */
  static Change at(Place place, SplittableRandom random) {
    long salt = random.nextLong() >>> 1;
    List<Kind> kinds = new ArrayList<>();
    if (place.path().size() == 1) { // A request.
      kinds.addAll(List.of(Kind.ENCODING, Kind.ENCODING, Kind.BREAK));
    } else {
      kinds.addAll(List.of(Kind.FILL, Kind.NEST, Kind.VALUE, Kind.OTHER, Kind.REMOVE));
    }
    switch (place.node()) {
      case ArrayNode array when !array.isEmpty() && !place.path().isEmpty() ->
          kinds.addAll(List.of(Kind.ITEMS, Kind.ITEMS, Kind.ITEMS, Kind.ITEMS));
      case ObjectNode object when place.path().size() > 1 ->
          kinds.addAll(List.of(Kind.FIELDS, Kind.FIELDS, Kind.ADD, Kind.ADD));
      case NumericNode number ->
          kinds.addAll(Collections.nCopies(4, random.nextBoolean() ? Kind.NUMBER : Kind.EXTREME));
      case StringNode text -> {
        kinds.addAll(List.of(Kind.TEXT, Kind.TEXT, Kind.TEXT, Kind.TEXT, Kind.TEXT, Kind.PARTS));
        if (text.asString().matches("(?s).*\\d.*")) {
          kinds.addAll(List.of(Kind.NUMBER, Kind.NUMBER, Kind.EXTREME));
        }
      }
      default -> {}
    }
    return new Change(Words.pick(kinds, random), place.path(), salt, 8);
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
        .forEach(change -> change.new Making(words, each).inside(changed, 0));
    return changed;
  }

  /** One making of it. */
  private final class Making {
    private final SplittableRandom random = new SplittableRandom(salt);
    private final Words words;
    private final long budget;

    Making(Words words, long budget) {
      this.words = words;
      this.budget = budget;
    }

    /** The value with the change at the rest of the path; null where it is gone. */
    private @Nullable JsonNode inside(JsonNode node, int depth) {
      if (depth == path.size()) {
        return changed(node);
      }
      String step = path.get(depth);
      switch (node) {
        case ObjectNode object when object.has(step) -> {
          JsonNode inner = inside(object.get(step), depth + 1);
          if (inner == null) {
            object.remove(step);
          } else {
            object.set(step, inner);
          }
        }
        case ArrayNode array when step.matches("\\d+") && array.has(Integer.parseInt(step)) -> {
          JsonNode inner = inside(array.get(Integer.parseInt(step)), depth + 1);
          if (inner == null) {
            array.remove(Integer.parseInt(step));
          } else {
            array.set(Integer.parseInt(step), inner);
          }
        }
        case StringNode text when step.equals(Place.TEXT) -> {
          JsonNode held = Place.held(text);
          JsonNode inner = held == null ? null : inside(held, depth + 1);
          return inner == null ? text : StringNode.valueOf(Body.json(inner));
        }
        default -> {
          // Another change has taken the place away.
        }
      }
      return node;
    }

    private @Nullable JsonNode changed(JsonNode node) {
      return switch (kind) {
        case ITEMS -> node instanceof ArrayNode array && !array.isEmpty() ? items(array) : node;
        case FIELDS ->
            node instanceof ObjectNode object && !object.isEmpty() ? fields(object) : node;
        case FILL -> {
          ArrayNode list = JSON.createArrayNode();
          JsonNode tiny = Words.tiny(random);
          for (long i = copies(tiny, 0); i > 0; i--) {
            list.add(tiny);
          }
          yield list;
        }
        case TEXT ->
            node.isString()
                ? StringNode.valueOf(Spans.repeat(node.asString(), random, size, budget))
                : node;
        case PARTS ->
            node.isString()
                ? StringNode.valueOf(Spans.nest(node.asString(), random, size, budget))
                : node;
        case NEST -> nested(node);
        case NUMBER -> number(node, Long.toString(random.nextInt(4) == 0 ? -size : size));
        case EXTREME -> number(node, Words.pick(EXTREMES, random));
        case VALUE -> Words.value(random);
        case OTHER -> {
          JsonNode other = words.field(random).getValue().deepCopy();
          yield node.isString() && other.isString() && random.nextBoolean()
              ? StringNode.valueOf(Spans.splice(node.asString(), other.asString(), random))
              : other;
        }
        case ADD -> {
          Map.Entry<String, JsonNode> field = words.field(random);
          yield node instanceof ObjectNode object
              ? object.set(field.getKey(), field.getValue().deepCopy())
              : node;
        }
        case REMOVE -> null;
        case ENCODING ->
            node instanceof ObjectNode request
                ? request.put("type", Words.pick(TYPES, random))
                : node;
        case BREAK ->
            node instanceof ObjectNode request && request.has("body")
                ? request.set("body", broken(request.get("body")))
                : node;
      };
    }

    private long copies(JsonNode item, int more) {
      return Math.min(size, budget / (Body.json(item).length() + 1 + more));
    }

    private ArrayNode items(ArrayNode array) {
      JsonNode chosen = array.get(random.nextInt(array.size()));
      boolean numbered = random.nextBoolean();
      int place = random.nextInt(1 << 16);
      ArrayNode changed = random.nextInt(4) == 0 ? JSON.createArrayNode() : array;
      JsonNode item = random.nextInt(4) == 0 ? emptied(chosen) : chosen;
      int n = (int) copies(item, numbered ? 7 : 0);
      IntFunction<JsonNode> copy = numbered ? numbered(item, place) : same(item);
      for (int i = 0; i < n; i++) {
        changed.add(copy.apply(i));
      }
      return changed;
    }

    private static JsonNode emptied(JsonNode item) {
      return item.isArray()
          ? JSON.createArrayNode()
          : item.isObject() ? JSON.createObjectNode() : item;
    }

    private static IntFunction<JsonNode> same(JsonNode item) {
      return i -> item;
    }

    /** The value with one of its texts or numbers made another, for every number. */
    private static IntFunction<JsonNode> numbered(JsonNode item, int which) {
      List<Place> leaves = new ArrayList<>();
      for (Place place : Place.in(item)) {
        if (place.node().isString() && !place.path().contains(Place.TEXT)
            || place.node().isNumber()) {
          leaves.add(place);
        }
      }
      if (leaves.isEmpty()) {
        return same(item);
      }
      // Names come first, as a rule.
      Place leaf = leaves.get(which % 2 == 0 ? 0 : which % leaves.size());
      IntFunction<String> text = Spans.numbered(leaf.node().asString(""), 0);
      long number = leaf.node().asLong(0);
      boolean isText = leaf.node().isString();
      return i ->
          put(
              item,
              leaf.path(),
              isText
                  ? StringNode.valueOf(text.apply(i))
                  : JSON.getNodeFactory().numberNode(number + i));
    }

    /** A copy, of the containers on the path alone, with another value there. */
    private static JsonNode put(JsonNode node, List<String> path, JsonNode value) {
      if (path.isEmpty()) {
        return value;
      }
      List<String> rest = path.subList(1, path.size());
      if (node instanceof ArrayNode array) {
        int at = Integer.parseInt(path.getFirst());
        ArrayNode copy = JSON.createArrayNode().addAll(array);
        copy.set(at, put(array.get(at), rest, value));
        return copy;
      }
      ObjectNode copy = JSON.createObjectNode().setAll((ObjectNode) node);
      copy.set(path.getFirst(), put(node.get(path.getFirst()), rest, value));
      return copy;
    }

    private ObjectNode fields(ObjectNode object) {
      String name = Words.pick(List.copyOf(object.propertyNames()), random);
      JsonNode value = object.get(name);
      IntFunction<String> names = Spans.numbered(name, 0);
      for (int i = 0, n = (int) copies(value, name.length() + 11); i < n; i++) {
        object.set(names.apply(i), value);
      }
      return object;
    }

    private JsonNode nested(JsonNode node) {
      boolean list = random.nextBoolean();
      String name = path.isEmpty() ? "a" : path.getLast();
      JsonNode nested = node;
      for (long depth = Math.min(size, MAX_DEPTH); depth > 0; depth--) {
        nested =
            list
                ? JSON.createArrayNode().add(nested)
                : JSON.createObjectNode().set(name.matches("\\d+|!") ? "a" : name, nested);
      }
      return nested;
    }

    private JsonNode number(JsonNode node, String value) {
      return node.isString()
          ? StringNode.valueOf(Spans.number(node.asString(), random, value))
          : JSON.getNodeFactory().numberNode(new BigDecimal(value));
    }

    /** Text, which is sent as it is. */
    private JsonNode broken(JsonNode body) {
      String text = body.isString() ? body.asString() : Body.json(body);
      int at = text.isEmpty() ? 0 : random.nextInt(text.length());
      return StringNode.valueOf(
          switch (random.nextInt(4)) {
            case 0 -> text.substring(0, at);
            case 1 ->
                text.substring(0, at) + (char) (' ' + random.nextInt(96)) + text.substring(at);
            case 2 -> text + text;
            default -> text.substring(0, at) + "\u0000\uD83D\uDE00" + text.substring(at);
          });
    }
  }

  /** Values of ours are trees, which are written by recursion. */
  static final int MAX_DEPTH = 20_000;

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return kind + ":" + String.join("/", path) + ":" + Long.toString(salt, 36) + ":" + size;
  }

  static Change parse(String text) {
    String[] parts = text.split(":");
    return new Change(
        Kind.valueOf(parts[0]),
        Arrays.asList(parts[1].split("/")),
        Long.parseLong(parts[2], 36),
        Integer.parseInt(parts[3]));
  }
}
