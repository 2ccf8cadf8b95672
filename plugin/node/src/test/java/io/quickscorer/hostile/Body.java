// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentGenerator;
import org.opensearch.core.xcontent.XContentParser;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Trees as text, however deep, and as the bytes of a content type. */
final class Body {
  private static final ObjectMapper JSON =
      new JsonMapper(
          JsonFactory.builder()
              .streamWriteConstraints(
                  StreamWriteConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).build())
              .build());

  private Body() {}

  static String json(JsonNode tree) {
    return JSON.writeValueAsString(tree);
  }

  /** A text at the root is sent as it is. */
  static byte[] bytes(JsonNode tree, String type) {
    if (tree.isString()) {
      return tree.asString().getBytes(StandardCharsets.UTF_8);
    }
    byte[] json = JSON.writeValueAsBytes(tree);
    XContentType to =
        switch (type) {
          case "application/cbor" -> XContentType.CBOR;
          case "application/smile" -> XContentType.SMILE;
          case "application/yaml" -> XContentType.YAML;
          default -> XContentType.JSON;
        };
    try {
      return to == XContentType.JSON ? json : converted(json, XContentType.JSON, to);
    } catch (RuntimeException e) {
      return json; // Deeper than the server can write.
    }
  }

  /** This body in another format. */
  static byte[] converted(byte[] bytes, XContentType from, XContentType to) {
    ByteArrayOutputStream converted = new ByteArrayOutputStream(bytes.length);
    try (XContentParser parser =
            from.xContent()
                .createParser(
                    NamedXContentRegistry.EMPTY, DeprecationHandler.IGNORE_DEPRECATIONS, bytes);
        XContentGenerator generator = to.xContent().createGenerator(converted)) {
      parser.nextToken();
      generator.copyCurrentStructure(parser);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return converted.toByteArray();
  }
}
