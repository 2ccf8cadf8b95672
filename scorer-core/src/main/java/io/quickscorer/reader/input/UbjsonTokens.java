// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import io.quickscorer.ensemble.InvalidModelException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * The tokens of a document in Universal Binary JSON (draft 12, big-endian), as XGBoost writes it. A
 * container can declare the number and the type of its elements in advance.
 *
 * <p>A declared number of elements must fit into the remaining bytes. Containers whose elements
 * have no bytes (null, true, false) are not supported, because a dozen bytes could declare any
 * number of elements. Decimal numbers of any length and single characters are not supported either;
 * trainers do not write them.
 */
final class UbjsonTokens implements Tokens {
  private static final int MAX_DEPTH = 512;
  private static final int MAX_NAME_LENGTH = 10_000;
  private static final int UNCOUNTED = -1;

  /**
   * An array or object whose end has not been read yet: the number of its remaining elements, their
   * type (0 if not declared), and, in an object, the names read so far.
   */
  private static final class Container {
    private final byte type;
    private final @Nullable Set<String> names;
    private int left;
    private boolean nameNext;

    Container(boolean object, int count, byte type) {
      this.left = count;
      this.type = type;
      this.names = object ? new HashSet<>() : null;
      this.nameNext = object;
    }
  }

  private final BoundedInput input;
  private final ByteBuffer buffer;
  private final Deque<Container> open = new ArrayDeque<>();
  private int tokenStart;
  private boolean begun;
  private String text = "";
  private boolean integer;
  private long longValue;
  private double doubleValue;

  UbjsonTokens(BoundedInput input) {
    this.input = input;
    this.buffer = ByteBuffer.wrap(input.bytes()).asReadOnlyBuffer();
  }

  @Override
  public JsonToken next() {
    Container container = open.peek();
    if (container == null) {
      return nextAtTop();
    }
    tokenStart = buffer.position();
    if (atEnd(container)) {
      open.pop();
      return container.names == null ? JsonToken.END_ARRAY : JsonToken.END_OBJECT;
    }
    if (container.names != null && container.nameNext) {
      container.nameNext = false;
      text = string(MAX_NAME_LENGTH);
      if (!container.names.add(text)) {
        throw failure("an object contains the same name twice");
      }
      return JsonToken.PROPERTY_NAME;
    }
    container.nameNext = container.names != null;
    if (container.left != UNCOUNTED) {
      container.left--;
    }
    return value(container.type != 0 ? container.type : marker());
  }

  private JsonToken nextAtTop() {
    tokenStart = buffer.position();
    if (!begun) {
      begun = true;
      return value(marker());
    }
    if (buffer.hasRemaining()) {
      throw failure("unexpected content after the end of the document");
    }
    return DocumentReader.END_OF_DOCUMENT;
  }

  /**
   * Returns whether an array or object ends at the current position. If it ends there with a
   * marker, skips the marker.
   */
  private boolean atEnd(Container container) {
    if (container.left != UNCOUNTED) {
      return container.left == 0 && (container.names == null || container.nameNext);
    }
    while (buffer.hasRemaining() && input.at(buffer.position()) == 'N') {
      buffer.get();
    }
    if (container.names != null && !container.nameNext) {
      return false;
    }
    if (input.at(buffer.position()) != (container.names == null ? ']' : '}')) {
      return false;
    }
    buffer.get();
    return true;
  }

  private JsonToken value(byte type) {
    return switch (type) {
      case 'Z' -> JsonToken.VALUE_NULL;
      case 'T' -> JsonToken.VALUE_TRUE;
      case 'F' -> JsonToken.VALUE_FALSE;
      case 'S' -> {
        text = string(Integer.MAX_VALUE);
        yield JsonToken.VALUE_STRING;
      }
      case '[' -> begin(false);
      case '{' -> begin(true);
      case 'd' -> real(need(Float.BYTES).getFloat());
      case 'D' -> real(need(Double.BYTES).getDouble());
      default -> integer(type);
    };
  }

  private JsonToken real(double value) {
    integer = false;
    doubleValue = value;
    return DocumentReader.NUMBER;
  }

  private JsonToken integer(byte type) {
    integer = true;
    longValue =
        switch (type) {
          case 'i' -> need(Byte.BYTES).get();
          case 'U' -> need(Byte.BYTES).get() & 0xff;
          case 'I' -> need(Short.BYTES).getShort();
          case 'l' -> need(Integer.BYTES).getInt();
          case 'L' -> need(Long.BYTES).getLong();
          default -> throw failure("unknown type of value");
        };
    return DocumentReader.NUMBER;
  }

  private JsonToken begin(boolean object) {
    if (open.size() == MAX_DEPTH) {
      throw failure("nested more than " + MAX_DEPTH + " deep");
    }
    byte type = 0;
    int count = UNCOUNTED;
    if (input.at(buffer.position()) == '$') {
      buffer.get();
      type = marker();
      if (input.at(buffer.position()) != '#') {
        throw failure("an array or object declares the type of its elements, but not their number");
      }
    }
    if (input.at(buffer.position()) == '#') {
      buffer.get();
      // In an object, each element is preceded by at least two bytes, for the name and its length.
      count = count(width(type) + (object ? 2 : 0));
    }
    open.push(new Container(object, count, type));
    return object ? JsonToken.START_OBJECT : JsonToken.START_ARRAY;
  }

  /**
   * Reads the declared number of elements, and checks that so many elements, of at least {@code
   * width} bytes each, fit into the remaining bytes.
   */
  private int count(int width) {
    integer(marker());
    if (longValue < 0 || longValue > buffer.remaining() / width) {
      throw failure(
          "found an array or object of "
              + longValue
              + " elements, but only "
              + buffer.remaining()
              + " bytes are left");
    }
    return (int) longValue;
  }

  /**
   * Returns the minimum number of bytes of an element of the given type. It is 1 if the type is not
   * declared, because each element then has a marker.
   */
  private int width(byte type) {
    return switch (type) {
      case 0, 'i', 'U', '[', '{' -> 1;
      case 'I', 'S' -> 2;
      case 'l', 'd' -> 4;
      case 'L', 'D' -> 8;
      default -> throw failure("an array or object has an unsupported element type");
    };
  }

  private String string(int max) {
    integer(marker());
    if (longValue < 0 || longValue > buffer.remaining()) {
      throw failure(
          "found a text of "
              + longValue
              + " bytes, but only "
              + buffer.remaining()
              + " bytes are left");
    }
    if (longValue > max) {
      throw failure("found a name of " + longValue + " bytes, at most " + max + " allowed");
    }
    int start = buffer.position();
    int end = Math.addExact(start, (int) longValue);
    buffer.position(end);
    return input.text(start, end);
  }

  private byte marker() {
    return need(1).get();
  }

  private ByteBuffer need(int bytes) {
    if (buffer.remaining() < bytes) {
      throw failure("the file ends too early");
    }
    return buffer;
  }

  @Override
  public String text() {
    return text;
  }

  @Override
  public float floatValue() {
    // Each value is rounded at most once: an integer or a double once, a float not at all.
    return integer ? longValue : (float) doubleValue;
  }

  @Override
  public double doubleValue() {
    return integer ? longValue : doubleValue;
  }

  @Override
  public long longValue() {
    if (!integer) {
      throw failure("expected an integer");
    }
    return longValue;
  }

  @Override
  public void skipChildren() {
    int depth = open.size();
    while (open.size() >= depth) {
      Container container = open.element();
      boolean fixedWidth = container.type != 0 && "iUIlLdD".indexOf(container.type) >= 0;
      if (fixedWidth && container.names == null) {
        buffer.position(
            Math.addExact(
                buffer.position(), Math.multiplyExact(container.left, width(container.type))));
        container.left = 0;
      }
      if (next() == DocumentReader.END_OF_DOCUMENT) {
        return;
      }
    }
  }

  @Override
  public long offset() {
    return tokenStart;
  }

  private InvalidModelException failure(String what) {
    return InvalidModelException.at(buffer.position(), "UBJSON: " + what);
  }
}
