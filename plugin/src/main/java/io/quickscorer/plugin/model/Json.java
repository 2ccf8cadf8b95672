// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.feature.template.WellFormed;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.common.xcontent.LoggingDeprecationHandler;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.core.xcontent.XContentParser.Token;

/**
 * Strict reading of request bodies; failures say where and what was expected. The server's {@code
 * ObjectParser} reads what the plugin itself has written. Of a body it would say "failed to parse
 * field [parity]" and leave the row and the reason to nested causes, and it takes "5" for a number.
 */
public final class Json {
  private Json() {}

  /** Reads an object from a parser that stands before its start. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(XContentParser parser) throws IOException;
  }

  /**
   * Reads a body that is one object and nothing after it.
   *
   * @param type the body's media type; null where there is no body
   * @throws IllegalArgumentException (400) whatever is wrong with it
   */
  public static <T> T parse(@Nullable MediaType type, BytesReference body, Reader<T> reader) {
    if (type == null || body.length() == 0) {
      throw new IllegalArgumentException("the body is empty, expected an object");
    }
    try (XContentParser parser =
        type.xContent()
            .createParser(
                NamedXContentRegistry.EMPTY,
                LoggingDeprecationHandler.INSTANCE,
                body.streamInput())) {
      parser.nextToken();
      expect(parser, Token.START_OBJECT, "body");
      T value = reader.read(parser);
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("body: goes on after the object's end");
      }
      return value;
    } catch (IllegalArgumentException | OpenSearchException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // Whatever the parser of the media type throws, the body is at fault. Its message is not
      // repeated, for it repeats parts of the body.
      throw new IllegalArgumentException("the body is not valid " + type.subtype(), e);
    }
  }

  /** As {@link #parse}, into maps and lists. */
  public static Map<String, Object> map(@Nullable MediaType type, BytesReference body) {
    return parse(
        type, body, parser -> WellFormed.value("body", parser.mapOrdered(), Integer.MAX_VALUE));
  }

  public static void expect(XContentParser parser, Token token, String where) {
    if (parser.currentToken() != token) {
      throw new IllegalArgumentException(where + ": expected " + words(token));
    }
  }

  public static String string(XContentParser parser, String where) throws IOException {
    expect(parser, Token.VALUE_STRING, where);
    return WellFormed.text(where, parser.text());
  }

  public static IllegalArgumentException unknown(String where, String field) {
    return new IllegalArgumentException(
        where + ": unknown field [" + FeatureBinding.shown(field) + "]");
  }

  private static String words(Token token) {
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case VALUE_STRING -> "a string";
      case VALUE_NUMBER -> "a number";
      default -> token.name();
    };
  }
}
