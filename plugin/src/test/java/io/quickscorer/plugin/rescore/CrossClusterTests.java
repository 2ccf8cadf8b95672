// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.plugin.action.Precondition;
import io.quickscorer.plugin.action.alias.PutAliasAction;
import io.quickscorer.plugin.action.featureset.PutFeatureSetAction;
import io.quickscorer.plugin.action.model.PutModelAction;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.testing.MarkedModels;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.test.AbstractMultiClustersTestCase;
import org.opensearch.test.InternalTestCluster;

/** Over two clusters as over one: one answer is scored by one version, or there is none. */
public class CrossClusterTests extends AbstractMultiClustersTestCase {
  private static final String REMOTE = "other";
  private static final int LOCAL_DOCUMENTS = 12;
  private static final int REMOTE_DOCUMENTS = 17;

  @Override
  protected Collection<String> remoteClusterAlias() {
    return List.of(REMOTE);
  }

  @Override
  protected boolean reuseClusters() {
    return false;
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins(String clusterAlias) {
    return List.of(QuickScorerPlugin.class);
  }

  private void begin(int localMark, int remoteMark) {
    createDocuments(LOCAL_CLUSTER, LOCAL_DOCUMENTS);
    createDocuments(REMOTE, REMOTE_DOCUMENTS);
    putFeatureSet(LOCAL_CLUSTER);
    putFeatureSet(REMOTE);
    putModel(LOCAL_CLUSTER, "m", localMark);
    putModel(REMOTE, "m", remoteMark);
  }

  private void createDocuments(String cluster, int documents) {
    client(cluster)
        .admin()
        .indices()
        .prepareCreate("d")
        .setSettings(Settings.builder().put("number_of_shards", 2).put("number_of_replicas", 0))
        .setMapping("p", "type=integer", "t", "type=text")
        .get();
    for (int i = 0; i < documents; i++) {
      client(cluster)
          .prepareIndex("d")
          .setId(Integer.toString(i))
          .setSource("p", i, "t", "x")
          .setRefreshPolicy(i == documents - 1 ? RefreshPolicy.IMMEDIATE : RefreshPolicy.NONE)
          .get();
    }
  }

  private void putFeatureSet(String cluster) {
    client(cluster)
        .execute(
            PutFeatureSetAction.INSTANCE,
            new PutFeatureSetAction.Request(
                "f", false, null, MediaTypeRegistry.JSON, new BytesArray(MarkedModels.FEATURE_SET)))
        .actionGet();
  }

  private ModelId putModel(String cluster, String name, int mark) {
    return client(cluster)
        .execute(
            PutModelAction.INSTANCE,
            new PutModelAction.Request(
                new ModelUploadService.Body(
                    name,
                    "f",
                    null,
                    null,
                    null,
                    null,
                    new BytesArray(MarkedModels.file(mark)),
                    null),
                Precondition.NONE,
                TimeValue.timeValueSeconds(60)))
        .actionGet()
        .id();
  }

  private SearchResponse search(boolean minimize, String clause) throws Exception {
    InternalTestCluster local = cluster(LOCAL_CLUSTER);
    String node = local.getNodeNames()[0];
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(
            local.getInstance(NamedXContentRegistry.class, node),
            DeprecationHandler.IGNORE_DEPRECATIONS,
            MarkedModels.search(clause, 0, 100, 100))) {
      SearchRequest search =
          new SearchRequest("d", REMOTE + ":d").source(SearchSourceBuilder.fromXContent(parser));
      search.setCcsMinimizeRoundtrips(minimize);
      return local.client(node).search(search).actionGet();
    }
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
    client(LOCAL_CLUSTER)
        .execute(
            PutAliasAction.INSTANCE,
            new PutAliasAction.Request(
                "only-here", Shares.all("m"), TimeValue.timeValueSeconds(60)))
        .actionGet();
    putModel(LOCAL_CLUSTER, "n", 3);
    putModel(REMOTE, "n", 3);
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
        assertEquals(clause, Set.of("", REMOTE), clusters(found));
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

  public void testTwoVersionsFailTheSearch() throws Exception {
    begin(7, 3);
    ModelId local = putModel(LOCAL_CLUSTER, "m", 7);
    ModelId remote = putModel(REMOTE, "m", 3);
    for (boolean minimize : new boolean[] {true, false}) {
      for (String clause : List.of("\"model\":\"m\"", "\"model\":\"m\",\"budget_ms\":60000")) {
        Exception failure = expectThrows(Exception.class, () -> search(minimize, clause));
        assertEquals(RestStatus.CONFLICT, ExceptionsHelper.status(failure));
        assertThat(
            ExceptionsHelper.stackTrace(failure),
            allOf(
                containsString("bound to version [" + local.version() + "] of model [m]"),
                containsString("has version [" + remote.version() + "]")));
      }
    }
    putModel(REMOTE, "m", 7);
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
            Settings.builder().put("cluster.remote." + REMOTE + ".skip_unavailable", true))
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
              Settings.builder().putNull("cluster.remote." + REMOTE + ".skip_unavailable"))
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
