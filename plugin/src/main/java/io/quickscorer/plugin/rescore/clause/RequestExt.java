// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.feature.template.WellFormed;
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
import org.opensearch.core.xcontent.XContentParser.Token;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * What a search without a clause may tell the one that a search pipeline puts in: {@code "ext":
 * {"quickscorer": {"params": {…}}}}. Immutable.
 */
public final class RequestExt extends SearchExtBuilder {
  private static final String NAME = "quickscorer";

  private final Map<String, Object> params;

  private RequestExt(Map<String, Object> params) {
    this.params = params;
  }

  /** Reads what {@link #writeTo} wrote, but for the flag that it is of a request. */
  public RequestExt(StreamInput in) throws IOException {
    this(Objects.requireNonNullElse(in.readMap(), Map.of()));
  }

  /**
   * Reads the section's object.
   *
   * @throws ParsingException (400) if it holds anything but an object {@code params}
   */
  public static SearchExtBuilder parse(XContentParser parser) throws IOException {
    Map<String, Object> params = Map.of();
    while (parser.nextToken() != Token.END_OBJECT) {
      String field = parser.currentName();
      if (!field.equals("params") || parser.nextToken() != Token.START_OBJECT) {
        throw new ParsingException(
            parser.getTokenLocation(),
            "[ext] of a search: [" + NAME + "] may hold an object [params], not [" + field + "]");
      }
      try {
        params = WellFormed.value(field, parser.mapOrdered(), ClauseParser.MAX_DEPTH);
      } catch (IllegalArgumentException e) {
        throw new ParsingException(
            parser.getTokenLocation(), "[" + NAME + "] " + e.getMessage(), e);
      }
    }
    return new RequestExt(params);
  }

  /** The parameters that a search brings along; none if it has no such section. */
  public static Map<String, Object> params(SearchSourceBuilder source) {
    Map<String, Object> params = new LinkedHashMap<>();
    for (SearchExtBuilder ext : source.ext()) {
      if (ext instanceof RequestExt ours) {
        params.putAll(ours.params);
      }
    }
    return params;
  }

  /** Takes the section out of a source. */
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
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params ignored) throws IOException {
    return builder.startObject(NAME).field("params", params).endObject();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RequestExt that && params.equals(that.params);
  }

  @Override
  public int hashCode() {
    return params.hashCode();
  }
}
