// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.ensemble;

import org.jspecify.annotations.Nullable;

/**
 * The only failure by which a model is refused: says where, what was found, and what was expected.
 *
 * <p>Messages carry positions, counts and names of our own fields; they never echo the file's text.
 */
public final class InvalidModelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kinds of failures of a file as a whole. */
  public enum Kind {
    /** It is of none of the formats that are known. */
    UNKNOWN_FORMAT,
    /** It exceeds a limit, see {@link InvalidModelException#limit}. */
    LIMIT,
    /** It is wrong in itself, or holds what is not supported. */
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

  /** A failure at a byte offset of the file: {@code byte 812: found ..., expected ...}. */
  public static InvalidModelException at(long byteOffset, String message) {
    return new InvalidModelException(message).at(byteOffset);
  }

  /** The refusal of a file that is of no known format. */
  public static InvalidModelException unknownFormat(String message) {
    return new InvalidModelException(message, Kind.UNKNOWN_FORMAT, null, NOWHERE).at(0);
  }

  /** Returns the kind of failure. */
  public Kind kind() {
    return kind;
  }

  /** The limit the model exceeds, or null if it is wrong in itself. */
  public EnsembleLimits.@Nullable Limit limit() {
    return limit;
  }

  /** Returns this failure with a byte offset of the file. */
  public InvalidModelException at(long byteOffset) {
    return new InvalidModelException(
        "byte " + byteOffset + ": " + getMessage(), kind, limit, byteOffset);
  }

  /** This failure if it names a byte offset, else the same at this one. */
  public InvalidModelException orAt(long otherOffset) {
    return byteOffset == NOWHERE ? at(otherOffset) : this;
  }

  /** Returns this failure with the part of the file in which it occurred. */
  public InvalidModelException in(String part) {
    return new InvalidModelException(part + ": " + getMessage(), kind, limit, byteOffset);
  }
}
