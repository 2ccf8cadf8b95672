// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.reader.input.BoundedInput;
import io.quickscorer.reader.input.Numbers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scans the subset of XML that tree models use: elements, attributes, text and comments. Document
 * types, entities, processing instructions and character data sections are not supported, so that a
 * file cannot cause any expansion or download.
 */
final class XmlScanner {
  public enum Event {
    /** A start tag, such as {@code <tree>}. */
    START,
    /** The end of an element: an end tag, or the end of a tag such as {@code <tree/>}. */
    END,
    /** The end of the file was reached. */
    END_OF_FILE
  }

  private static final int MAX_DEPTH = 10_000;
  private static final int MAX_NAME = 64;
  private static final int MAX_ATTRIBUTES = 16;
  private static final int WORDS = 64;

  private final BoundedInput input;
  private final Deque<String> open = new ArrayDeque<>();
  private final Map<String, String> attributes = new HashMap<>();
  private int position;
  private int eventStart;
  private String name = "";
  private boolean selfClosed;

  // The text since the last tag. It is a part of the input or, if comments divide it, the joined
  // parts.
  private int textStart;
  private int textEnd;
  private final StringBuilder joined = new StringBuilder();

  /**
   * A cache of words, indexed by a hash of their bytes, because a file repeats the same few words.
   */
  private final @Nullable String[] words = new String[WORDS];

  public XmlScanner(BoundedInput input, int start) {
    this.input = input;
    this.position = start;
    if (input.startsWith(start, "<?xml ")) {
      position = find("?>", start) + 2;
    }
  }

  /** Moves to the next tag, and returns its kind. */
  public Event next() {
    textStart = 0;
    textEnd = 0;
    joined.setLength(0);
    if (selfClosed) {
      selfClosed = false;
      return close(name);
    }
    while (true) {
      int tag = input.indexOf('<', position, input.length());
      appendText(position, tag);
      eventStart = tag;
      position = tag;
      if (tag == input.length()) {
        if (!open.isEmpty()) {
          throw failure("the file ends inside an element");
        }
        return Event.END_OF_FILE;
      }
      if (!input.startsWith(tag, "<!--")) {
        return tag();
      }
      position = find("-->", tag) + 3;
    }
  }

  private void appendText(int start, int end) {
    if (input.indexOf('&', start, end) < end) {
      throw InvalidModelException.at(start, "entities are not supported");
    }
    int first = Math.min(input.skipWhiteSpace(start), end);
    int last = end;
    while (last > first && input.isWhiteSpace(last - 1)) {
      last--;
    }
    if (first < last && open.isEmpty()) {
      throw InvalidModelException.at(first, "text is outside the elements");
    }
    if (first < last) {
      if (textStart < textEnd || !joined.isEmpty()) {
        joined.append(input.text(textStart, textEnd)).append(input.text(first, last));
        first = last;
      }
      textStart = first;
      textEnd = last;
    }
  }

  private Event tag() {
    int first = input.at(position + 1);
    if (first == '!' || first == '?') {
      throw failure("document types, entities and processing instructions are not supported");
    }
    if (first == '/') {
      position += 2;
      String closed = word();
      skipSpace();
      expect('>');
      return close(closed);
    }
    position++;
    name = word();
    attributes.clear();
    skipSpace();
    while (input.at(position) != '>' && input.at(position) != '/') {
      readAttribute();
      skipSpace();
    }
    selfClosed = input.at(position) == '/';
    if (selfClosed) {
      position++;
    }
    expect('>');
    if (open.size() == MAX_DEPTH) {
      throw failure("nested more than " + MAX_DEPTH + " deep");
    }
    open.push(name);
    return Event.START;
  }

  private void readAttribute() {
    String key = word();
    skipSpace();
    expect('=');
    skipSpace();
    int quote = input.at(position);
    if (quote != '"' && quote != '\'') {
      throw failure("the value of an attribute has no quotes");
    }
    int end = input.indexOf((char) quote, position + 1, input.length());
    if (attributes.size() == MAX_ATTRIBUTES
        || attributes.put(key, word(position + 1, end)) != null) {
      throw failure("an element has too many attributes, or the same attribute twice");
    }
    position = end;
    expect((char) quote);
  }

  private Event close(String closed) {
    if (open.isEmpty() || !open.pop().equals(closed)) {
      throw failure("an end tag has no start tag");
    }
    name = closed;
    return Event.END;
  }

  private String word() {
    int start = position;
    int c;
    while ((c = input.at(position)) > ' ' && c != '=' && c != '>' && c != '/' && c != '<') {
      position++;
    }
    if (position == start || position - start > MAX_NAME) {
      throw failure("expected a name of at most " + MAX_NAME + " characters");
    }
    return word(start, position);
  }

  private String word(int start, int end) {
    int hash = 0;
    for (int i = start; i < end; i++) {
      hash = 31 * hash + input.at(i);
    }
    int slot = hash & (WORDS - 1);
    String known = words[slot];
    if (known != null && known.length() == end - start && input.startsWith(start, known)) {
      return known;
    }
    String created = input.text(start, end);
    words[slot] = created;
    return created;
  }

  private void skipSpace() {
    position = input.skipWhiteSpace(position);
  }

  private void expect(char wanted) {
    if (input.at(position) != wanted) {
      throw InvalidModelException.at(position, "expected " + wanted);
    }
    position++;
  }

  private int find(String wanted, int from) {
    int at = input.indexOf(wanted, from, input.length());
    if (at == input.length()) {
      throw InvalidModelException.at(from, "expected " + wanted);
    }
    return at;
  }

  /** Returns the name of the element to which the current tag belongs. */
  public String name() {
    return name;
  }

  /**
   * Returns the value of an attribute of the current start tag; an empty text if the attribute is
   * absent.
   */
  public String attribute(String key) {
    return attributes.getOrDefault(key, "");
  }

  /** Returns the text between the previous tag and the current one, without spaces at its ends. */
  public String text() {
    return joined.isEmpty() ? input.text(textStart, textEnd) : joined.toString();
  }

  /** Returns the text before the current tag ({@link #text}) as a float. */
  public float floatText() {
    return joined.isEmpty()
        ? Numbers.parseFloat(input.bytes(), textStart, textEnd)
        : Numbers.floatOf(text(), eventStart);
  }

  /** Returns the text before the current tag ({@link #text}) as a double. */
  public double doubleText() {
    return joined.isEmpty()
        ? Numbers.parseDouble(input.bytes(), textStart, textEnd)
        : Numbers.doubleOf(text(), eventStart);
  }

  /** Returns the text before the current tag ({@link #text}) as an integer. */
  public long longText() {
    return joined.isEmpty()
        ? Numbers.parseLong(input.bytes(), textStart, textEnd)
        : Numbers.longOf(text(), eventStart);
  }

  /** Returns the byte offset of the current tag. */
  public int offset() {
    return eventStart;
  }

  private InvalidModelException failure(String what) {
    return InvalidModelException.at(eventStart, "XML: " + what);
  }
}
