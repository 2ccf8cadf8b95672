// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ValidateActions;
import org.opensearch.common.regex.Regex;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Asks for one thing by its name, or for those that some names and patterns match, in pages. */
public final class ListRequest extends ActionRequest {
  /** All that there are. */
  public static final int ALL = Integer.MAX_VALUE;

  private final String names;
  private final String prefix;
  private final int from;
  private final int size;

  /**
   * @param names a name, or names and patterns with {@code *} between commas; empty or with {@code
   *     _all} for all
   * @param prefix with which the names begin; empty for any
   * @param from how many to leave out, by name
   * @param size how many to list at most
   */
  public ListRequest(String names, String prefix, int from, int size) {
    boolean all = Strings.commaDelimitedListToSet(names).contains("_all");
    this.names = all ? "" : names;
    this.prefix = prefix;
    this.from = from;
    this.size = size;
  }

  /** Asks for that one, or for all where the name is empty. */
  public ListRequest(String name) {
    this(name, "", 0, ALL);
  }

  public ListRequest(StreamInput in) throws IOException {
    super(in);
    Wire.head(in);
    names = in.readString();
    prefix = in.readString();
    from = in.readVInt();
    size = in.readVInt();
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    Wire.head(out);
    out.writeString(names);
    out.writeString(prefix);
    out.writeVInt(from);
    out.writeVInt(size);
  }

  /** Whether it asks for one thing, which is a 404 if it is not there. */
  public boolean single() {
    return !names.isEmpty() && !Regex.isSimpleMatchPattern(names) && !names.contains(",");
  }

  /** The name, if it asks for one thing. */
  public String name() {
    return names;
  }

  /**
   * A page of what matches.
   *
   * @param total how many match, in all pages
   * @param items by name
   */
  public record Page<T>(int total, List<T> items) {
    public Page {
      items = List.copyOf(items);
    }
  }

  /** The page that was asked for. */
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

  @Override
  public @Nullable ActionRequestValidationException validate() {
    return from >= 0 && size >= 0
        ? null
        : ValidateActions.addValidationError(
            String.format(Locale.ROOT, "from [%d], size [%d]: expected 0 or more", from, size),
            null);
  }
}
