// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.PluginAction;
import io.quickscorer.plugin.action.ValueRequest;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.stats.FeatureReports;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestHandler.Route;
import org.opensearch.rest.RestRequest;
import org.opensearch.transport.client.Client;

/**
 * Lists all REST handlers of the plugin. For each handler: its name in the server's usage
 * statistics, the method that reads the request, and the HTTP methods and paths.
 */
final class Endpoints {
  /** The action that a user must be permitted to run to see the web page or the endpoints. */
  public static final PluginAction<String, String> SHOW_PAGE =
      PluginAction.local("cluster:admin/quickscorer/ui/get");

  static final String BASE = "/_plugins/_quickscorer/";

  private Endpoints() {}

  /**
   * Returns the REST handlers of all endpoints.
   *
   * @param memory returns the object with which requests' bodies are charged at the circuit
   *     breaker; not called before the first request
   */
  public static List<RestHandler> all(Supplier<RequestMemory> memory) {
    List<RestHandler> all = new ArrayList<>(rows(memory));
    all.add(row("endpoints", (request, client) -> shown(client, all), "GET "));
    return all;
  }

  private static List<RestHandler> rows(Supplier<RequestMemory> memory) {
    Page page = new Page();
    return List.of(
        row("put_feature_set", Requests::putFeatureSet, "PUT feature_sets/{name}"),
        list("feature_sets", FeatureSets.GET),
        delete("feature_set", FeatureSets.DELETE),
        row("log", Requests::log, "POST feature_sets/{name}/_log"),
        row("validate", Requests::validate, "POST feature_sets/{name}/_validate"),
        row("put_model", Requests::putModel, "PUT models/{name}"),
        list("models", Models.GET),
        delete("model", Models.DELETE),
        row("model_file", Requests::modelFile, "GET models/{name}/_file"),
        row(
            "importance",
            (request, client) ->
                Answers.shown(client, FeatureReports.IMPORTANCE, Requests.named(request)),
            "GET models/{name}/_importance"),
        row(
            "drift",
            (request, client) ->
                Answers.shown(
                    client,
                    request.paramAsBoolean("values", false)
                        ? FeatureReports.DRIFT_VALUES
                        : FeatureReports.DRIFT,
                    Requests.named(request)),
            "GET models/{name}/_drift"),
        row(
            "put_alias",
            (request, client) -> Requests.putAlias(request, client, memory),
            "PUT aliases/{name}",
            "POST aliases/{name}/_rollback"),
        list("aliases", Aliases.GET),
        delete("alias", Aliases.DELETE),
        row(
            "comparisons",
            Requests::comparisons,
            "GET comparisons",
            "GET comparisons/{experiment}",
            "DELETE comparisons/{experiment}"),
        row("import", Requests::imports, "POST _import"),
        row("export", Requests::export, "GET _export"),
        row(
            "page",
            (request, client) -> Answers.made(client, SHOW_PAGE, "", permitted -> page.response()),
            "GET ui"),
        new Endpoint(
            "ready", Requests::ready, routes("GET ready", "HEAD ready", "GET {node_id}/ready")) {
          /**
           * Returns false, so that the server accepts the request even if memory is short. The
           * response then reports the lack of memory.
           */
          @Override
          public boolean canTripCircuitBreaker() {
            return false;
          }
        },
        row("stats", Requests::stats, "GET stats", "GET {node_id}/stats"),
        row("prometheus", Requests::prometheus, "GET _prometheus"),
        CatTable.models(),
        CatTable.aliases(),
        CatTable.featureSets());
  }

  private static Endpoint row(String name, Endpoint.Preparation preparation, String... routes) {
    return new Endpoint(name, preparation, routes(routes));
  }

  /** Parses texts that consist of an HTTP method and a path after {@link #BASE}. */
  private static List<Route> routes(String... routes) {
    return Arrays.stream(routes)
        .map(route -> route.split(" ", 2))
        .map(
            route -> {
              String path =
                  route[1].isEmpty() ? BASE.substring(0, BASE.length() - 1) : BASE + route[1];
              return new Route(RestRequest.Method.valueOf(route[0]), path);
            })
        .toList();
  }

  private static <T extends ToXContentObject> Endpoint list(
      String things, PluginAction<ListRequest, ListRequest.Page<T>> action) {
    return row(
        "get_" + things,
        (request, client) -> Answers.listed(request, client, action, things),
        "GET " + things,
        "GET " + things + "/{name}",
        "HEAD " + things + "/{name}");
  }

  private static Endpoint delete(String thing, PluginAction<String, AcknowledgedResponse> action) {
    return row(
        "delete_" + thing,
        (request, client) -> Answers.shown(client, action, request.param("name")),
        "DELETE " + (thing.equals("alias") ? "aliases" : thing + "s") + "/{name}");
  }

  /** Returns an answer that lists all paths with their HTTP methods. */
  private static Endpoint.Answer shown(Client client, List<RestHandler> endpoints) {
    Map<String, Set<String>> methods = new TreeMap<>();
    for (RestHandler endpoint : endpoints) {
      for (Route route : endpoint.routes()) {
        methods
            .computeIfAbsent(route.getPath(), path -> new TreeSet<>())
            .add(route.getMethod().name());
      }
    }
    return Answers.of(
        client,
        SHOW_PAGE,
        new ValueRequest<>(""),
        (permitted, channel) ->
            new BytesRestResponse(
                RestStatus.OK,
                channel.newBuilder().startObject().field("endpoints", methods).endObject()));
  }
}
