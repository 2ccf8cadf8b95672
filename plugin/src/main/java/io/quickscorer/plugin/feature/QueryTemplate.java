// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.memory.RequestBudget;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.index.query.QueryBuilder;

/**
 * A compiled template: a query in JSON with mustache tags, which are replaced by parameters of a
 * request. Immutable.
 *
 * <p>Tags are {@code {{x}}} (escaped for a JSON string), {@code {{{x}}}} and {@code {{&x}}} (not
 * escaped), dotted names, sections {@code {{#x}}…{{/x}}} and {@code {{^x}}…{{/x}}} over lists,
 * objects and booleans, {@code {{.}}}, comments, {@code {{#toJson}}x{{/toJson}}} and {@code
 * {{#join}}x{{/join}}}. In contrast to the server's search templates, a parameter without a value
 * is an error, compilations per minute are not limited, and the functions {@code url} and {@code
 * join delimiter='…'} are missing.
 */
public final class QueryTemplate {
  /** The value of parameters with which a template is tested: a text that is also a number. */
  public static final String SAMPLE = "1";

  /** Maximum depth of nested sections, which limits the recursion of {@link #render}. */
  private static final int MAX_DEPTH = 16;

  private static final int MAX_TAGS = 100_000;

  /** Maximum length of a template, and of its text with parameters, in characters. */
  private static final int MAX_LENGTH = TemplateOutput.MAX_LENGTH;

  /** Estimated heap bytes of a tag and the text before it, without their characters. */
  private static final long TAG_BYTES = 256;

  /** Maximum length, in characters, of a template without tags whose parsed query is cached. */
  private static final int MAX_SHARED = 4096;

  private final String source;
  private final List<Part> parts;
  private final Set<String> optional = new HashSet<>();

  /** The names in tags that insert one value, such as {@code {{x}}}. */
  private final Set<TagName> values = new LinkedHashSet<>();

  /**
   * The names of the parameters in mustache sections, such as {@code {{#x}}}, and in functions,
   * such as {@code join}.
   */
  private final Set<TagName> lists = new LinkedHashSet<>();

  /** The cached query of a template without tags; null until it is parsed. */
  private volatile @Nullable Parsed parsed;

  private int tags;

  private record Parsed(NamedXContentRegistry registry, int depth, QueryBuilder query) {}

  /**
   * Compiles a template.
   *
   * @throws IllegalArgumentException if it is too long, or a tag is unknown, not closed or nested
   *     too deep
   */
  public QueryTemplate(String source) {
    if (source.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "template: " + source.length() + " characters, at most " + MAX_LENGTH + " allowed");
    }
    this.source = source;
    this.parts = compile();
  }

  /** Creates a template from a query's JSON object. Only the object's strings can contain tags. */
  public static QueryTemplate of(Map<?, ?> query) {
    // In UTF-8, a character takes at most three bytes.
    int max = Math.multiplyExact(3, MAX_LENGTH);
    return new QueryTemplate(BoundedContent.json(max, json -> json.value(query)).utf8ToString());
  }

  /** Returns the estimated heap memory of the compiled template in bytes. */
  public long heapBytes() {
    return TAG_BYTES * (1 + tags) + 2L * Character.BYTES * source.length();
  }

  /** Returns the template as it was written. */
  public String source() {
    return source;
  }

  sealed interface Part {}

  record Text(String text) implements Part {}

  record Variable(TagName name, boolean escaped) implements Part {}

  record Function(String function, TagName name) implements Part {}

  record Section(TagName name, boolean inverted, List<Part> parts) implements Part {}

  private List<Part> compile() {
    Deque<Section> open = new ArrayDeque<>();
    open.push(new Section(TagName.WHOLE, false, new ArrayList<>()));
    int at = 0;
    while (at < source.length()) {
      StepLimit.step();
      int start = source.indexOf("{{", at);
      List<Part> to = open.element().parts;
      if (start < 0) {
        to.add(new Text(source.substring(at)));
        break;
      }
      if (start > at) {
        to.add(new Text(source.substring(at, start)));
      }
      boolean triple = source.startsWith("{{{", start);
      int from = start + (triple ? 3 : 2);
      int end = source.indexOf(triple ? "}}}" : "}}", from);
      if (end < 0) {
        throw wrong("the tag is not closed", start);
      }
      at = end + (triple ? 3 : 2);
      if (++tags > MAX_TAGS) {
        throw wrong("the template has more than " + MAX_TAGS + " tags", start);
      }
      String tag = source.substring(from, end).strip();
      String section = tag.startsWith("#") ? tag.substring(1).strip() : "";
      String function = section.toLowerCase(Locale.ROOT);
      if (triple || tag.startsWith("&")) {
        to.add(new Variable(value(triple ? tag : tag.substring(1), start), false));
      } else if (FUNCTIONS.contains(function)) {
        at = function(section, at, to);
      } else if (function.equals("url") || function.startsWith("join ")) {
        throw wrong("the functions [url] and [join delimiter=...] are not supported", start);
      } else if (tag.startsWith("#") || tag.startsWith("^")) {
        open(list(tag.substring(1), start), tag.startsWith("^"), open, start);
      } else if (tag.startsWith("/")) {
        if (!open.pop().name.text().equals(tag.substring(1).strip()) || open.isEmpty()) {
          throw wrong("the tag closes a section that is not open", start);
        }
      } else if (!tag.startsWith("!")) {
        to.add(new Variable(value(tag, start), true));
      }
    }
    if (open.size() > 1) {
      throw new IllegalArgumentException(
          "template: section [" + open.element().name.text() + "] is not closed");
    }
    return open.element().parts;
  }

  /** The functions, which are found in any case, as in the server's search templates. */
  private static final Set<String> FUNCTIONS = Set.of("tojson", "join");

  private void open(TagName name, boolean inverted, Deque<Section> open, int at) {
    if (open.size() > MAX_DEPTH) {
      throw wrong("sections are nested more than " + MAX_DEPTH + " deep", at);
    }
    if (inverted) {
      optional.add(name.text());
    }
    Section section = new Section(name, inverted, new ArrayList<>());
    open.element().parts.add(section);
    open.push(section);
  }

  private int function(String function, int at, List<Part> to) {
    String close = "{{/" + function + "}}";
    int end = source.indexOf(close, at);
    if (end < 0) {
      throw wrong("the function is not closed, expected " + close, at);
    }
    to.add(new Function(function.toLowerCase(Locale.ROOT), list(source.substring(at, end), at)));
    return end + close.length();
  }

  private TagName value(String text, int at) {
    TagName name = name(text, at);
    values.add(name);
    return name;
  }

  private TagName list(String text, int at) {
    TagName name = name(text, at);
    lists.add(name);
    return name;
  }

  private static TagName name(String text, int at) {
    try {
      return TagName.parse(text.strip());
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()), at);
    }
  }

  private static IllegalArgumentException wrong(String what, int at) {
    return new IllegalArgumentException("template, character " + at + ": " + what);
  }

  /** Returns the names of all parameters. For a tag such as {@code {{a.b}}}, this is {@code a}. */
  public Set<String> parameters() {
    Set<String> names = new LinkedHashSet<>();
    for (TagName name : concat(values, lists)) {
      if (!name.path().isEmpty()) {
        names.add(name.path().getFirst());
      }
    }
    return names;
  }

  /**
   * Returns parameters with which the template can be tested. A parameter that {@code known} lacks
   * gets the value {@code text}, or a list that contains {@code text} if the template needs a list.
   */
  public Map<String, Object> sample(Map<String, Object> known, String text) {
    Map<String, Object> sample = new HashMap<>();
    for (TagName name : concat(values, lists)) {
      StepLimit.step();
      Object value = lists.contains(name) ? List.of(text) : text;
      for (int i = name.path().size() - 1; i > 0; i--) {
        value = Map.of(name.path().get(i), value);
      }
      if (!name.path().isEmpty()) {
        sample.putIfAbsent(name.path().getFirst(), value);
      }
    }
    sample.putAll(known);
    return sample;
  }

  private static Set<TagName> concat(Set<TagName> a, Set<TagName> b) {
    Set<TagName> all = new LinkedHashSet<>(a);
    all.addAll(b);
    return all;
  }

  /**
   * Returns the template's text, with its tags replaced by the values of the parameters.
   *
   * @param budget charges the bytes of each piece of text before it is written
   * @throws IllegalArgumentException if a parameter has no value, or if all texts of the request
   *     together are too long
   */
  public String render(Map<String, Object> params, RequestBudget budget) {
    TemplateOutput out = new TemplateOutput(optional, budget);
    String constant = constant();
    if (constant != null) {
      out.count();
      out.grow(constant.length());
      return constant;
    }
    Deque<Object> scopes = new ArrayDeque<>();
    scopes.push(params);
    out.render(parts, scopes);
    return out.text();
  }

  /** Returns the text of the template if it has no tags, otherwise null. */
  private @Nullable String constant() {
    return parts.size() == 1 && parts.getFirst() instanceof Text text ? text.text : null;
  }

  /**
   * Parses a query from the text that {@link #render} returned. If a short template has no tags,
   * and only query types of the server itself, its query is cached for all requests.
   *
   * @param rendered the result of {@link #render}
   * @throws IllegalArgumentException if the text is not a query, or is nested deeper than the
   *     limits allow
   */
  @SuppressWarnings("ReferenceEquality") // identity is enough: a node has one registry
  public QueryBuilder query(String rendered, NamedXContentRegistry registry, RequestBudget budget)
      throws IOException {
    if (constant() == null) {
      return QueryText.parse(rendered, registry, budget);
    }
    Parsed known = parsed;
    if (known == null || known.registry != registry) {
      QueryBuilder query = QueryText.parse(rendered, registry, budget);
      if (rendered.length() > MAX_SHARED || !QueryText.isShareable(query)) {
        return query;
      }
      known = new Parsed(registry, QueryText.depth(rendered), query);
      parsed = known;
    }
    QueryText.checkDepth(known.depth, budget);
    return known.query;
  }

  /**
   * Returns the template as a value for JSON output: an object if its text is a JSON object,
   * otherwise the text.
   */
  public Object toXContentValue() {
    try {
      return Door.ownMap(MediaTypeRegistry.JSON, new BytesArray(source));
    } catch (RuntimeException e) {
      return source;
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof QueryTemplate template && template.source.equals(source);
  }

  @Override
  public int hashCode() {
    return source.hashCode();
  }

  /**
   * The name in a tag of a template, such as {@code a.b} in {@code {{a.b}}}. The name's size is
   * limited, because the time to look up a parameter grows with it.
   *
   * @param text the name as written
   * @param path the name split at its dots, 1 to {@value #MAX_PARTS} parts; empty for {@code .},
   *     the current item
   */
  record TagName(String text, List<String> path) {
    /** The name of the outermost section, the whole template. Users cannot write this name. */
    static final TagName WHOLE = new TagName("", List.of());

    private static final int MAX_PARTS = 16;
    private static final int MAX_LENGTH = 256;

    /**
     * Parses the name in a tag of a template.
     *
     * @throws IllegalArgumentException if it is empty, too long, or contains characters other than
     *     letters, digits, {@code _}, {@code -} and dots
     */
    static TagName parse(String text) {
      if (text.isEmpty()) {
        throw new IllegalArgumentException("the tag has no name");
      }
      if (text.length() > MAX_LENGTH) {
        throw new IllegalArgumentException(
            "the name of the tag has "
                + text.length()
                + " characters, at most "
                + MAX_LENGTH
                + " allowed");
      }
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (!Character.isLetterOrDigit(c) && c != '_' && c != '-' && c != '.') {
          throw new IllegalArgumentException(
              "the name of the tag may have only letters, digits, _, - and .");
        }
      }
      if (text.equals(".")) {
        return new TagName(text, List.of());
      }
      List<String> path = List.of(text.split("\\.", -1));
      if (path.size() > MAX_PARTS) {
        throw new IllegalArgumentException(
            "the name of the tag has "
                + path.size()
                + " names separated by dots, at most "
                + MAX_PARTS
                + " allowed");
      }
      return new TagName(text, path);
    }
  }
}
