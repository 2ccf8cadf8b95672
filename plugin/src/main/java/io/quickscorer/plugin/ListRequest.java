// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.opensearch.common.regex.Regex;
import org.opensearch.core.common.Strings;

/**
 * A request for one item (a model, an alias or a feature set), or for a page of the items with
 * matching names.
 *
 * @param names a name, or names and patterns with {@code *}, separated by commas; all items if it
 *     is empty or contains {@code _all}
 * @param prefix the beginning of each listed name; empty for all names
 * @param from the number of items to skip, in the order of their names; 0 or more
 * @param size the maximum number of items to list; 0 or more
 */
record ListRequest(String names, String prefix, int from, int size) {
  /** The value of {@code size} in a request for all items. */
  public static final int ALL = Integer.MAX_VALUE;

  /**
   * Creates a request for a page of items.
   *
   * @throws IllegalArgumentException (400) if a number is negative
   */
  public ListRequest {
    if (from < 0 || size < 0) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "from [%d], size [%d]: expected 0 or more", from, size));
    }
    names = Strings.commaDelimitedListToSet(names).contains("_all") ? "" : names;
  }

  /** Creates a request for one item, or for all if the name is empty. */
  public ListRequest(String name) {
    this(name, "", 0, ALL);
  }

  /**
   * Returns whether the request is for one item. If this item does not exist, the response is an
   * error (404).
   */
  public boolean single() {
    return !names.isEmpty() && !Regex.isSimpleMatchPattern(names) && !names.contains(",");
  }

  /**
   * A page of the items whose names match.
   *
   * @param total the number of matching items on all pages
   * @param items the items of this page, sorted by name
   */
  public record Page<T>(int total, List<T> items) {
    public Page {
      items = List.copyOf(items);
    }

    /** Creates a page that contains a single item. */
    public Page(T only) {
      this(1, List.of(only));
    }
  }

  /**
   * Returns the page that this request selects from a list.
   *
   * @param all all items
   * @param name returns the name of an item
   */
  public <T> Page<T> page(Collection<T> all, Function<T, String> name) {
    String[] patterns = Strings.splitStringByCommaToArray(names);
    List<T> matching =
        all.stream()
            .filter(item -> matches(patterns, name.apply(item)))
            .sorted(Comparator.comparing(name))
            .toList();
    Stream<T> page = matching.stream().skip(from).limit(size);
    return new Page<>(matching.size(), page.toList());
  }

  private boolean matches(String[] patterns, String name) {
    return name.startsWith(prefix) && (patterns.length == 0 || Regex.simpleMatch(patterns, name));
  }
}
