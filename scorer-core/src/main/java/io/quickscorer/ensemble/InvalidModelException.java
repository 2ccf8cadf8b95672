// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import org.jspecify.annotations.Nullable;

/**
 * Thrown for every model that is refused; the message says where, what was found, and what was
 * expected.
 *
 * <p>Messages hold positions, counts and names of the format's fields, never the file's text.
 */
public final class InvalidModelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kind of a failure, for the file as a whole. */
  public enum Kind {
    /** The format is unknown. */
    UNKNOWN_FORMAT,
    /** The file exceeds a limit, see {@link InvalidModelException#limit}. */
    LIMIT,
    /** The file is invalid, or uses something that is not supported. */
    INVALID
  }

  /** No byte offset is known. */
  private static final long NOWHERE = -1;

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

  /** Returns a failure at a byte offset of the file: {@code byte 812: found ..., expected ...}. */
  public static InvalidModelException at(long byteOffset, String message) {
    return new InvalidModelException(message).at(byteOffset);
  }

  /** Returns the refusal of a file of no known format. */
  public static InvalidModelException unknownFormat(String message) {
    return new InvalidModelException(message, Kind.UNKNOWN_FORMAT, null, NOWHERE).at(0);
  }

  /** Returns the kind of the failure, for the file as a whole. */
  public Kind kind() {
    return kind;
  }

  /** Returns the limit that the model exceeds; null if it exceeds none. */
  public EnsembleLimits.@Nullable Limit limit() {
    return limit;
  }

  /** Returns this failure with a byte offset of the file. */
  public InvalidModelException at(long byteOffset) {
    return new InvalidModelException(
        "byte " + byteOffset + ": " + getMessage(), kind, limit, byteOffset);
  }

  /** Returns this failure if it has a byte offset, else one with the given offset. */
  public InvalidModelException orAt(long otherOffset) {
    return byteOffset == NOWHERE ? at(otherOffset) : this;
  }

  /** Returns this failure with the name of a part of the file in front. */
  public InvalidModelException in(String part) {
    return new InvalidModelException(part + ": " + getMessage(), kind, limit, byteOffset);
  }
}
