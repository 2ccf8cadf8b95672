package io.quickscorer.cli;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelFormat;
import io.quickscorer.reader.ModelReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;

/** The model argument of a command. */
final class ModelFile {
  private ModelFile() {}

  static TreeEnsemble read(Path file, String formatLabel, OptionalInt output) throws Failure {
    ModelFormat format;
    try {
      format = ModelFormat.of(formatLabel);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--format: " + e.getMessage());
    }
    try {
      return ModelReader.read(file, format, EnsembleLimits.DEFAULT, output);
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (InvalidModelException e) {
      throw Failure.model(file.toString(), String.valueOf(e.getMessage()));
    }
  }
}
