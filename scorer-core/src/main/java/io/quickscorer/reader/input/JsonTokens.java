// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader.input;

import io.quickscorer.ensemble.InvalidModelException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.core.util.JsonRecyclerPools;

/**
 * The tokens of a JSON document in UTF-8, which may contain {@code NaN} and {@code Infinity}
 * without quotes, as XGBoost writes them. An object must not contain a name twice.
 */
final class JsonTokens implements Tokens {
  /**
   * Maximum depth of nested objects and arrays. A dump of a model nests one object and one array
   * for each level of a tree.
   */
  private static final int MAX_DEPTH = 10_000;

  private static final int MAX_NAME_LENGTH = 10_000;

  /**
   * Maximum length of a string, in characters. OpenSearch allows this length for a model that is
   * stored as a string.
   */
  private static final int MAX_STRING_LENGTH = 50_000_000;

  private static final int STRINGS = 256;

  /** Maximum length, in characters, of a string that is cached. */
  private static final int SHORT = 64;

  private final JsonParser parser;
  private final byte[] number = new byte[Numbers.MAX_LENGTH];

  /** Cache of short strings, indexed by a hash, because models repeat names of features. */
  private final @Nullable String[] strings = new String[STRINGS];

  /** The byte offset of the document in the file. */
  private final int documentStart;

  /** Creates the tokens of the document in bytes [start, end) of a file. */
  JsonTokens(BoundedInput input, int start, int end) {
    this.documentStart = start;
    this.parser =
        factory().createParser(ObjectReadContext.empty(), input.bytes(), start, end - start);
  }

  /**
   * Creates the factory of JSON parsers for one document. If documents shared a factory, it would
   * keep names from earlier files.
   */
  private static JsonFactory factory() {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH)
                .maxNumberLength(Numbers.MAX_LENGTH)
                .maxNameLength(MAX_NAME_LENGTH)
                .maxStringLength(MAX_STRING_LENGTH)
                .build())
        .recyclerPool(JsonRecyclerPools.nonRecyclingPool())
        .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES)
        .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
        .build();
  }

  @Override
  public JsonToken next() {
    try {
      JsonToken token = parser.nextToken();
      return token == null
          ? DocumentReader.END_OF_DOCUMENT
          : token == JsonToken.VALUE_NUMBER_FLOAT ? DocumentReader.NUMBER : token;
    } catch (JacksonException e) {
      throw failure(e);
    }
  }

  @Override
  public String text() {
    try {
      // Only string values are cached here, because Jackson caches names.
      boolean cached = parser.currentToken() == JsonToken.VALUE_STRING;
      int length = cached ? parser.getStringLength() : SHORT + 1;
      return length > SHORT ? parser.getString() : string(length);
    } catch (JacksonException e) {
      throw failure(e);
    }
  }

  private String string(int length) {
    char[] characters = parser.getStringCharacters();
    int start = parser.getStringOffset();
    int hash = 0;
    for (int i = start; i < start + length; i++) {
      hash = 31 * hash + characters[i];
    }
    int slot = hash & (STRINGS - 1);
    String known = strings[slot];
    if (known != null && is(known, characters, start, length)) {
      return known;
    }
    String created = new String(characters, start, length);
    strings[slot] = created;
    return created;
  }

  private static boolean is(String text, char[] characters, int start, int length) {
    boolean same = text.length() == length;
    for (int i = 0; same && i < length; i++) {
      same = text.charAt(i) == characters[start + i];
    }
    return same;
  }

  @Override
  public float floatValue() {
    int length = copyNumber();
    try {
      return Numbers.parseFloat(number, 0, length);
    } catch (InvalidModelException e) {
      throw InvalidModelException.at(offset(), "expected a number");
    }
  }

  @Override
  public double doubleValue() {
    int length = copyNumber();
    try {
      return Numbers.parseDouble(number, 0, length);
    } catch (InvalidModelException e) {
      throw InvalidModelException.at(offset(), "expected a number");
    }
  }

  @Override
  public long longValue() {
    int length = copyNumber();
    try {
      return Numbers.parseLong(number, 0, length);
    } catch (InvalidModelException e) {
      throw InvalidModelException.at(offset(), "expected an integer");
    }
  }

  /** Copies the characters of the current token to {@code number}. Returns the length. */
  private int copyNumber() {
    try {
      int length = parser.getStringLength();
      if (length > number.length) {
        throw InvalidModelException.at(
            offset(),
            "found a number of " + length + " characters, at most " + number.length + " allowed");
      }
      char[] characters = parser.getStringCharacters();
      int start = parser.getStringOffset();
      for (int i = 0; i < length; i++) {
        char c = characters[start + i];
        // A cast to byte would turn some characters beyond ASCII into ASCII characters.
        number[i] = c < 0x80 ? (byte) c : 0;
      }
      return length;
    } catch (JacksonException e) {
      throw failure(e);
    }
  }

  @Override
  public void skipChildren() {
    try {
      parser.skipChildren();
    } catch (JacksonException e) {
      throw failure(e);
    }
  }

  @Override
  public long offset() {
    return documentStart + Math.max(0, parser.currentTokenLocation().getByteOffset());
  }

  /**
   * Returns an exception for a parser failure; leaves out Jackson's message, which quotes the file.
   */
  private InvalidModelException failure(JacksonException e) {
    String original = String.valueOf(e.getOriginalMessage());
    String what;
    if (e instanceof StreamConstraintsException) {
      what = "the JSON is nested too deeply, or a number, name or string is too long";
    } else if (original.startsWith("Invalid UTF-8")) {
      what = "the text is not valid UTF-8";
    } else if (original.startsWith("Duplicate")) {
      what = "an object contains the same name twice";
    } else {
      what = "the JSON is malformed or truncated";
    }
    long offset = documentStart + Math.max(0, parser.currentLocation().getByteOffset());
    return InvalidModelException.at(offset, what);
  }
}
