// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import static org.opensearch.rest.RestRequest.Method.DELETE;
import static org.opensearch.rest.RestRequest.Method.GET;
import static org.opensearch.rest.RestRequest.Method.HEAD;
import static org.opensearch.rest.RestRequest.Method.POST;
import static org.opensearch.rest.RestRequest.Method.PUT;

import io.quickscorer.plugin.action.alias.DeleteAliasAction;
import io.quickscorer.plugin.action.alias.TransportGetAliasesAction;
import io.quickscorer.plugin.action.featureset.DeleteFeatureSetAction;
import io.quickscorer.plugin.action.featureset.TransportGetFeatureSetsAction;
import io.quickscorer.plugin.action.model.DeleteModelAction;
import io.quickscorer.plugin.action.model.GetModelsAction;
import io.quickscorer.plugin.action.page.TransportShowPageAction;
import io.quickscorer.plugin.action.stats.DriftAction;
import io.quickscorer.plugin.action.stats.ImportanceAction;
import io.quickscorer.plugin.memory.RequestMemory;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestHandler.Route;

/**
 * All endpoints, a row each: what it reads of a request, and the action that it has carried out.
 */
public final class Endpoints {
  private Endpoints() {}

  /**
   * @param memory what the bodies of requests are charged to; first asked at the first request
   */
  public static List<RestHandler> all(Supplier<RequestMemory> memory) {
    Page page = new Page();
    return List.of(
        new Endpoint(
            "put_feature_set", Requests::putFeatureSet, new Route(PUT, Routes.FEATURE_SET)),
        new Endpoint(
            "get_feature_sets",
            (request, client) ->
                Answers.listed(
                    request,
                    client,
                    TransportGetFeatureSetsAction.ACTION,
                    "feature_sets",
                    (set, builder, params) -> set.show(builder, params)),
            listRoutes(Routes.FEATURE_SETS)),
        new Endpoint(
            "delete_feature_set",
            (request, client) ->
                Answers.shown(client, DeleteFeatureSetAction.INSTANCE, Requests.named(request)),
            new Route(DELETE, Routes.FEATURE_SET)),
        new Endpoint("log", Requests::log, new Route(POST, Routes.FEATURE_SET + "/_log")),
        new Endpoint(
            "validate", Requests::validate, new Route(POST, Routes.FEATURE_SET + "/_validate")),
        new Endpoint("put_model", Requests::putModel, new Route(PUT, Routes.MODEL)),
        new Endpoint(
            "get_models",
            (request, client) ->
                Answers.listed(
                    request,
                    client,
                    GetModelsAction.INSTANCE,
                    "models",
                    (model, builder, params) -> model.toXContent(builder, params)),
            listRoutes(Routes.MODELS)),
        new Endpoint(
            "delete_model",
            (request, client) ->
                Answers.shown(client, DeleteModelAction.INSTANCE, Requests.named(request)),
            new Route(DELETE, Routes.MODEL)),
        new Endpoint(
            "repair_models",
            Requests::repair,
            new Route(POST, Routes.MODELS + "/_repair"),
            new Route(POST, Routes.MODEL + "/_repair")),
        new Endpoint("model_file", Requests::modelFile, new Route(GET, Routes.MODEL + "/_file")),
        new Endpoint(
            "importance",
            (request, client) ->
                Answers.shown(client, ImportanceAction.INSTANCE, Requests.named(request)),
            new Route(GET, Routes.MODEL + "/_importance")),
        new Endpoint(
            "drift",
            (request, client) ->
                Answers.shown(
                    client,
                    request.paramAsBoolean("values", false)
                        ? DriftAction.WITH_VALUES
                        : DriftAction.INSTANCE,
                    Requests.named(request)),
            new Route(GET, Routes.MODEL + "/_drift")),
        new Endpoint(
            "put_alias",
            (request, client) -> Requests.putAlias(request, client, memory),
            new Route(PUT, Routes.ALIAS),
            new Route(POST, Routes.ALIAS + "/_rollback")),
        new Endpoint(
            "get_aliases",
            (request, client) ->
                Answers.listed(
                    request,
                    client,
                    TransportGetAliasesAction.ACTION,
                    "aliases",
                    (alias, builder, params) -> alias.toXContent(builder, params)),
            listRoutes(Routes.ALIASES)),
        new Endpoint(
            "delete_alias",
            (request, client) ->
                Answers.shown(client, DeleteAliasAction.INSTANCE, Requests.named(request)),
            new Route(DELETE, Routes.ALIAS)),
        new Endpoint(
            "comparisons",
            (request, client) -> Requests.comparisons(request, client, memory),
            new Route(GET, Routes.COMPARISONS),
            new Route(POST, Routes.COMPARISONS + "/_clicks")),
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
          /** A node that has no thread or memory to spare says so here. */
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

  private static Route[] listRoutes(String things) {
    String thing = things + "/{name}";
    return new Route[] {new Route(GET, things), new Route(GET, thing), new Route(HEAD, thing)};
  }
}
