// SPDX-License-Identifier: Apache-2.0
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.example.quickscorer.ApiClient;
import org.example.quickscorer.ApiException;
import org.example.quickscorer.JSON;
import org.example.quickscorer.api.AliasesApi;
import org.example.quickscorer.api.ComparisonsApi;
import org.example.quickscorer.api.FeatureSetsApi;
import org.example.quickscorer.api.ModelsApi;
import org.example.quickscorer.api.MonitoringApi;
import org.example.quickscorer.model.AliasTarget;
import org.example.quickscorer.model.Clause;
import org.example.quickscorer.model.Feature;
import org.example.quickscorer.model.FeatureSet;
import org.example.quickscorer.model.FieldFeature;
import org.example.quickscorer.model.FirstPassScoreFeature;
import org.example.quickscorer.model.ModelEnvelope;
import org.example.quickscorer.model.NodeStats;
import org.example.quickscorer.model.Problem;
import org.example.quickscorer.model.QueryFeature;
import org.example.quickscorer.model.Rescore;
import org.example.quickscorer.model.ValidateRequest;
import org.example.quickscorer.model.Validation;

/**
 * The tutorial's requests through a generated client; OpenSearch's own endpoints over plain HTTP.
 */
public final class Tutorial {
  private static final String NAME = "java-shop";

  private Tutorial() {}

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient().setBasePath(args[0]);
    send(
        args[0],
        "PUT",
        "/" + NAME,
        "{\"mappings\": {\"properties\": {\"title\": {\"type\": \"text\"}, \"popularity\":"
            + " {\"type\": \"integer\"}}}}");
    for (int id = 1; id <= 5; id++) {
      send(
          args[0],
          "PUT",
          "/" + NAME + "/_doc/" + id + "?refresh=true",
          "{\"title\": \"red shoe\", \"popularity\": " + 10 * id + "}");
    }
    FeatureSetsApi sets = new FeatureSetsApi(client);
    QueryFeature title =
        new QueryFeature()
            .name("title_match")
            .type(QueryFeature.TypeEnum.QUERY)
            .query(Map.of("match", Map.of("title", "{{keywords}}")));
    FieldFeature popularity =
        new FieldFeature().name("popularity").type(FieldFeature.TypeEnum.FIELD).field("popularity");
    FirstPassScoreFeature firstPass =
        new FirstPassScoreFeature()
            .name("first_pass")
            .type(FirstPassScoreFeature.TypeEnum.FIRST_PASS_SCORE);
    FeatureSet set =
        new FeatureSet()
            .features(List.of(new Feature(title), new Feature(popularity), new Feature(firstPass)));
    check(sets.putFeatureSet(NAME, set, null, NAME).getWarnings().isEmpty(), "no warnings");
    Validation validation =
        sets.validateFeatures(
            NAME,
            new ValidateRequest().index(NAME).params(Map.of("keywords", "red shoe")).size(10));
    check(validation.getFeatures().size() == 3, "three features");
    check(
        sets.getFeatureSet(NAME, null, null, null).getStoredFeatureSet().getFeatures().size() == 3,
        "stored");
    ModelsApi models = new ModelsApi(client);
    for (String model : List.of(NAME + "-1", NAME + "-2")) {
      ModelEnvelope envelope =
          new ModelEnvelope()
              .featureSet(NAME)
              .model(
                  "{\"title_match\": 0.5, \"popularity\": "
                      + (model.endsWith("1") ? "1" : "-1")
                      + "}");
      String result =
          models
              .putModel(model, envelope, null, null, null, null, null, null, null, null, null, null)
              .getModelPut()
              .getResult()
              .getValue();
      check(result.equals("created"), result);
    }
    AliasesApi aliases = new AliasesApi(client);
    aliases.putAlias(NAME, new AliasTarget().model(NAME + "-1"), null);
    Rescore rescore =
        new Rescore()
            .windowSize(100)
            .quickscorer(new Clause().model(NAME).params(Map.of("keywords", "red shoe")));
    String search =
        "{\"query\": {\"match\": {\"title\": \"red shoe\"}}, \"size\": 1, \"_source\": false,"
            + " \"rescore\": "
            + JSON.getGson().toJson(rescore)
            + "}";
    check(
        send(args[0], "POST", "/" + NAME + "/_search", search).contains("\"_id\":\"5\""),
        "the most popular one");
    aliases.putAlias(NAME, new AliasTarget().model(NAME + "-2"), null);
    check(
        send(args[0], "POST", "/" + NAME + "/_search", search).contains("\"_id\":\"1\""),
        "the least popular one");
    check(aliases.rollbackAlias(NAME, null).getModel().equals(NAME + "-1"), "rolled back");
    check(models.getImportance(NAME + "-1").getFeatures().size() == 2, "importance");
    for (NodeStats node : new MonitoringApi(client).getStats().getNodes().values()) {
      check(node.getReady() && node.getRescore().getSearches() >= 2, "searches are counted");
    }
    check(new ComparisonsApi(client).getComparisons().getAgreement() != null, "comparisons");
    try {
      models.getModel("absent", null, null, null);
      throw new AssertionError("expected 404");
    } catch (ApiException e) {
      Problem problem = JSON.getGson().fromJson(e.getResponseBody(), Problem.class);
      check(
          e.getCode() == 404 && problem.getError().getReason().contains("absent"),
          e.getResponseBody());
    }
    aliases.deleteAlias(NAME);
    models.deleteModel(NAME + "-1");
    models.deleteModel(NAME + "-2");
    sets.deleteFeatureSet(NAME);
    send(args[0], "DELETE", "/" + NAME, "");
    System.out.println("done");
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  private static String send(String node, String method, String path, String body)
      throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(URI.create(node + path))
                  .header("Content-Type", "application/json")
                  .method(method, HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      check(response.statusCode() < 300, response.body());
      return response.body();
    }
  }
}
