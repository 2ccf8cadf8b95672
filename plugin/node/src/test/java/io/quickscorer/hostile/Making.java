// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import io.quickscorer.hostile.Spans.Span;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** One making of a change. */
final class Making {
  /** Values of ours are trees, which are written by recursion. */
  private static final int MAX_DEPTH = 20_000;

  private static final JsonMapper JSON = new JsonMapper();

  private final Change change;
  private final List<String> path;
  private final Words words;
  private final long budget;

  /**
   * @param budget characters that it may add, about
   */
  Making(Change change, Words words, long budget) {
    this.change = change;
    this.path = change.path();
    this.words = words;
    this.budget = budget;
  }

  /** The value with the change at the rest of the path; null where it is gone. */
  @Nullable JsonNode inside(JsonNode node, int depth) {
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
    int variant = change.variant();
    int size = change.size();
    return switch (change.kind()) {
      case ITEMS -> node instanceof ArrayNode array && !array.isEmpty() ? items(array) : node;
      case JOINT -> node instanceof ObjectNode object ? joined(object) : node;
      case FIELDS -> node instanceof ObjectNode object && !object.isEmpty() ? fields(object) : node;
      case FILL -> {
        JsonNode tiny = JSON.readTree(Words.TINY.get(variant));
        yield repeated(JSON.createArrayNode(), i -> tiny, copies(tiny, 0));
      }
      case LINES -> {
        String line = Words.LINES.get(variant);
        yield StringNode.valueOf(line.repeat((int) Math.min(size, budget / line.length())));
      }
      case TEXT -> {
        List<Span> spans = node.isString() ? Spans.of(node.asString()) : List.of();
        yield variant < spans.size()
            ? StringNode.valueOf(spans.get(variant).grown(node.asString(), size, budget))
            : node;
      }
      case MODEL ->
          node.isString()
              ? StringNode.valueOf(Models.grown(node.asString(), variant, size, budget))
              : node;
      case NEST -> nested(node);
      case NUMBER ->
          node.isString()
              ? number(node, variant, Integer.toString(size))
              : number(node, 0, Integer.toString(variant == 0 ? size : -size));
      case EXTREME ->
          number(
              node,
              variant / Words.EXTREMES.size(),
              Words.EXTREMES.get(variant % Words.EXTREMES.size()));
      case VALUE -> JSON.readTree(Words.VALUES.get(variant));
      case OTHER -> words.field(variant).getValue().deepCopy();
      case ADD -> {
        Map.Entry<String, JsonNode> field = words.field(variant);
        yield node instanceof ObjectNode object
            ? object.set(field.getKey(), field.getValue().deepCopy())
            : node;
      }
      case REMOVE -> null;
      case ENCODING ->
          node instanceof ObjectNode request ? request.put("type", Words.TYPES.get(variant)) : node;
      case BREAK ->
          node instanceof ObjectNode request && request.has("body")
              ? request.set("body", broken(request.get("body")))
              : node;
    };
  }

  private int copies(JsonNode item, int more) {
    return (int) Math.min(change.size(), budget / (Body.json(item).length() + 1 + more));
  }

  private static ArrayNode repeated(ArrayNode list, IntFunction<JsonNode> item, int times) {
    for (int i = 0; i < times; i++) {
      list.add(item.apply(i));
    }
    return list;
  }

  private ArrayNode items(ArrayNode array) {
    JsonNode item = array.get(change.variant() < Change.COPIES ? array.size() - 1 : 0);
    return switch (change.variant() % Change.COPIES) {
      case 0 -> repeated(array, i -> item, copies(item, 0));
      case 1 -> repeated(array, i -> emptied(item), copies(emptied(item), 0));
      case 2 -> repeated(array, numbered(item, true), copies(item, 7));
      default -> repeated(array, numbered(item, false), copies(item, 7));
    };
  }

  private static JsonNode emptied(JsonNode item) {
    return item.isArray()
        ? JSON.createArrayNode()
        : item.isObject() ? JSON.createObjectNode() : item;
  }

  /** The lists of an object that are as long as its first one. */
  static List<ArrayNode> joint(ObjectNode object) {
    List<ArrayNode> lists = new ArrayList<>();
    for (JsonNode field : object) {
      if (field instanceof ArrayNode list
          && !list.isEmpty()
          && (lists.isEmpty() || lists.getFirst().size() == list.size())) {
        lists.add(list);
      }
    }
    return lists;
  }

  private ObjectNode joined(ObjectNode object) {
    List<ArrayNode> lists = joint(object);
    int copies = change.size();
    List<JsonNode> items = new ArrayList<>();
    for (ArrayNode list : lists) {
      JsonNode item = list.get(list.size() - 1);
      items.add(change.variant() == 0 ? item : emptied(item));
      copies = Math.min(copies, copies(items.getLast(), 0) / lists.size());
    }
    for (int l = 0; l < lists.size(); l++) {
      JsonNode item = items.get(l);
      repeated(lists.get(l), i -> item, copies);
    }
    return object;
  }

  /** The value with its first text or number, or its last, made another for every number. */
  private static IntFunction<JsonNode> numbered(JsonNode item, boolean first) {
    List<Place> leaves = new ArrayList<>();
    for (Place place : Place.in(item)) {
      if (place.node().isString() && !place.path().contains(Place.TEXT)
          || place.node().isNumber()) {
        leaves.add(place);
      }
    }
    if (leaves.isEmpty()) {
      return i -> item;
    }
    Place leaf = first ? leaves.getFirst() : leaves.getLast();
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
    List<String> all = List.copyOf(object.propertyNames());
    String name = change.variant() == 0 ? all.getFirst() : all.getLast();
    JsonNode value = change.variant() == 2 ? JSON.getNodeFactory().numberNode(0) : object.get(name);
    IntFunction<String> names = Spans.numbered(change.variant() == 2 ? "" : name, 0);
    for (int i = 0, n = copies(value, name.length() + 11); i < n; i++) {
      object.set(names.apply(i), value);
    }
    return object;
  }

  private JsonNode nested(JsonNode node) {
    String name = path.getLast().matches("\\d+|!") ? "a" : path.getLast();
    JsonNode nested = node;
    for (int depth = Math.min(change.size(), MAX_DEPTH); depth > 0; depth--) {
      nested =
          change.variant() == 0
              ? JSON.createArrayNode().add(nested)
              : JSON.createObjectNode().set(name, nested);
    }
    return nested;
  }

  private static JsonNode number(JsonNode node, int which, String value) {
    return node.isString()
        ? StringNode.valueOf(Spans.number(node.asString(), which, value))
        : node.isNumber() ? JSON.getNodeFactory().numberNode(new BigDecimal(value)) : node;
  }

  /** Text, which is sent as it is. */
  private JsonNode broken(JsonNode body) {
    String text = body.isString() ? body.asString() : Body.json(body);
    int at = text.length() / 2;
    return StringNode.valueOf(
        switch (change.variant()) {
          case 0 -> text.substring(0, at);
          case 1 -> text.substring(0, at) + '"' + text.substring(at);
          case 2 -> text + text;
          default -> text.substring(0, at) + "\u0000\uD83D\uDE00" + text.substring(at);
        });
  }
}
