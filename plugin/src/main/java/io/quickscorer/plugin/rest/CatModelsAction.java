// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.resource.TransportGetAliasesAction;
import io.quickscorer.plugin.action.resource.TransportGetModelsAction;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.stats.Measure;
import io.quickscorer.plugin.stats.TransportStatsAction;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.opensearch.action.StepListener;
import org.opensearch.common.Table;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.rest.RestRequest;

/**
 * {@code GET _cat/models}: a table of models, with their aliases, the numbers of nodes that have
 * loaded them, and their counters.
 */
final class CatModelsAction extends CatAction<CatModelsAction.Listing> {
  private static final Set<Measure.Model> HIDDEN =
      EnumSet.of(Measure.Model.WINDOWS, Measure.Model.OVER_BUDGET);
  private static final Measure.Verify MISMATCHES = Measure.Verify.MISMATCHES;
  private static final List<Measure.Part> TIMES = List.of(Measure.Part.SCORE, Measure.Part.EXTRACT);

  /** The data of the table: models, all aliases, and the statistics of the nodes. */
  record Listing(
      List<TransportGetModelsAction.Model> models,
      List<ModelAlias> aliases,
      List<TransportStatsAction.Values> nodes) {}

  CatModelsAction() {
    super("models");
  }

  @Override
  void addColumns(Table table) {
    column(table, "model", "m", "name of the model");
    table.addCell("version", "alias:ver;default:false;desc:its version");
    column(table, "aliases", "a", "aliases that point to it");
    column(table, "format", "f", "the trainer's format");
    column(table, "feature_set", "fs", "feature set of the model");
    number(table, "trees", "t", "trees");
    hiddenNumber(table, "leaves", "leaves of all trees");
    hiddenNumber(table, "features", "features");
    number(table, "bytes", "b", "size of the file that was uploaded");
    column(table, "created", "c", "time of the upload");
    number(table, "loaded", "lo", "nodes that have it loaded");
    number(table, "failed", "fa", "nodes that could not load it");
    for (Measure.Model measure : Measure.Model.values()) {
      if (HIDDEN.contains(measure)) {
        hiddenNumber(table, measure.label(), measure.help());
      } else {
        number(table, measure.label(), measure.label(), measure.help());
      }
    }
    number(table, MISMATCHES.label(), MISMATCHES.label(), MISMATCHES.help());
    for (Measure.Part part : TIMES) {
      hiddenNumber(table, part.label() + "_time_in_nanos", part.help());
    }
  }

  /**
   * Returns a request that uses the name as a pattern, so that the table is empty instead of the
   * response 404 if no model has the name.
   */
  @Override
  ListRequest list(RestRequest request) {
    String name = request.param("name", "");
    return new ListRequest(
        name.isEmpty() ? "" : name + ",",
        request.param("prefix", ""),
        request.paramAsInt("from", 0),
        request.paramAsInt("size", ListRequest.ALL));
  }

  @Override
  void fetch(ListRequest list, GuardedClient client, ActionListener<Listing> listener) {
    StepListener<ListRequest.Page<TransportGetModelsAction.Model>> models = new StepListener<>();
    StepListener<ListRequest.Page<ModelAlias>> aliases = new StepListener<>();
    TransportGetModelsAction.ACTION.execute(client, list, models);
    Guard.then(
        models,
        all -> TransportGetAliasesAction.ACTION.execute(client, new ListRequest(""), aliases),
        listener::onFailure);
    Guard.then(
        aliases,
        all ->
            client.execute(
                TransportStatsAction.ACTION,
                new TransportStatsAction.Request(),
                ActionListener.map(
                    listener,
                    stats -> new Listing(models.result().items(), all.items(), stats.values()))),
        listener::onFailure);
  }

  @Override
  void addRows(Table table, Listing listing) {
    List<TransportStatsAction.Values> nodes = listing.nodes();
    for (TransportGetModelsAction.Model model : listing.models()) {
      ModelManifest manifest = model.manifest();
      ModelId id = manifest.id();
      Map<String, Object> metadata = model.metadata();
      table.startRow().addCell(id.name()).addCell(id.version());
      table.addCell(
          listing.aliases().stream()
              .filter(alias -> alias.target().models().containsKey(id.name()))
              .map(ModelAlias::name)
              .collect(Collectors.joining(",")));
      for (String field : List.of("format", "feature_set", "trees", "leaves", "features")) {
        table.addCell(metadata.get(field));
      }
      table.addCell(new ByteSizeValue(manifest.bytes()));
      table.addCell(Instant.ofEpochMilli(manifest.created()).toString());
      table.addCell(count(nodes, id, ModelState.Phase.LOADED));
      table.addCell(count(nodes, id, ModelState.Phase.FAILED));
      for (Measure.Model measure : Measure.Model.values()) {
        table.addCell(sum(nodes, node -> node.rescore().of(id).counts().of(measure)));
      }
      table.addCell(sum(nodes, node -> node.verify().of(id).of(MISMATCHES)));
      for (Measure.Part part : TIMES) {
        table.addCell(sum(nodes, node -> node.rescore().of(id).times().of(part).nanos()));
      }
      table.endRow();
    }
  }

  private static long count(
      List<TransportStatsAction.Values> nodes, ModelId id, ModelState.Phase phase) {
    return nodes.stream()
        .flatMap(node -> node.models().stream())
        .filter(state -> state.id().equals(id) && state.phase() == phase)
        .count();
  }

  private static long sum(
      List<TransportStatsAction.Values> nodes,
      ToLongFunction<TransportStatsAction.Values> counter) {
    return nodes.stream().mapToLong(counter).sum();
  }
}
