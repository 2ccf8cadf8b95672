package io.quickscorer.scorer;

/** A named algorithm cannot take an ensemble or is missing here; the message says why. */
public final class UnsupportedEnsembleException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public UnsupportedEnsembleException(String message) {
    super(message);
  }
}
