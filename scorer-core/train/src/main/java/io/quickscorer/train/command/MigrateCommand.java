// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.cluster.QuickScorerApi;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code quickscorer migrate}: imports a store of the bundled learning-to-rank plugin. */
@Command(
    name = "migrate",
    description = {
      "Imports all feature sets and models of a store of the bundled learning-to-rank plugin; the"
          + " store is only read.",
      "Prints a line for each. If one cannot be imported, its line contains the reason, and the"
          + " exit status is 1. Existing sets and models stay unchanged; if one differs from the"
          + " store's, the exit status is 1."
    },
    mixinStandardHelpOptions = true)
final class MigrateCommand extends ClusterCommand {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String IMPORT = "/_plugins/_quickscorer/_import";
  private static final int CONFLICT = 409;
  private static final String THERE = ": exists already";
  private static final String OTHER_NAMES = "; --prefix imports under other names";

  /** Number of documents that are read per page. One document may be a model of many megabytes. */
  private static final int PAGE = 1;

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--from",
      paramLabel = "URL",
      description =
          "The cluster with the store (default: --cluster). The user is the same for both.")
  private @Nullable URI from;

  @Option(
      names = "--store",
      paramLabel = "NAME",
      description = "The name of a named store (default: the unnamed store).")
  private @Nullable String store;

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "A text before the new name of each set and model (default: none).")
  private String prefix = "";

  /** The former name of each imported object. A key is the kind and new name of the object. */
  private final Map<String, String> taken = new HashMap<>();

  private final Set<JsonNode> warned = new HashSet<>();

  private int refused;

  @Override
  int run() throws Failure {
    ClusterClient to = cluster.client();
    URI elsewhere = from;
    ClusterClient source = elsewhere == null ? to : cluster.client("--from", elsewhere);
    // Importing a model also imports its feature set, unless an equal set exists.
    each(source, "featureset", document -> take(to, "feature set", document));
    each(source, "model", document -> take(to, "model", document));
    if (taken.isEmpty()) {
      System.out.println("the store contains no feature set or model that the user may read");
    }
    return refused == 0 ? 0 : 1;
  }

  private void each(ClusterClient source, String type, Consumer<JsonNode> step) {
    ObjectNode search = JSON.createObjectNode().put("size", PAGE);
    search.putObject("query").putObject("match").put("type", type);
    source.scroll(".ltrstore" + (store == null ? "" : "_" + store), search.toString(), step);
  }

  private void take(ClusterClient to, String kind, JsonNode document) {
    String name = document.at("/_source/name").asString("");
    String newName = newName(prefix + name);
    String subject = kind + " " + name + (newName.equals(name) ? "" : " as " + newName);
    String former = taken.putIfAbsent(kind + " " + newName, name);
    if (former != null) {
      refuse(
          subject,
          "the store also has " + kind + " " + former + ", whose new name is " + newName + " too");
      return;
    }
    boolean isModel = kind.equals("model");
    QuickScorerApi api = new QuickScorerApi(to);
    // An import would replace an existing model, but it never replaces a feature set.
    JsonNode there = isModel ? api.model(newName) : null;
    if (there != null) {
      if (!there.path("name").asString("").equals(newName)) {
        refuse(subject, "an alias has this name" + OTHER_NAMES);
      } else if (!api.file(newName).path("_source").equals(document.get("_source"))) {
        refuse(subject, "another model has this name" + OTHER_NAMES);
      } else {
        System.out.println(subject + THERE);
      }
      return;
    }
    ObjectNode body = JSON.createObjectNode().put("found", true);
    body.set("_source", document.get("_source"));
    String set = newName(prefix + document.at("/_source/model/feature_set/name").asString(""));
    // A model's document contains its feature set, which may differ from existing sets.
    Iterator<String> sets =
        (isModel ? Stream.of(set, newName, newName(newName + "_features")) : Stream.of(newName))
            .distinct()
            .iterator();
    ClusterClient.Answer answer;
    do {
      String path = IMPORT + "?name=" + newName;
      String over = sets.next();
      answer = to.send("POST", isModel ? path + "&feature_set=" + over : path, body.toString());
    } while (answer.status() == CONFLICT && sets.hasNext());
    if (answer.isError()) {
      String advice = answer.status() == CONFLICT ? OTHER_NAMES : "";
      refuse(subject, reason(answer.body().path("error"), answer.status()) + advice);
    } else {
      String result = answer.body().at("/" + kind.replace(' ', '_') + "/result").asString();
      String own = answer.body().at("/feature_set/name").asString(set);
      String over = isModel && !own.equals(set) ? ", over feature set " + own : "";
      System.out.println(subject + (result.equals("noop") ? THERE : ": " + result) + over);
      for (JsonNode part : answer.body()) {
        for (JsonNode warning : part.path("warnings")) {
          if (warned.add(warning)) {
            System.out.println("  warning: " + warning.asString());
          }
        }
      }
    }
  }

  private void refuse(String subject, String reason) {
    refused++;
    System.out.println(subject + ": refused: " + reason);
  }

  private static String reason(JsonNode error, int status) {
    return error.path("reason").asString(error.asString("status " + status));
  }

  /** Turns a model's or feature set's name in the other plugin into a name that is valid here. */
  static String newName(String name) {
    String lower = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_.-]", "-");
    String shorter = lower.replaceAll("\\.{2,}", ".").replaceAll("^[^a-z0-9]+", "");
    return shorter.isEmpty() ? "unnamed" : shorter.substring(0, Math.min(128, shorter.length()));
  }
}
