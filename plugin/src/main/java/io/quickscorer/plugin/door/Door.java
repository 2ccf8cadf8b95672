// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import io.quickscorer.plugin.guard.StepLimit;
import io.quickscorer.plugin.memory.MemoryCharge;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.xcontent.LoggingDeprecationHandler;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;

/**
 * Reads JSON and CBOR (binary JSON) with limits on memory and nesting. All code of the plugin that
 * reads these formats calls this class first.
 */
public final class Door {
  /**
   * Estimated heap bytes that the parser needs per byte of a request body, for its buffer and
   * strings.
   */
  private static final long PARSER_FACTOR = 3;

  /** Maximum heap bytes for reading data that a node wrote; such data normally needs much less. */
  private static final long OWN_BYTES = 256L << 20;

  /**
   * Maximum depth of nested objects and arrays in stored data. It is larger than {@link
   * Input#MAX_DEPTH}, because earlier builds stored deeper data.
   */
  private static final int OWN_LEVELS = 320;

  /** Finds the name in a parser's message about a duplicate field. */
  private static final Pattern DUPLICATE = Pattern.compile("Duplicate [^'\"]*['\"]([^'\"]*)['\"]");

  private Door() {}

  /** Reads one value. The input is positioned at its start. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(Input input) throws IOException;
  }

  /**
   * Reads the body of a request, which must be exactly one JSON object.
   *
   * @param type the media type of the body; null if there is no body
   * @param memory receives the charge for the result; the caller closes it after the last use
   * @throws IllegalArgumentException (400) if the body is not valid; the message names the position
   * @throws OpenSearchException (413) if a limit is exceeded; (429) if memory is short
   */
  public static <T> T body(
      @Nullable MediaType type, BytesReference body, MemoryCharge memory, Reader<T> reader) {
    return body("", type, body, HeapBudget.of(memory), reader);
  }

  /**
   * Reads the body of a request within a given memory budget. The body must be exactly one JSON
   * object.
   *
   * @param root the prefix of each position in messages, such as {@code rescore}
   * @param budget counts, limits and charges the heap bytes
   */
  public static <T> T body(
      String root,
      @Nullable MediaType type,
      BytesReference body,
      HeapBudget budget,
      Reader<T> reader) {
    return body(root, Input.MAX_DEPTH, Input.MAX_TEXT, type, body, budget, reader);
  }

  private static <T> T body(
      String root,
      int maxLevels,
      int maxText,
      @Nullable MediaType type,
      BytesReference body,
      HeapBudget budget,
      Reader<T> reader) {
    if (type == null || body.length() == 0) {
      throw new IllegalArgumentException("the body is empty, expected an object");
    }
    long transientBytes = PARSER_FACTOR * body.length();
    budget.take(transientBytes);
    Input input = null;
    try (XContentParser parser = open(type, body)) {
      input = new Input(parser, budget, root, maxLevels, maxText);
      parser.nextToken();
      input.expect(XContentParser.Token.START_OBJECT);
      T value = reader.read(input);
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("body: unexpected content after the object");
      }
      return value;
    } catch (IllegalArgumentException | OpenSearchException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw notValid("the body is not valid " + type.subtype(), input, e);
    } finally {
      budget.give(transientBytes);
      budget.settle();
    }
  }

  /**
   * Returns the exception for content that its parser refused. The parser's message is left out,
   * because it may contain parts of the content, except for the name of a duplicate field.
   */
  private static IllegalArgumentException notValid(
      String message, @Nullable Input input, Exception cause) {
    Matcher duplicate = DUPLICATE.matcher(String.valueOf(cause.getMessage()));
    String place = input == null ? "" : input.place().toString();
    String why =
        duplicate.find()
            ? ": duplicate field [" + Texts.shown(duplicate.group(1), Place.SHOWN) + "]"
            : place.isEmpty() ? "" : ", at " + place;
    return new IllegalArgumentException(message + why, cause);
  }

  /** Reads data that a node of this cluster wrote, or that the server has already parsed. */
  public static <T> T own(MediaType type, BytesReference bytes, Reader<T> reader) {
    return own(type, bytes, HeapBudget.limited(OWN_BYTES), reader);
  }

  /**
   * Reads data that a node of this cluster wrote, and charges its memory, because it may be large.
   */
  public static <T> T own(
      MediaType type, BytesReference bytes, MemoryCharge memory, Reader<T> reader) {
    return own(type, bytes, HeapBudget.of(memory), reader);
  }

  /**
   * Reads data that a node wrote. Reads to the end even if the request is cancelled, because
   * callers would treat the exception as a sign of damaged data.
   */
  private static <T> T own(
      MediaType type, BytesReference bytes, HeapBudget budget, Reader<T> reader) {
    try (Releasable ignored = StepLimit.ofNode()) {
      return body("", OWN_LEVELS, Integer.MAX_VALUE, type, bytes, budget, reader);
    }
  }

  /** Reads a JSON object that a node of the cluster wrote, with any fields, into a map. */
  public static Map<String, Object> ownMap(MediaType type, BytesReference bytes) {
    return own(type, bytes, Input::map);
  }

  /**
   * Returns the fields of a document that a user has indexed. Its format (such as JSON) is
   * detected.
   */
  @SuppressWarnings("deprecation") // the media type is not stored
  public static Map<String, Object> document(BytesReference source) {
    return ownMap(MediaTypeRegistry.xContentType(source), source);
  }

  /**
   * Returns the actual depth of nested objects and arrays in JSON or CBOR data. For data that is
   * not valid, this is the depth before the first error.
   */
  @SuppressWarnings("deprecation") // the media type is not stored
  public static int levels(BytesReference bytes) {
    int levels = 0;
    int max = 0;
    MediaType type = MediaTypeRegistry.xContentType(bytes);
    if (type == null) {
      return 0;
    }
    try (XContentParser parser = open(type, bytes)) {
      for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
        switch (token) {
          case START_OBJECT, START_ARRAY -> max = Math.max(max, ++levels);
          case END_OBJECT, END_ARRAY -> levels--;
          default -> {}
        }
      }
    } catch (IOException | RuntimeException e) {
      // The error is reported when the caller parses the structure later.
      return max;
    }
    return max;
  }

  /**
   * Reads a value that is a part of a larger JSON text, such as a clause of a search request. The
   * server parses the rest.
   *
   * @param parser the server's parser, at the start of the value; afterwards at its end
   * @param memory receives the charge for all heap bytes of the value after the first 4 KiB. If
   *     this method fails, it closes the charge
   * @param limit the maximum heap bytes of the value
   * @param root the prefix of each position in messages, such as {@code rescore}
   * @throws IllegalArgumentException (400) if the value is not valid; the message names the
   *     position
   */
  public static <T> T within(
      XContentParser parser, MemoryCharge memory, long limit, String root, Reader<T> reader) {
    HeapBudget budget = HeapBudget.abovePage(memory, limit);
    Input input = new Input(parser, budget, root, Input.MAX_DEPTH, Input.MAX_TEXT);
    boolean done = false;
    try {
      T value = reader.read(input);
      budget.settle();
      done = true;
      return value;
    } catch (IllegalArgumentException | OpenSearchException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw notValid(root + "not valid " + parser.contentType().subtype(), input, e);
    } finally {
      if (!done) {
        memory.close();
      }
    }
  }

  /**
   * Returns an input that reads a value that a node wrote.
   *
   * @param parser the server's parser, positioned at the start of the value or before it
   */
  public static Input within(XContentParser parser) throws IOException {
    if (parser.currentToken() == null) {
      parser.nextToken();
    }
    return new Input(parser, HeapBudget.limited(OWN_BYTES), "", OWN_LEVELS, Integer.MAX_VALUE);
  }

  /**
   * Returns a JSON value that was read, and all values inside of it except nulls. Each of them
   * counts as one step of {@link StepLimit}.
   *
   * @param root the value; null for no values
   */
  public static Stream<Object> nested(@Nullable Object root) {
    Deque<Object> open = new ArrayDeque<>();
    return Stream.iterate(
        root,
        Objects::nonNull,
        value -> {
          StepLimit.step();
          Collection<?> inner =
              value instanceof Map<?, ?> map
                  ? map.values()
                  : value instanceof Collection<?> items ? items : List.of();
          inner.stream().filter(Objects::nonNull).forEach(open::push);
          return open.poll();
        });
  }

  private static XContentParser open(MediaType type, BytesReference body) throws IOException {
    return type.xContent()
        .createParser(
            NamedXContentRegistry.EMPTY, LoggingDeprecationHandler.INSTANCE, body.streamInput());
  }
}
