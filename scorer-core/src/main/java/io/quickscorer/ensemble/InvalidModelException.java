package io.quickscorer.ensemble;

import org.jspecify.annotations.Nullable;

/**
 * The only failure by which a model is refused: says where, what was found, and what was expected.
 *
 * <p>Messages carry positions, counts and names of our own fields; they never echo the file's text.
 */
public final class InvalidModelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final EnsembleLimits.@Nullable Limit limit;

  public InvalidModelException(String message) {
    super(message);
    limit = null;
  }

  InvalidModelException(String message, EnsembleLimits.@Nullable Limit limit) {
    super(message);
    this.limit = limit;
  }

  public InvalidModelException(String message, Throwable cause) {
    super(message, cause);
    limit = null;
  }

  /** The limit the model exceeds, or null if it is wrong in itself. */
  public EnsembleLimits.@Nullable Limit limit() {
    return limit;
  }

  /** The same failure, said to be at a byte offset of the file. */
  public InvalidModelException at(long byteOffset) {
    return new InvalidModelException(place(byteOffset) + getMessage(), limit);
  }

  /** The same failure, said to be in a part of the file. */
  public InvalidModelException in(String part) {
    return new InvalidModelException(part + ": " + getMessage(), limit);
  }

  private static String place(long byteOffset) {
    return "byte " + byteOffset + ": ";
  }

  /** A failure at a byte offset of the file: {@code byte 812: found ..., expected ...}. */
  public static InvalidModelException at(long byteOffset, String message) {
    return new InvalidModelException(place(byteOffset) + message);
  }
}
