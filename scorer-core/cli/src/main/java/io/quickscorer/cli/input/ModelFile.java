// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.EnsembleLimits.Limit;
import io.quickscorer.ensemble.InvalidModelException;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelFormats;
import io.quickscorer.reader.ModelReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Reads the model file that a command gets as an argument. */
final class ModelFile {
  private ModelFile() {}

  public static TreeEnsemble read(
      Path file, String formatLabel, ReadOptions options, Map<Limit, Integer> raised)
      throws Failure {
    ModelFormat format;
    try {
      format = ModelFormats.of(formatLabel);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--format: " + e.getMessage());
    }
    EnsembleLimits limits = EnsembleLimits.DEFAULT;
    for (Map.Entry<Limit, Integer> limit : raised.entrySet()) {
      limits = limits.with(limit.getKey(), limit.getValue());
    }
    try {
      return ModelReader.read(file, format, limits, options);
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (InvalidModelException e) {
      Limit limit = e.limit();
      String option =
          limit == null
              ? ""
              : "; the limit is not one of the format: raise it with --limit " + limit + "=N";
      throw Failure.model(file.toString(), e.getMessage() + option);
    }
  }
}
