// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import static org.opensearch.rest.RestRequest.Method.DELETE;
import static org.opensearch.rest.RestRequest.Method.GET;
import static org.opensearch.rest.RestRequest.Method.HEAD;
import static org.opensearch.rest.RestRequest.Method.POST;
import static org.opensearch.rest.RestRequest.Method.PUT;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.action.TransportShowPageAction;
import io.quickscorer.plugin.action.resource.TransportDeleteAliasAction;
import io.quickscorer.plugin.action.resource.TransportDeleteFeatureSetAction;
import io.quickscorer.plugin.action.resource.TransportDeleteModelAction;
import io.quickscorer.plugin.action.resource.TransportGetAliasesAction;
import io.quickscorer.plugin.action.resource.TransportGetFeatureSetsAction;
import io.quickscorer.plugin.action.resource.TransportGetModelsAction;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.store.FeatureSetStore;
import io.quickscorer.plugin.stats.TransportDriftAction;
import io.quickscorer.plugin.stats.TransportImportanceAction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestHandler.Route;

/**
 * Lists all REST handlers, one per row, with the method that reads the request and the action that
 * it runs.
 */
public final class Endpoints {
  private Endpoints() {}

  /**
   * Returns the REST handlers of all endpoints.
   *
   * @param memory returns the object that charges the bodies of requests; not called before the
   *     first request
   */
  public static List<RestHandler> all(Supplier<RequestMemory> memory) {
    List<RestHandler> all = new ArrayList<>(rows(memory));
    all.add(
        new Endpoint(
            "endpoints",
            (request, client) -> EndpointList.answer(client, all),
            new Route(GET, Routes.ROOT)));
    return all;
  }

  private static List<RestHandler> rows(Supplier<RequestMemory> memory) {
    Page page = new Page();
    return List.of(
        new Endpoint(
            "put_feature_set", Requests::putFeatureSet, new Route(PUT, Routes.FEATURE_SET)),
        list("feature_sets", TransportGetFeatureSetsAction.ACTION, FeatureSetStore.Listed::show),
        delete("feature_set", Routes.FEATURE_SET, TransportDeleteFeatureSetAction.ACTION),
        new Endpoint("log", Requests::log, new Route(POST, Routes.FEATURE_SET + "/_log")),
        new Endpoint(
            "validate", Requests::validate, new Route(POST, Routes.FEATURE_SET + "/_validate")),
        new Endpoint("put_model", Requests::putModel, new Route(PUT, Routes.MODEL)),
        list("models", TransportGetModelsAction.ACTION, TransportGetModelsAction.Model::toXContent),
        delete("model", Routes.MODEL, TransportDeleteModelAction.ACTION),
        new Endpoint("model_file", Requests::modelFile, new Route(GET, Routes.MODEL + "/_file")),
        new Endpoint(
            "importance",
            (request, client) ->
                Answers.shown(client, TransportImportanceAction.ACTION, Requests.named(request)),
            new Route(GET, Routes.MODEL + "/_importance")),
        new Endpoint(
            "drift",
            (request, client) ->
                Answers.shown(
                    client,
                    request.paramAsBoolean("values", false)
                        ? TransportDriftAction.WITH_VALUES
                        : TransportDriftAction.ACTION,
                    Requests.named(request)),
            new Route(GET, Routes.MODEL + "/_drift")),
        new Endpoint(
            "put_alias",
            (request, client) -> Requests.putAlias(request, client, memory),
            new Route(PUT, Routes.ALIAS),
            new Route(POST, Routes.ALIAS + "/_rollback")),
        list("aliases", TransportGetAliasesAction.ACTION, ModelAlias::toXContent),
        delete("alias", Routes.ALIAS, TransportDeleteAliasAction.ACTION),
        new Endpoint(
            "comparisons",
            Requests::comparisons,
            new Route(GET, Routes.COMPARISONS),
            new Route(GET, Routes.EXPERIMENT),
            new Route(DELETE, Routes.EXPERIMENT)),
        new Endpoint("import", Requests::imports, new Route(POST, Routes.IMPORT)),
        new Endpoint("export", Requests::export, new Route(GET, Routes.EXPORT)),
        new Endpoint(
            "page",
            (request, client) ->
                Answers.made(
                    client, TransportShowPageAction.ACTION, "", permitted -> page.response()),
            new Route(GET, Routes.PAGE)),
        new Endpoint(
            "ready",
            Requests::ready,
            new Route(GET, Routes.READY),
            new Route(HEAD, Routes.READY),
            new Route(GET, Routes.NODE_READY)) {
          /**
           * Returns false, so that requests are accepted even if a breaker is tripped; the response
           * then reports the lack of memory.
           */
          @Override
          public boolean canTripCircuitBreaker() {
            return false;
          }
        },
        new Endpoint(
            "stats",
            Requests::stats,
            new Route(GET, Routes.STATS),
            new Route(GET, Routes.NODE_STATS)),
        new PrometheusAction(),
        new CatModelsAction(),
        new CatAliasesAction(),
        new CatFeatureSetsAction());
  }

  private static <T> Endpoint list(
      String things,
      LocalAction<ListRequest, ListRequest.Page<T>> action,
      Answers.Writer<T> writer) {
    String one = Routes.BASE + things + "/{name}";
    return new Endpoint(
        "get_" + things,
        (request, client) -> Answers.listed(request, client, action, things, writer),
        new Route(GET, Routes.BASE + things),
        new Route(GET, one),
        new Route(HEAD, one));
  }

  private static Endpoint delete(
      String thing, String path, LocalAction<String, AcknowledgedResponse> action) {
    return new Endpoint(
        "delete_" + thing,
        (request, client) -> Answers.shown(client, action, request.param("name")),
        new Route(DELETE, path));
  }
}
