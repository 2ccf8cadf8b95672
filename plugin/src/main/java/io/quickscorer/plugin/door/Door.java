// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import io.quickscorer.plugin.guard.Work;
import io.quickscorer.plugin.memory.MemoryCharge;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.xcontent.LoggingDeprecationHandler;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;

/** Opens structures for reading. */
public final class Door {
  /** Characters that a parser holds of a string, and the string it makes of them. */
  private static final long PARSER_FACTOR = 3;

  /** Heap for what the server read or a node of the cluster wrote: far above any honest one. */
  private static final long OWN_BYTES = 256L << 20;

  /**
   * Maximum depth of stored data: an earlier build accepted as many levels as the parser of a
   * query.
   */
  private static final int OWN_LEVELS = 320;

  private Door() {}

  /** Reads an input whose position is the start of a value. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(Input input) throws IOException;
  }

  /**
   * Reads a body that is one object and nothing after it.
   *
   * @param type the body's media type; null where there is no body
   * @param memory is charged; the caller closes it when what is read is no longer used
   * @throws IllegalArgumentException (400) naming the place that is wrong
   * @throws OpenSearchException (413) naming the place that has too much of something; (429) if
   *     there is no memory
   */
  public static <T> T body(
      @Nullable MediaType type, BytesReference body, MemoryCharge memory, Reader<T> reader) {
    return body("", type, body, HeapBudget.of(memory), reader);
  }

  /**
   * Reads a body with another budget.
   *
   * @param root precedes each place in messages
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
      // Whatever the parser of the media type throws, the body is at fault. Its message is not
      // repeated, for it repeats parts of the body.
      throw new IllegalArgumentException(
          "the body is not valid "
              + type.subtype()
              + (input == null || input.place().toString().isEmpty()
                  ? ""
                  : ", at " + input.place()),
          e);
    } finally {
      budget.give(transientBytes);
      budget.settle();
    }
  }

  /** Reads a structure that a node of this cluster wrote, or the server made of what it parsed. */
  public static <T> T own(MediaType type, BytesReference bytes, Reader<T> reader) {
    return own(type, bytes, HeapBudget.limited(OWN_BYTES), reader);
  }

  /** Reads a structure of this node that may be large, and charges for the result. */
  public static <T> T own(
      MediaType type, BytesReference bytes, MemoryCharge memory, Reader<T> reader) {
    return own(type, bytes, HeapBudget.of(memory), reader);
  }

  /**
   * Reads data of this node. The end of the request that reads it does not stop this, because
   * callers would treat the failure as damaged data.
   */
  private static <T> T own(
      MediaType type, BytesReference bytes, HeapBudget budget, Reader<T> reader) {
    try (Releasable ignored = Work.ofNode()) {
      return body("", OWN_LEVELS, Integer.MAX_VALUE, type, bytes, budget, reader);
    }
  }

  /** Reads an object of any shape that a node wrote. */
  public static Map<String, Object> ownMap(MediaType type, BytesReference bytes) {
    return own(type, bytes, Input::map);
  }

  /** Returns the source of a user's document. The server does not keep its type. */
  @SuppressWarnings("deprecation") // only the bytes tell
  public static Map<String, Object> document(BytesReference source) {
    return ownMap(MediaTypeRegistry.xContentType(source), source);
  }

  /**
   * Returns how deep objects and arrays nest in an encoded structure, up to the first error in it.
   */
  @SuppressWarnings("deprecation") // only the bytes tell
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
      // Whoever parses it says what is wrong.
      return max;
    }
    return max;
  }

  /**
   * Reads a value within a structure that the server parses.
   *
   * @param parser at the start of the value; afterwards at its end
   * @param memory is charged for the bytes in addition to a page; closed if the value can't be read
   * @param limit bytes in the heap
   * @param root precedes each place in messages
   */
  public static <T> T within(
      XContentParser parser, MemoryCharge memory, long limit, String root, Reader<T> reader)
      throws IOException {
    HeapBudget budget = HeapBudget.abovePage(memory, limit);
    boolean done = false;
    try {
      T value = reader.read(new Input(parser, budget, root, Input.MAX_DEPTH, Input.MAX_TEXT));
      budget.settle();
      done = true;
      return value;
    } finally {
      if (!done) {
        memory.close();
      }
    }
  }

  /**
   * Reads within a structure, before or at the start of a value that a node of this cluster wrote.
   */
  public static Input within(XContentParser parser) throws IOException {
    if (parser.currentToken() == null) {
      parser.nextToken();
    }
    return new Input(parser, HeapBudget.limited(OWN_BYTES), "", OWN_LEVELS, Integer.MAX_VALUE);
  }

  private static XContentParser open(MediaType type, BytesReference body) throws IOException {
    return type.xContent()
        .createParser(
            NamedXContentRegistry.EMPTY, LoggingDeprecationHandler.INSTANCE, body.streamInput());
  }
}
