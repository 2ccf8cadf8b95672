// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.door.BoundedContent;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.mapper.DerivedField;
import org.opensearch.search.builder.SearchSourceBuilder;

/** Copies the derived fields (computed by scripts) that a search defines. Stateless. */
final class DerivedFields {
  private static final int MAX_BYTES = 16 << 20;

  private DerivedFields() {}

  /** Returns a new search body that contains only the derived fields of {@code source}. */
  static SearchSourceBuilder of(SearchSourceBuilder source) {
    SearchSourceBuilder copy = parsed(source);
    if (source.getDerivedFields() != null) {
      for (DerivedField field : source.getDerivedFields()) {
        copy.derivedField(
            field.getName(),
            field.getType(),
            field.getScript(),
            field.getProperties(),
            field.getPrefilterField(),
            field.getFormat(),
            field.getIgnoreMalformed());
      }
    }
    return copy;
  }

  /**
   * Returns a new search body with the derived fields that {@code source} defines by a JSON object.
   * The server has no setter for the JSON object, so it is parsed again.
   */
  private static SearchSourceBuilder parsed(SearchSourceBuilder source) {
    if (source.getDerivedFieldsObject() == null) {
      return new SearchSourceBuilder();
    }
    String name = SearchSourceBuilder.DERIVED_FIELDS_FIELD.getPreferredName();
    BytesReference object =
        BoundedContent.json(
            MAX_BYTES,
            json -> json.startObject().field(name, source.getDerivedFieldsObject()).endObject());
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(
            NamedXContentRegistry.EMPTY,
            DeprecationHandler.IGNORE_DEPRECATIONS,
            object.streamInput())) {
      return SearchSourceBuilder.fromXContent(parser);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never happens: the bytes are in memory
    }
  }
}
