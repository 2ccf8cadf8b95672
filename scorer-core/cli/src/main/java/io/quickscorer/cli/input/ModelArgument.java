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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The argument that names the model's file, and the options for reading the model. */
public final class ModelArgument {
  @Parameters(index = "0", paramLabel = "MODEL", description = "Model file, may be gzipped.")
  private Path file = Path.of("");

  @Option(
      names = "--format",
      defaultValue = "auto",
      description = "The model's format; by default detected from the file's content.")
  private String format = "auto";

  @Option(
      names = "--output-index",
      paramLabel = "K",
      description =
          "The output to score if the model has several: the index of a class, target or"
              + " quantile, from 0.")
  private @Nullable Integer output;

  @Option(
      names = "--categories",
      paramLabel = "FILE",
      description =
          "For a CatBoost model trained on texts: a JSON object with a list of texts for each"
              + " categorical feature. A table then contains these texts; other data contains"
              + " their indices in the list, from 0.")
  private @Nullable Path categories;

  @Option(
      names = "--model-name",
      paramLabel = "NAME",
      defaultValue = "",
      description = "The model to read if the file contains several, such as Solr's model store.")
  private String name = "";

  @Option(
      names = "--limit",
      paramLabel = "NAME=N",
      split = ",",
      description =
          "Raises limits of models, for example FEATURES=5000000. The other limits are TREES,"
              + " LEAVES (of one tree), DEPTH, NODES and CATEGORY (largest category).")
  private Map<Limit, Integer> limits = new EnumMap<>(Limit.class);

  public TreeEnsemble read() throws Failure {
    ModelFormat known;
    try {
      known = ModelFormats.of(format);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--format: " + e.getMessage());
    }
    EnsembleLimits raised = EnsembleLimits.DEFAULT;
    for (Map.Entry<Limit, Integer> limit : limits.entrySet()) {
      raised = raised.with(limit.getKey(), limit.getValue());
    }
    OptionalInt chosen = output == null ? OptionalInt.empty() : OptionalInt.of(output);
    ReadOptions options = new ReadOptions(chosen, categories(), name);
    try {
      return ModelReader.read(file, known, raised, options);
    } catch (IOException e) {
      throw Failure.io(file, e);
    } catch (InvalidModelException e) {
      Limit limit = e.limit();
      String option =
          limit == null
              ? ""
              : "; the limit is not one of the format: raise it with --limit " + limit + "=N";
      throw unfit(e.getMessage() + option);
    }
  }

  public Path file() {
    return file;
  }

  private Map<String, List<String>> categories() throws Failure {
    return categories == null ? Map.of() : CategoryTexts.read(categories);
  }

  /** Returns whether the command line contains {@code --categories}. */
  public boolean hasCategories() {
    return categories != null;
  }

  /** Returns whether the command line selects one of several outputs by {@code --output-index}. */
  public boolean isOneOutput() {
    return output != null;
  }

  /** Returns the bytes of the model's file, unchanged. */
  public byte[] bytes() throws Failure {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw Failure.io(file, e);
    }
  }

  /** Returns the failure for a valid model that the command cannot use. */
  public Failure unfit(String message) {
    return Failure.model(file.toString(), message);
  }
}
