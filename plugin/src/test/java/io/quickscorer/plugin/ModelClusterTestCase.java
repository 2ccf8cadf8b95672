// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelState.Phase;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.model.node.ModelService;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.model.store.ModelStore;
import io.quickscorer.plugin.model.upload.ModelUploadService;
import io.quickscorer.plugin.stats.NodeStats;
import io.quickscorer.plugin.testing.IntegTestCase;
import io.quickscorer.plugin.testing.Local;
import io.quickscorer.plugin.testing.TestModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.transport.MockTransportService;
import org.opensearch.transport.client.Client;

/** A cluster of three data nodes with two feature sets. */
@ClusterScope(numDataNodes = 3, numClientNodes = 1, supportsDedicatedMasters = false)
public abstract class ModelClusterTestCase extends IntegTestCase {
  protected static final TestModel MODEL = TestModel.LIGHTGBM;
  protected static final TestModel OTHER = TestModel.LIGHTGBM_BINARY;

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(QuickScorerPlugin.class, MockTransportService.TestPlugin.class);
  }

  @Before
  public void begin() throws Exception {
    setting("quickscorer.model.retire_after", "0s");
    putFeatureSet("fs", MODEL);
    putFeatureSet("other", OTHER);
    awaitCatalogue();
    // All nodes have the same cluster state, and none changes while a test begins.
    ensureGreen(ModelIndex.NAME);
  }

  /** The manager takes a new index in, and writes to it, some time after it is there. */
  private static void awaitCatalogue() throws Exception {
    await(
        () -> {
          ClusterState state = client().admin().cluster().prepareState().get().getState();
          assertTrue(
              state.metadata().hasIndex(ModelIndex.NAME) && ModelIndex.isSynchronized(state));
          assertTrue(client().prepareGet(ModelIndex.NAME, "catalogue").get().isExists());
        });
  }

  /** As assertBusy, for what several nodes have to do one after the other. */
  protected static void await(CheckedRunnable<Exception> assertion) throws Exception {
    assertBusy(assertion, 60, TimeUnit.SECONDS);
  }

  /** Whatever a test did, no byte stays reserved anywhere, and no document of a model is left. */
  @After
  public void end() throws Exception {
    for (Models.Model model : models()) {
      delete(model.manifest().id().name());
    }
    assertNothingIsHeld();
    assertNoDocuments();
    for (String key :
        List.of(
            "quickscorer.model.retire_after", "breaker.quickscorer.limit", "quickscorer.engine")) {
      setting(key, null);
    }
  }

  protected static void putFeatureSet(String name, TestModel model) {
    Local.begin(
            client(),
            FeatureSets.PUT,
            new FeatureSets.Request(
                name, false, null, MediaTypeRegistry.JSON, new BytesArray(model.featureSet())))
        .actionGet();
  }

  protected static ModelUploads.Response put(String name, String featureSet, TestModel model) {
    return put(client(), name, featureSet, model).actionGet();
  }

  protected static ActionFuture<ModelUploads.Response> put(
      Client client, String name, String featureSet, TestModel model) {
    return Local.begin(
        client,
        ModelUploads.PUT,
        new ModelUploads.Request(
            new ModelUploadService.Body(name, featureSet, null, new BytesArray(model.file())),
            Precondition.NONE,
            TimeValue.timeValueSeconds(60)));
  }

  protected static void delete(String name) {
    Local.begin(client(), Models.DELETE, name).actionGet();
  }

  protected static List<Models.Model> models() {
    return Local.begin(client(), Models.GET, new ListRequest("")).actionGet().items();
  }

  /** Moves the alias of these tests. */
  protected static ActionFuture<Aliases.Response> beginMove(String node, String model) {
    return beginMove(node, model, TimeValue.timeValueSeconds(60));
  }

  protected static ActionFuture<Aliases.Response> beginMove(
      String node, String model, TimeValue timeout) {
    return Local.begin(
        client(node), Aliases.PUT, new Aliases.Request("live", Shares.all(model), timeout));
  }

  protected static Aliases.Response move(String node, String model) {
    return beginMove(node, model).actionGet();
  }

  protected static String target(String node) {
    ClusterState state = internalCluster().clusterService(node).state();
    ModelAlias alias = ModelsMetadata.of(state).aliases().get("live");
    return alias == null ? null : alias.model();
  }

  protected static String otherThan(String node) {
    return randomValueOtherThan(
        node, () -> randomFrom(internalCluster().getDataNodeNames().toArray(String[]::new)));
  }

  protected static void assertWhole(ModelManifest manifest) {
    PlainActionFuture<Void> whole = PlainActionFuture.newFuture();
    internalCluster().getInstance(ModelStore.class).verify(manifest, whole);
    whole.actionGet();
  }

  protected static Iterable<ModelService> dataNodes() {
    return internalCluster().getDataNodeInstances(ModelService.class);
  }

  protected static void setting(String key, String value) {
    Settings.Builder settings =
        value == null ? Settings.builder().putNull(key) : Settings.builder().put(key, value);
    client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings).get();
  }

  protected static List<NodeStats> stats() {
    return client().execute(NodeStats.ACTION, NodeStats.request("data:true")).actionGet().values();
  }

  protected static void assertNothingIsHeld() throws Exception {
    await(
        () -> {
          for (NodeStats node : stats()) {
            assertEquals(node.models().toString(), 0, node.memory().used());
          }
        });
  }

  protected static void assertLoadedOnAll(ModelId id, int nodes) throws Exception {
    await(
        () -> {
          List<NodeStats> all = stats();
          assertEquals(nodes, all.size());
          for (NodeStats node : all) {
            assertTrue(
                node.models().toString(),
                node.models().stream()
                    .anyMatch(m -> m.id().equals(id) && m.phase() == Phase.LOADED && m.current()));
          }
        });
  }

  /** Ids of the documents that belong to models. */
  protected static List<String> uploadDocuments() {
    client().admin().indices().prepareRefresh(ModelIndex.NAME).get();
    List<String> ids = new ArrayList<>();
    client()
        .prepareSearch(ModelIndex.NAME)
        .setQuery(QueryBuilders.existsQuery("upload"))
        .setSize(1_000)
        .get()
        .getHits()
        .forEach(hit -> ids.add(hit.getId()));
    return ids;
  }

  protected static void assertNoDocuments() throws Exception {
    await(() -> assertEquals(List.of(), uploadDocuments()));
  }
}
