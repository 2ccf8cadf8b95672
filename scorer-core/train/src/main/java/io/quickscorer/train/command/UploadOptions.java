// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.cluster.QuickScorerApi;
import java.io.UncheckedIOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Where a model goes, and the upload itself. */
final class UploadOptions {
  /** Names that the plugin takes for models and aliases. */
  private static final Pattern NAME = Pattern.compile("(?!.*\\.\\.)[a-z0-9][a-z0-9_.-]{0,127}");

  @Option(names = "--upload", paramLabel = "NAME", description = "Uploads the model by this name.")
  private @Nullable String model;

  @Option(
      names = "--alias",
      paramLabel = "NAME",
      description =
          "Moves this alias to the uploaded model if that is better beyond noise than the first"
              + " pass, and than the best one that --tune-fields found. The model that the alias"
              + " stands for is not compared.")
  private @Nullable String alias;

  /** The model's name in the cluster; null if it is not uploaded. */
  @Nullable String name() {
    return model;
  }

  boolean isGiven() {
    return model != null;
  }

  boolean hasAlias() {
    return alias != null;
  }

  /** Checks the names before anything is trained or sent. */
  void check() throws Failure {
    check("--upload", model);
    check("--alias", alias);
    if (alias != null && model == null) {
      throw Failure.usage("--alias: expected --upload too, with a name for the model");
    }
  }

  private static void check(String option, @Nullable String name) throws Failure {
    if (name != null && !NAME.matcher(name).matches()) {
      throw Failure.usage(
          option
              + ": expected a name of up to 128 characters of a-z, 0-9, '_', '-' and '.', which"
              + " begins with a letter or digit and has no two dots in a row");
    }
  }

  /**
   * Uploads, if asked to, and moves the alias.
   *
   * @param better whether the model is worth an alias
   */
  void upload(TrainingFolder folder, ClusterClient client, String featureSet, boolean better)
      throws Failure {
    String name = model;
    if (name == null) {
      return;
    }
    try {
      JsonNode stored = folder.upload(client, featureSet, name);
      System.out.println(
          "    uploaded as "
              + name
              + ", version "
              + stored.get("version").asString()
              + "; "
              + stored.at("/parity/rows")
              + " rows score as the trainer says");
      if (alias != null && better) {
        new QuickScorerApi(client).putAlias(alias, name);
        System.out.println("    alias " + alias + " stands for " + name);
      } else if (alias != null) {
        System.out.println(
            "    alias "
                + alias
                + " is not moved: the model is not better beyond noise than the first pass");
      }
    } catch (IllegalStateException | UncheckedIOException e) {
      throw Failure.usage(String.valueOf(e.getMessage()));
    }
  }
}
