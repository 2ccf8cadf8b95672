// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a model is invalid or not supported. The message contains the place in the file, the
 * value found there and the expected value.
 *
 * <p>Messages contain positions, counts and names of the format's fields, but no text of the file.
 */
public final class InvalidModelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reasons why a model cannot be read. */
  public enum Kind {
    /** The file has no known format. */
    UNKNOWN_FORMAT,
    /** The file exceeds a limit, see {@link InvalidModelException#limit}. */
    LIMIT,
    /** The file is invalid or uses a feature of its format that is not supported. */
    INVALID
  }

  /** The byte offset of an exception whose place in the file is unknown. */
  private static final long NOWHERE = -1;

  private static final int MAX_SHOWN = 60;

  private final Kind kind;
  private final EnsembleLimits.@Nullable Limit limit;
  private final long byteOffset;

  public InvalidModelException(String message) {
    this(message, Kind.INVALID, null, NOWHERE);
  }

  InvalidModelException(String message, EnsembleLimits.Limit limit) {
    this(message, Kind.LIMIT, limit, NOWHERE);
  }

  private InvalidModelException(
      String message, Kind kind, EnsembleLimits.@Nullable Limit limit, long byteOffset) {
    super(message);
    this.kind = kind;
    this.limit = limit;
    this.byteOffset = byteOffset;
  }

  /**
   * Creates the exception for a failure at a byte offset of the file, with a message such as {@code
   * byte 812: found ..., expected ...}.
   */
  public static InvalidModelException at(long byteOffset, String message) {
    return new InvalidModelException(message).at(byteOffset);
  }

  /** Creates the exception for a file that has no known format. */
  public static InvalidModelException unknownFormat(String message) {
    return new InvalidModelException(message, Kind.UNKNOWN_FORMAT, null, NOWHERE).at(0);
  }

  /**
   * Returns a name from a file in the form for messages: at most {@value #MAX_SHOWN} characters,
   * with question marks in place of special characters.
   */
  public static String shown(String name) {
    String cut = name.length() > MAX_SHOWN ? name.substring(0, MAX_SHOWN) : name;
    return cut.replaceAll("[^\\w .:-]", "?");
  }

  /** Returns the kind of failure that this exception reports. */
  public Kind kind() {
    return kind;
  }

  /** Returns the limit that the model exceeds; null if the failure has another reason. */
  public EnsembleLimits.@Nullable Limit limit() {
    return limit;
  }

  /** Returns a copy of this exception for a failure at a byte offset of the file. */
  public InvalidModelException at(long byteOffset) {
    return new InvalidModelException(
        "byte " + byteOffset + ": " + getMessage(), kind, limit, byteOffset);
  }

  /**
   * Returns an exception that has a byte offset: this exception if it already has one, otherwise a
   * copy with the given offset.
   */
  public InvalidModelException orAt(long otherOffset) {
    return byteOffset == NOWHERE ? at(otherOffset) : this;
  }

  /** Returns a copy of this exception whose message begins with the name of a part of the file. */
  public InvalidModelException in(String part) {
    return new InvalidModelException(part + ": " + getMessage(), kind, limit, byteOffset);
  }
}
