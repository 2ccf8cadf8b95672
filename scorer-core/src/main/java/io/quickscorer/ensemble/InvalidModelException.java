package io.quickscorer.ensemble;

/**
 * The only failure by which a model is refused: says where, what was found, and what was expected.
 *
 * <p>Messages carry positions, counts and names of our own fields; they never echo the file's text.
 */
public final class InvalidModelException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public InvalidModelException(String message) {
    super(message);
  }

  public InvalidModelException(String message, Throwable cause) {
    super(message, cause);
  }

  /** A failure at a byte offset of the file: {@code byte 812: found ..., expected ...}. */
  public static InvalidModelException at(long byteOffset, String message) {
    return new InvalidModelException("byte " + byteOffset + ": " + message);
  }
}
