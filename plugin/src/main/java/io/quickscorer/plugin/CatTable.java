// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.stats.Measure;
import io.quickscorer.plugin.stats.NodeStats;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.opensearch.action.StepListener;
import org.opensearch.common.Table;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.rest.action.cat.AbstractCatAction;
import org.opensearch.rest.action.cat.RestTable;
import org.opensearch.transport.client.node.NodeClient;

/**
 * An endpoint that returns a table for people, with the parameters of the server's {@code _cat}
 * endpoints: {@code v, h, s, help, format}.
 *
 * @param <R> the type of the data from which the rows are made
 */
final class CatTable<R> extends AbstractCatAction {
  private static final Set<Measure.Model> HIDDEN =
      EnumSet.of(Measure.Model.WINDOWS, Measure.Model.OVER_BUDGET);
  private static final Measure.Verify MISMATCHES = Measure.Verify.MISMATCHES;
  private static final List<Measure.Part> TIMES = List.of(Measure.Part.SCORE, Measure.Part.EXTRACT);

  private final String things;
  private final Consumer<Table> columns;
  private final Data<R> data;
  private final BiConsumer<Table, R> rows;

  @FunctionalInterface
  private interface Data<R> {
    void fetch(GuardedClient client, ListRequest list, ActionListener<R> listener);
  }

  /**
   * Creates the endpoint of a table.
   *
   * @param things the name of the items in the path of the table, such as {@code models}
   * @param columns adds the columns
   * @param data requests the data
   * @param rows adds the rows
   */
  private CatTable(
      String things, Consumer<Table> columns, Data<R> data, BiConsumer<Table, R> rows) {
    this.things = things;
    this.columns = columns;
    this.data = data;
    this.rows = rows;
  }

  /** Returns the endpoint {@code GET _cat/aliases}: a table of aliases and their models. */
  static CatTable<?> aliases() {
    return new CatTable<ListRequest.Page<ModelAlias>>(
        "aliases",
        table -> {
          column(table, "alias", "a", "name that searches use");
          column(table, "model", "m", "model that it points to");
          column(table, "previous", "p", "the model before the last move");
          column(table, "shares", "s", "the shares of the models, if it points to several");
        },
        Aliases.GET::execute,
        (table, page) -> {
          for (ModelAlias alias : page.items()) {
            table.startRow().addCell(alias.name()).addCell(alias.model());
            Shares previous = alias.previous();
            table.addCell(previous == null ? null : previous.main());
            table.addCell(alias.target().isShared() ? shares(alias.target()) : null).endRow();
          }
        });
  }

  private static String shares(Shares target) {
    return target.models().entrySet().stream()
        .map(share -> share.getKey() + ":" + share.getValue())
        .collect(Collectors.joining(","));
  }

  /** Returns the endpoint {@code GET _cat/feature_sets}: a table of feature sets. */
  static CatTable<?> featureSets() {
    return new CatTable<ListRequest.Page<FeatureSetStore.Listed>>(
        "feature_sets",
        table -> {
          column(table, "feature_set", "fs", "name of the set");
          number(table, "features", "f", "number of features");
          column(table, "names", "n", "names of the first features");
        },
        FeatureSets.GET::execute,
        (table, page) -> {
          for (FeatureSetStore.Listed listed : page.items()) {
            FeatureSet set = listed.set();
            table.startRow().addCell(listed.name());
            table.addCell(set == null ? null : set.features().size());
            table.addCell(set == null ? "cannot be read" : names(set)).endRow();
          }
        });
  }

  private static String names(FeatureSet set) {
    return set.features().stream()
        .limit(5)
        .map(FeatureDefinition::name)
        .collect(Collectors.joining(","));
  }

  /** The data for the table of models: the models, all aliases, and the statistics of the nodes. */
  private record Listing(
      List<Models.Model> models, List<ModelAlias> aliases, List<NodeStats> nodes) {}

  /**
   * Returns the endpoint {@code GET _cat/models}: a table of models. For each model: its aliases,
   * the number of nodes that have loaded it, and its counters.
   */
  static CatTable<?> models() {
    return new CatTable<Listing>(
        "models", CatTable::addModelColumns, CatTable::fetchModels, CatTable::addModels);
  }

  private static void addModelColumns(Table table) {
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

  private static void fetchModels(
      GuardedClient client, ListRequest list, ActionListener<Listing> listener) {
    StepListener<ListRequest.Page<Models.Model>> models = new StepListener<>();
    StepListener<ListRequest.Page<ModelAlias>> aliases = new StepListener<>();
    // As a pattern, a name without a model gives an empty table instead of the response 404.
    String names = list.names().isEmpty() ? "" : list.names() + ",";
    ListRequest pattern = new ListRequest(names, list.prefix(), list.from(), list.size());
    Models.GET.execute(client, pattern, models);
    Guard.then(
        models,
        all -> Aliases.GET.execute(client, new ListRequest(""), aliases),
        listener::onFailure);
    Guard.then(
        aliases,
        all ->
            client.execute(
                NodeStats.ACTION,
                NodeStats.request(),
                ActionListener.map(
                    listener,
                    stats -> new Listing(models.result().items(), all.items(), stats.values()))),
        listener::onFailure);
  }

  private static void addModels(Table table, Listing listing) {
    List<NodeStats> nodes = listing.nodes();
    for (Models.Model model : listing.models()) {
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

  private static long count(List<NodeStats> nodes, ModelId id, ModelState.Phase phase) {
    return nodes.stream()
        .flatMap(node -> node.models().stream())
        .filter(state -> state.id().equals(id) && state.phase() == phase)
        .count();
  }

  private static long sum(List<NodeStats> nodes, ToLongFunction<NodeStats> counter) {
    return nodes.stream().mapToLong(counter).sum();
  }

  @Override
  public String getName() {
    return "quickscorer_cat_" + things;
  }

  @Override
  public List<Route> routes() {
    String path = Endpoints.BASE + "_cat/" + things;
    return List.of(
        new Route(RestRequest.Method.GET, path),
        new Route(RestRequest.Method.GET, path + "/{name}"));
  }

  @Override
  protected void documentation(StringBuilder all) {
    String path = Endpoints.BASE + "_cat/" + things;
    all.append(path).append('\n').append(path).append("/{name}\n");
  }

  @Override
  protected Table getTableWithHeader(RestRequest request) {
    Table table = new Table().startHeaders();
    columns.accept(table);
    return table.endHeaders();
  }

  @Override
  protected RestChannelConsumer doCatRequest(RestRequest request, NodeClient client) {
    ListRequest list = Requests.list(request);
    return channel ->
        Guard.run(
            request::path,
            () ->
                data.fetch(
                    new GuardedClient(client),
                    list,
                    new RestResponseListener<>(channel) {
                      @Override
                      public RestResponse buildResponse(R response) throws Exception {
                        Table table = getTableWithHeader(request);
                        rows.accept(table, response);
                        try {
                          return RestTable.buildResponse(table, channel);
                        } catch (UnsupportedOperationException e) {
                          // The table has no column with the name in parameter s.
                          throw new IllegalArgumentException(e.getMessage(), e);
                        }
                      }
                    }));
  }

  static void column(Table table, String name, String alias, String description) {
    table.addCell(name, "alias:" + alias + ";desc:" + description);
  }

  static void number(Table table, String name, String alias, String description) {
    table.addCell(name, "alias:" + alias + ";text-align:right;desc:" + description);
  }

  /** Adds a column of numbers that the table shows only if the request selects it. */
  static void hiddenNumber(Table table, String name, String description) {
    table.addCell(name, "default:false;text-align:right;desc:" + description);
  }
}
