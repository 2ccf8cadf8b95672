// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.ParsingException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * The section {@code "ext": {"quickscorer": {"params": {…}, "share_key": "…"}}} of a search request
 * whose body has no rescore clause. If a search pipeline adds a clause to the search, these values
 * are copied to the clause. Immutable.
 */
final class RequestExt extends SearchExtBuilder {
  private static final String NAME = "quickscorer";

  private final Map<String, Object> params;
  private final @Nullable String shareKey;
  private @Nullable MemoryCharge memory;

  private RequestExt(Map<String, Object> params, @Nullable String shareKey) {
    this.params = params;
    this.shareKey = shareKey;
  }

  /**
   * Reads the section from another node's message. The caller has already read the flag by which
   * {@link #writeTo} marks a request's section.
   */
  public RequestExt(StreamInput in) throws IOException {
    this(Objects.requireNonNullElse(in.readMap(), Map.of()), in.readOptionalString());
  }

  /**
   * Parses the section of a search request.
   *
   * @param memory receives the section's charge, which is released when the search ends or the
   *     section is garbage-collected
   * @throws ParsingException (400) if the section is not an object, or has other fields than an
   *     object {@code params} and a text {@code share_key}
   */
  public static SearchExtBuilder parse(XContentParser parser, MemoryCharge memory) {
    try {
      Fields fields =
          Door.within(
              parser,
              memory,
              ClauseOptions.MAX_BYTES,
              "[ext] of a search: [quickscorer] ",
              in -> SHAPE.read(in, new Fields()));
      RequestExt ext = new RequestExt(fields.params, fields.shareKey);
      ext.memory = memory.owned();
      return ext;
    } catch (IllegalArgumentException e) {
      throw new ParsingException(parser.getTokenLocation(), e.getMessage(), e);
    }
  }

  static final Shape<Fields> SHAPE =
      new Shape<Fields>()
          .map("params", (ext, params) -> ext.params = params)
          .text("share_key", (ext, key) -> ext.shareKey = key);

  static final class Fields {
    private Map<String, Object> params = Map.of();
    private @Nullable String shareKey;
  }

  /** Returns the section's charge; null if the section was not parsed from a request's body. */
  public @Nullable MemoryCharge memory() {
    return memory;
  }

  /** Returns the parameters in {@code ext.quickscorer} of a search; empty without this section. */
  public static Map<String, Object> params(SearchSourceBuilder source) {
    Map<String, Object> params = new LinkedHashMap<>();
    for (SearchExtBuilder ext : source.ext()) {
      if (ext instanceof RequestExt ours) {
        params.putAll(ours.params);
      }
    }
    return params;
  }

  /**
   * Returns the share key in {@code ext.quickscorer} of a search; null if there is none. Searches
   * with equal share keys get the same model of an alias.
   */
  public static @Nullable String shareKey(SearchSourceBuilder source) {
    String key = null;
    for (SearchExtBuilder ext : source.ext()) {
      if (ext instanceof RequestExt ours && ours.shareKey != null) {
        key = ours.shareKey;
      }
    }
    return key;
  }

  /** Removes the sections {@code ext.quickscorer} from a search. */
  public static void remove(SearchSourceBuilder source) {
    List<SearchExtBuilder> others = new ArrayList<>(source.ext());
    if (others.removeIf(RequestExt.class::isInstance)) {
      source.ext(others);
    }
  }

  @Override
  public String getWriteableName() {
    return NAME;
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    Wire.head(out);
    out.writeBoolean(true);
    out.writeMap(params);
    out.writeOptionalString(shareKey);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params ignored) throws IOException {
    builder.startObject(NAME).field("params", params);
    if (shareKey != null) {
      builder.field("share_key", shareKey);
    }
    return builder.endObject();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RequestExt that
        && params.equals(that.params)
        && Objects.equals(shareKey, that.shareKey);
  }

  @Override
  public int hashCode() {
    return Objects.hash(params, shareKey);
  }
}
