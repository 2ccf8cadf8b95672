// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.common.FormatReader;
import io.quickscorer.reader.input.BoundedInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads model files of every supported format. Stateless. */
public final class ModelReader {
  private ModelReader() {}

  /**
   * Reads a model from a file's bytes, which may be gzipped.
   *
   * @throws InvalidModelException if the bytes are not a valid model of this format within the
   *     limits; no bytes cause another exception
   * @throws IllegalArgumentException if no reader has this format
   */
  public static TreeEnsemble read(byte[] file, ModelFormat format, EnsembleLimits limits) {
    return read(file, format, limits, ReadOptions.NONE);
  }

  /**
   * Reads a model from a file's bytes, which may be gzipped, with options.
   *
   * @throws InvalidModelException if the bytes are not a valid model of this format within the
   *     limits, or the options do not fit the model; no bytes cause another exception
   */
  public static TreeEnsemble read(
      byte[] file, ModelFormat format, EnsembleLimits limits, ReadOptions options) {
    BoundedInput input = BoundedInput.of(file);
    FormatReader found =
        format.equals(ModelFormat.AUTO)
            ? FormatDetector.detect(input)
            : ModelFormats.readerOf(format);
    return found.reader().read(input, limits, options);
  }

  /**
   * Reads a model from a file.
   *
   * @throws IOException if the file cannot be read
   * @throws InvalidModelException if the file is not a valid model of this format within the limits
   */
  public static TreeEnsemble read(Path file, ModelFormat format, EnsembleLimits limits)
      throws IOException {
    return read(file, format, limits, ReadOptions.NONE);
  }

  /**
   * Reads a model from a file with options, as {@link #read(byte[], ModelFormat, EnsembleLimits,
   * ReadOptions)} does.
   *
   * @throws IOException if the file cannot be read
   */
  public static TreeEnsemble read(
      Path file, ModelFormat format, EnsembleLimits limits, ReadOptions options)
      throws IOException {
    return read(Files.readAllBytes(file), format, limits, options);
  }
}
