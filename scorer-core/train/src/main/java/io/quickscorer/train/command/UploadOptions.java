// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.cluster.QuickScorerApi;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The command-line options for uploading a model. This class also uploads the model. */
final class UploadOptions {
  /** Matches the names that the plugin accepts for models and aliases. */
  private static final Pattern NAME = Pattern.compile("(?!.*\\.\\.)[a-z0-9][a-z0-9_.-]{0,127}");

  private static final String BETTER = "better";
  private static final String NOT_WORSE = "not-worse";

  @Option(
      names = "--upload",
      paramLabel = "NAME",
      description = "Uploads the model under this name.")
  private @Nullable String model;

  @Option(
      names = "--alias",
      paramLabel = "NAME",
      description =
          "Moves this alias to the uploaded model if the model is better, beyond noise, than the"
              + " first pass, the best one that --tune-fields found, and the model that the alias"
              + " points to.")
  private @Nullable String alias;

  @Option(
      names = "--alias-if",
      paramLabel = "better|not-worse",
      description =
          "not-worse: moves the alias also if there is no difference beyond noise to the model"
              + " that it points to (default: ${DEFAULT-VALUE}).")
  private String aliasIf = BETTER;

  /** Returns the name that the model gets in the cluster; null if the model is not uploaded. */
  @Nullable String name() {
    return model;
  }

  boolean isGiven() {
    return model != null;
  }

  @Nullable String alias() {
    return alias;
  }

  /**
   * Checks the options before a training or a request.
   *
   * @throws Failure if an option is invalid
   */
  void check(ClusterOptions cluster) throws Failure {
    check("--upload", model);
    check("--alias", alias);
    if (!List.of(BETTER, NOT_WORSE).contains(aliasIf)) {
      throw Failure.usage("--alias-if: " + aliasIf + ", expected " + BETTER + " or " + NOT_WORSE);
    }
    if (alias != null && model == null) {
      throw Failure.usage("--alias: expected --upload as well, with a name for the model");
    }
    if (alias != null && alias.equals(model)) {
      throw Failure.usage("--alias: expected a name other than that of --upload, " + alias);
    }
    if (model != null) {
      checkNotLive(cluster.client(), model);
    }
  }

  /**
   * Checks that no alias points to a model with this name, because searches would use the new model
   * untested.
   */
  private static void checkNotLive(ClusterClient client, String model) throws Failure {
    List<String> aliases = new QuickScorerApi(client).aliases(model);
    if (!aliases.isEmpty()) {
      throw Failure.usage(
          "--upload "
              + model
              + ": aliases ["
              + String.join(", ", aliases)
              + "] point to the model with this name, and the upload would replace it without a"
              + " test; give the new model another name");
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
   * Uploads the model if {@code --upload} is given. Moves the alias if the evaluation allows it.
   */
  void upload(TrainingFolder folder, ClusterClient client, String featureSet) throws Failure {
    String name = model;
    if (name == null) {
      return;
    }
    JsonNode stored = folder.upload(client, featureSet, name);
    System.out.println(
        "    uploaded as "
            + name
            + ", version "
            + stored.get("version").asString()
            + "; "
            + stored.at("/parity/rows")
            + " scores equal the trainer's");
    String to = alias;
    if (to == null) {
      return;
    }
    QuickScorerApi api = new QuickScorerApi(client);
    ObjectNode result = (ObjectNode) folder.result();
    String reason = reason(result, LiveModel.of(api, to));
    if (reason == null) {
      api.putAlias(to, name);
    }
    ObjectNode decision = result.putObject("alias").put("name", to).put("model", name);
    decision.put("moved", reason == null).put("reason", reason);
    folder.keep(result);
    System.out.println(
        "    alias " + to + (reason == null ? " points to " + name : " is not moved: " + reason));
  }

  /** Returns why the alias must not point to the new model; null if it may. */
  private @Nullable String reason(JsonNode result, @Nullable LiveModel live) {
    JsonNode against = result.path("against");
    if (live != null
        && !(against.path("name").asString("").equals(live.name())
            && against.path("version").asString("").equals(live.version()))) {
      return "the model was not compared with "
          + live.name()
          + ", version "
          + live.version()
          + ", which the alias points to; run quickscorer evaluate with --against "
          + alias;
    }
    if (result.path("better").asBoolean(false)) {
      return null;
    }
    boolean notWorse = result.path("not_worse").asBoolean(false);
    if (live != null && notWorse) {
      return aliasIf.equals(NOT_WORSE)
          ? null
          : "the model is not better beyond noise than "
              + live.name()
              + ", which the alias points to; --alias-if not-worse moves it";
    }
    List<String> unbeaten = new ArrayList<>();
    unbeaten(result.path("ndcg_gain"), "the first pass", unbeaten);
    if (result.has("ndcg_gain_over_by_hand")) {
      unbeaten(result.get("ndcg_gain_over_by_hand"), "the best first pass tuned by hand", unbeaten);
    }
    if (live != null) {
      unbeaten(
          result.path("ndcg_gain_over_live"),
          live.name() + ", which the alias points to",
          unbeaten);
    }
    return "the model is " + String.join(", and ", unbeaten);
  }

  private static void unbeaten(JsonNode gain, String than, List<String> to) {
    if (!gain.path("significant").asBoolean(false)) {
      boolean worse = gain.path("significant_loss").asBoolean(false);
      to.add((worse ? "worse beyond noise than " : "not better beyond noise than ") + than);
    }
  }
}
