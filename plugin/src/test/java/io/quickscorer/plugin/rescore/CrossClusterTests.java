// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.TwoClustersTestCase;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.testing.MarkedModels;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.search.DeleteSearchPipelineRequest;
import org.opensearch.action.search.PutSearchPipelineRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.search.SearchHit;
import org.opensearch.test.InternalTestCluster;

/** Over two clusters as over one: one answer is scored by one version, or there is none. */
public class CrossClusterTests extends TwoClustersTestCase {
  private static final int LOCAL_DOCUMENTS = 12;
  private static final int REMOTE_DOCUMENTS = 17;

  private void begin(int localMark, int remoteMark) {
    createDocuments(LOCAL_CLUSTER, LOCAL_DOCUMENTS);
    createDocuments(OTHER, REMOTE_DOCUMENTS);
    putFeatureSet(LOCAL_CLUSTER, "f");
    putFeatureSet(OTHER, "f");
    putModel(LOCAL_CLUSTER, "m", localMark);
    putModel(OTHER, "m", remoteMark);
  }

  private SearchResponse search(boolean minimize, String clause) throws Exception {
    SearchRequest search =
        new SearchRequest("d", OTHER + ":d")
            .source(source(LOCAL_CLUSTER, MarkedModels.search(clause, 0, 100, 100)));
    search.setCcsMinimizeRoundtrips(minimize);
    InternalTestCluster local = cluster(LOCAL_CLUSTER);
    return local.client(local.getNodeNames()[0]).search(search).actionGet();
  }

  private static Set<Integer> marks(SearchResponse found) {
    Set<Integer> marks = new TreeSet<>();
    found.getHits().forEach(hit -> marks.add((int) hit.getScore()));
    return marks;
  }

  private static Set<String> clusters(SearchResponse found) {
    Set<String> clusters = new HashSet<>();
    for (SearchHit hit : found.getHits()) {
      clusters.add(hit.getClusterAlias() == null ? "" : hit.getClusterAlias());
    }
    return clusters;
  }

  public void testOneVersionScoresBothClusters() throws Exception {
    begin(7, 7);
    putAlias(LOCAL_CLUSTER, "only-here", "m");
    putModel(LOCAL_CLUSTER, "n", 3);
    putModel(OTHER, "n", 3);
    for (boolean minimize : new boolean[] {true, false}) {
      for (String clause :
          List.of(
              "\"model\":\"m\"",
              "\"model\":\"only-here\"",
              "\"model\":\"m\",\"log\":true",
              "\"model\":\"m\",\"outside_window\":\"mix\"",
              "\"models\":[\"m\",\"n\"]")) {
        SearchResponse found = search(minimize, clause);
        assertEquals(clause, 0, found.getFailedShards());
        assertEquals(clause, Set.of(7), marks(found));
        assertEquals(clause, Set.of("", OTHER), clusters(found));
        assertEquals(clause, LOCAL_DOCUMENTS + REMOTE_DOCUMENTS, found.getHits().getHits().length);
        for (SearchHit hit : found.getHits()) {
          assertEquals(
              clause,
              clause.contains("log") || clause.contains("models"),
              hit.field("_quickscorer") != null);
        }
      }
      SearchResponse both =
          search(minimize, "\"models\":[\"m\",\"n\"],\"interleave\":{\"seed\":5}");
      assertEquals(Set.of(3, 7), marks(both));
      assertEquals(LOCAL_DOCUMENTS + REMOTE_DOCUMENTS, both.getHits().getHits().length);
    }
  }

  /** The same id may be in both: each hit is ranked by its own values, on its own shard. */
  public void testHitsThatStandAreRankedInBothClusters() throws Exception {
    begin(7, 7);
    client(LOCAL_CLUSTER)
        .admin()
        .cluster()
        .putSearchPipeline(
            new PutSearchPipelineRequest(
                "hits",
                new BytesArray("{\"response_processors\":[{\"quickscorer\":{\"model\":\"m\"}}]}"),
                MediaTypeRegistry.JSON))
        .actionGet();
    try {
      for (int i = 0; i < LOCAL_DOCUMENTS; i++) {
        client(OTHER).prepareIndex("d").setId("" + i).setSource("p", i + 100, "t", "x").get();
      }
      client(OTHER).admin().indices().prepareRefresh("d").get();
      for (boolean minimize : new boolean[] {true, false}) {
        SearchRequest search =
            new SearchRequest("d", OTHER + ":d")
                .pipeline("hits")
                .source(source(LOCAL_CLUSTER, "{\"size\":100,\"query\":{\"match_all\":{}}}"));
        search.setCcsMinimizeRoundtrips(minimize);
        InternalTestCluster local = cluster(LOCAL_CLUSTER);
        SearchResponse found = local.client(local.getNodeNames()[0]).search(search).actionGet();
        assertEquals(Set.of("", OTHER), clusters(found));
        assertEquals(LOCAL_DOCUMENTS + REMOTE_DOCUMENTS, found.getHits().getHits().length);
        for (SearchHit hit : found.getHits()) {
          int p = ((Number) hit.getSourceAsMap().get("p")).intValue();
          assertEquals(hit.toString(), p < 30 ? 7.25 : 7.5, hit.getScore(), 0);
        }
      }
    } finally {
      client(LOCAL_CLUSTER)
          .admin()
          .cluster()
          .deleteSearchPipeline(new DeleteSearchPipelineRequest("hits"))
          .actionGet();
    }
  }

  /** The hits of both clusters have to be ranked by the same scores. */
  public void testAPipelineOfTheOtherClusterDoesNotRankItsPart() throws Exception {
    begin(7, 7);
    var other = client(OTHER).admin();
    other
        .cluster()
        .putSearchPipeline(
            new PutSearchPipelineRequest(
                "own",
                new BytesArray("{\"response_processors\":[{\"quickscorer\":{\"model\":\"m\"}}]}"),
                MediaTypeRegistry.JSON))
        .actionGet();
    try {
      setDefaultPipeline("own");
      for (String index : List.of("d," + OTHER + ":d", OTHER + ":d")) {
        for (boolean minimize : new boolean[] {true, false}) {
          SearchRequest search =
              new SearchRequest(index.split(","))
                  .source(source(LOCAL_CLUSTER, "{\"size\":100,\"query\":{\"match_all\":{}}}"));
          search.setCcsMinimizeRoundtrips(minimize);
          InternalTestCluster local = cluster(LOCAL_CLUSTER);
          SearchResponse found = local.client(local.getNodeNames()[0]).search(search).actionGet();
          assertEquals(
              index.startsWith("d") ? LOCAL_DOCUMENTS + REMOTE_DOCUMENTS : REMOTE_DOCUMENTS,
              found.getHits().getHits().length);
          found.getHits().forEach(hit -> assertEquals(1, hit.getScore(), 0));
        }
      }
    } finally {
      setDefaultPipeline(null);
      other.cluster().deleteSearchPipeline(new DeleteSearchPipelineRequest("own")).actionGet();
    }
  }

  private void setDefaultPipeline(String name) {
    client(OTHER)
        .admin()
        .indices()
        .prepareUpdateSettings("d")
        .setSettings(Settings.builder().put("index.search.default_pipeline", name))
        .get();
  }

  public void testTwoVersionsFailTheSearch() throws Exception {
    begin(7, 3);
    ModelId local = putModel(LOCAL_CLUSTER, "m", 7).id();
    ModelId remote = putModel(OTHER, "m", 3).id();
    for (boolean minimize : new boolean[] {true, false}) {
      for (String clause : List.of("\"model\":\"m\"", "\"model\":\"m\",\"budget_ms\":60000")) {
        Exception failure = expectThrows(Exception.class, () -> search(minimize, clause));
        assertEquals(RestStatus.CONFLICT, ExceptionsHelper.status(failure));
        assertThat(
            ExceptionsHelper.stackTrace(failure),
            allOf(
                containsString("the search uses version [" + local.version() + "] of model [m]"),
                containsString("has version [" + remote.version() + "]")));
      }
    }
    putModel(OTHER, "m", 7);
    for (boolean minimize : new boolean[] {true, false}) {
      assertEquals(Set.of(7), marks(search(minimize, "\"model\":\"m\"")));
    }
  }

  public void testModelThatTheOtherClusterLacks() throws Exception {
    begin(7, 7);
    putModel(LOCAL_CLUSTER, "n", 3);
    for (boolean minimize : new boolean[] {true, false}) {
      Exception failure = expectThrows(Exception.class, () -> search(minimize, "\"model\":\"n\""));
      assertEquals(RestStatus.NOT_FOUND, ExceptionsHelper.status(failure));
      assertThat(ExceptionsHelper.stackTrace(failure), containsString("has none"));
    }
  }

  /** A cluster that may be left out is left out as a whole. */
  public void testClusterThatMayBeSkipped() throws Exception {
    begin(7, 3);
    client(LOCAL_CLUSTER)
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setPersistentSettings(
            Settings.builder().put("cluster.remote." + OTHER + ".skip_unavailable", true))
        .get();
    try {
      SearchResponse found = search(true, "\"model\":\"m\"");
      assertEquals(Set.of(7), marks(found));
      assertEquals(Set.of(""), clusters(found));
      assertEquals(1, found.getClusters().getSkipped());
      expectThrows(Exception.class, () -> search(false, "\"model\":\"m\""));
    } finally {
      client(LOCAL_CLUSTER)
          .admin()
          .cluster()
          .prepareUpdateSettings()
          .setPersistentSettings(
              Settings.builder().putNull("cluster.remote." + OTHER + ".skip_unavailable"))
          .get();
    }
  }

  /** When some cluster's time is up, no hit of any is rescored. */
  public void testSpentBudgetFallsBackInBothClusters() throws Exception {
    begin(7, 7);
    for (boolean minimize : new boolean[] {true, false}) {
      SearchResponse found = search(minimize, "\"model\":\"m\",\"budget_ms\":0");
      for (SearchHit hit : found.getHits()) {
        assertEquals(Integer.parseInt(hit.getId()), hit.getScore(), 0);
      }
      assertEquals(LOCAL_DOCUMENTS + REMOTE_DOCUMENTS, found.getHits().getHits().length);
    }
  }
}
