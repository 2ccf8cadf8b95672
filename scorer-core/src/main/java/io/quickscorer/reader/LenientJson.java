// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.reader.input.BoundedInput;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Converts JSON that Solr's parser accepts to strict JSON. Removes extra commas, inserts missing
 * commas and colons before an object or a list, and replaces comments by spaces. The JSON parser
 * reports all other errors with their byte offset. An inserted character replaces the space before
 * it, so that offsets stay correct. If there is no space, later offsets are too large by 1.
 */
final class LenientJson {
  /** The kind of the previous token, which determines the tokens that may follow. */
  private enum State {
    /** The previous token begins an object or array: a name, a value or the end may follow. */
    FIRST,
    /** The previous token is a comma: a name or a value must follow. */
    AFTER_COMMA,
    /** The previous token is a name: a colon must follow. */
    AFTER_NAME,
    /** The previous token is a colon: a value must follow. */
    AFTER_COLON,
    /** The previous token is a value: a comma or the end must follow. */
    AFTER_VALUE
  }

  private final byte[] in;
  private byte[] out;
  private int size;
  private int lastComma;
  private final BitSet objects = new BitSet();
  private int depth;
  private State state = State.FIRST;

  private LenientJson(byte[] in) {
    this.in = in;
    this.out = new byte[in.length + 16];
  }

  static BoundedInput strict(BoundedInput input) {
    LenientJson json = new LenientJson(input.bytes());
    json.copy();
    return BoundedInput.ofPlain(Arrays.copyOf(json.out, json.size));
  }

  private void copy() {
    int at = 0;
    while (at < in.length) {
      switch (in[at]) {
        case ' ', '\t', '\n', '\r' -> put(in[at++]);
        case '/', '#' -> at = skipComment(at);
        case '"' -> at = copyString(at);
        case '{', '[' -> {
          if (state == State.AFTER_VALUE && depth > 0) {
            insert(',');
          } else if (state == State.AFTER_NAME) {
            insert(':');
          }
          objects.set(depth++, in[at] == '{');
          state = State.FIRST;
          put(in[at++]);
        }
        case '}', ']' -> {
          if (state == State.AFTER_COMMA) {
            out[lastComma] = ' ';
          }
          depth = Math.max(0, depth - 1);
          state = State.AFTER_VALUE;
          put(in[at++]);
        }
        case ',' -> {
          boolean needed = state == State.AFTER_VALUE;
          if (needed) {
            lastComma = size;
            state = State.AFTER_COMMA;
          }
          boolean tooMany = state == State.FIRST || state == State.AFTER_COMMA;
          put(needed || !tooMany ? (byte) ',' : (byte) ' ');
          at++;
        }
        case ':' -> {
          state = State.AFTER_COLON;
          put(in[at++]);
        }
        default -> {
          state = State.AFTER_VALUE;
          put(in[at++]);
        }
      }
    }
  }

  private int copyString(int start) {
    boolean isName =
        depth > 0 && objects.get(depth - 1) && (state == State.FIRST || state == State.AFTER_COMMA);
    int at = start;
    do {
      if (in[at] == '\\' && at + 1 < in.length) {
        put(in[at++]);
      }
      put(in[at++]);
    } while (at < in.length && in[at] != '"');
    if (at < in.length) {
      put(in[at++]);
    }
    state = isName ? State.AFTER_NAME : State.AFTER_VALUE;
    return at;
  }

  /** Replaces a comment by spaces. Returns the index of the first byte after the comment. */
  private int skipComment(int start) {
    int next = start + 1 < in.length ? in[start + 1] : 0;
    boolean block = in[start] == '/' && next == '*';
    if (in[start] == '/' && next != '/' && !block) {
      put(in[start]);
      return start + 1;
    }
    int at = start;
    while (at < in.length && (block ? !endsBlock(start, at) : in[at] != '\n')) {
      put((byte) (in[at] == '\n' ? '\n' : ' '));
      at++;
    }
    return at;
  }

  private boolean endsBlock(int start, int at) {
    return at >= start + 4 && in[at - 1] == '/' && in[at - 2] == '*';
  }

  /**
   * Inserts a character: replaces the space or line feed before the current position. If neither is
   * there, appends the character.
   */
  private void insert(char character) {
    if (size > 0 && (out[size - 1] == ' ' || out[size - 1] == '\n')) {
      out[size - 1] = (byte) character;
    } else {
      put((byte) character);
    }
  }

  private void put(byte character) {
    if (size == out.length) {
      out = Arrays.copyOf(out, size + (size >> 1));
    }
    out[size++] = character;
  }
}
