// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.model.node.CatalogueKeeper;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.testing.Local;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.junit.Before;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.action.admin.cluster.snapshots.restore.RestoreSnapshotRequestBuilder;
import org.opensearch.action.admin.cluster.snapshots.restore.RestoreSnapshotResponse;
import org.opensearch.action.admin.indices.shrink.ResizeType;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateUpdateTask;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.env.Environment;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.snapshots.SnapshotState;
import org.opensearch.test.MockLogAppender;

/**
 * A snapshot of the hidden index brings everything back: the same versions, aliases, feature sets
 * and bits of scores, without a further step.
 */
public class BackupTests extends TwoClustersTestCase {
  private static final String FRESH = OTHER;
  private static final int DOCUMENTS = 40;

  /** What a cluster has, and the bits of the scores that its models give. */
  private record Contents(
      Map<String, String> versions,
      Map<String, ModelAlias> aliases,
      List<String> featureSets,
      Map<String, List<Integer>> bits) {}

  @Before
  public void fill() throws Exception {
    for (String cluster : List.of(LOCAL_CLUSTER, FRESH)) {
      createDocuments(cluster, DOCUMENTS);
    }
    putFeatureSet(LOCAL_CLUSTER, "f");
    putFeatureSet(LOCAL_CLUSTER, "g");
    putModel(LOCAL_CLUSTER, "one", 7);
    putModel(LOCAL_CLUSTER, "two", 5);
    putAlias(LOCAL_CLUSTER, "live", "one");
    putAlias(LOCAL_CLUSTER, "live", "two");
    putAlias(LOCAL_CLUSTER, "spare", "one");
  }

  /** Where a cluster's nodes may keep snapshots. */
  private Path folder(String cluster) {
    return cluster(cluster).getInstance(Environment.class).repoFiles()[0];
  }

  private void register(String cluster) {
    client(cluster)
        .admin()
        .cluster()
        .preparePutRepository("backups")
        .setType("fs")
        .setSettings(Settings.builder().put("location", folder(cluster).resolve("backups")))
        .get();
  }

  private ModelsMetadata metadata(String cluster) {
    return ModelsMetadata.of(
        cluster(cluster).getCurrentClusterManagerNodeInstance(ClusterService.class).state());
  }

  private Contents contents(String cluster) throws IOException {
    ModelsMetadata metadata = metadata(cluster);
    Map<String, String> versions = new TreeMap<>();
    Map<String, List<Integer>> bits = new TreeMap<>();
    metadata.models().forEach((name, manifest) -> versions.put(name, manifest.id().version()));
    List<String> names = new ArrayList<>(versions.keySet());
    names.addAll(metadata.aliases().keySet());
    for (String name : names) {
      bits.put(name, bits(cluster, name));
    }
    List<String> sets =
        Local.begin(client(cluster), FeatureSets.GET, new ListRequest(""))
            .actionGet()
            .items()
            .stream()
            .map(set -> set.name())
            .sorted()
            .toList();
    return new Contents(versions, new TreeMap<>(metadata.aliases()), sets, bits);
  }

  private List<Integer> bits(String cluster, String model) throws IOException {
    var found =
        client(cluster)
            .search(
                new SearchRequest("d")
                    .source(source(cluster, MarkedModels.search(model, DOCUMENTS))))
            .actionGet();
    assertEquals(0, found.getFailedShards());
    return Arrays.stream(found.getHits().getHits())
        .map(hit -> Float.floatToRawIntBits(hit.getScore()))
        .toList();
  }

  /** Makes a snapshot, of which the other cluster gets the files. */
  private void snapshot(String name) throws IOException {
    register(LOCAL_CLUSTER);
    assertEquals(
        SnapshotState.SUCCESS,
        client(LOCAL_CLUSTER)
            .admin()
            .cluster()
            .prepareCreateSnapshot("backups", name)
            .setIndices(ModelIndex.NAME)
            .setIncludeGlobalState(true)
            .setWaitForCompletion(true)
            .get()
            .getSnapshotInfo()
            .state());
    Path from = folder(LOCAL_CLUSTER);
    try (Stream<Path> files = Files.walk(from.resolve("backups"))) {
      for (Path file : files.toList()) {
        Path to = folder(FRESH).resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(to);
        } else {
          Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    register(FRESH);
  }

  private RestoreSnapshotRequestBuilder restore(String cluster, String name, boolean globalState) {
    return client(cluster)
        .admin()
        .cluster()
        .prepareRestoreSnapshot("backups", name)
        .setIndices(ModelIndex.NAME)
        .setRestoreGlobalState(globalState)
        .setWaitForCompletion(true);
  }

  /**
   * Until a node knows that another index was adopted its searches ask for versions that only the
   * lost index had.
   */
  private Contents contentsOnceAdopted(String cluster) throws IOException {
    try {
      return contents(cluster);
    } catch (OpenSearchException e) {
      throw new AssertionError("not adopted yet", e);
    }
  }

  private void assertComesBack(String cluster, Contents expected) throws Exception {
    assertBusy(
        () -> {
          ModelsMetadata metadata = metadata(cluster);
          assertEquals(expected.versions().keySet(), metadata.models().keySet());
          assertEquals("all nodes have all of it", Wire.CURRENT, metadata.wire());
          assertEquals(expected, contentsOnceAdopted(cluster));
        },
        60,
        TimeUnit.SECONDS);
  }

  /** Loses models, aliases, sets, the documents of all and the index, as far as they are there. */
  private void loseEverything(String cluster) {
    ModelsMetadata metadata = metadata(cluster);
    for (String alias : metadata.aliases().keySet()) {
      Local.begin(client(cluster), Aliases.DELETE, alias).actionGet();
    }
    for (String model : metadata.models().keySet()) {
      Local.begin(client(cluster), Models.DELETE, model).actionGet();
    }
    for (String set : List.of("f", "g")) {
      try {
        Local.begin(client(cluster), FeatureSets.DELETE, set).actionGet();
      } catch (RuntimeException e) {
        assertEquals(RestStatus.NOT_FOUND, ExceptionsHelper.status(e));
      }
    }
    loseIndex(cluster);
    assertEquals(Map.of(), metadata(cluster).models());
  }

  private void loseIndex(String cluster) {
    client(cluster).admin().indices().prepareDelete(ModelIndex.NAME).get();
  }

  public void testIntoAFreshCluster() throws Exception {
    Contents before = contents(LOCAL_CLUSTER);
    assertEquals(List.of("f", "g"), before.featureSets());
    assertEquals(Shares.all("one"), before.aliases().get("live").previous());
    snapshot("s");
    assertEquals(Map.of(), metadata(FRESH).models());
    restore(FRESH, "s", false).get();
    assertComesBack(FRESH, before);
    loseEverything(FRESH);
    restore(FRESH, "s", true).get();
    assertComesBack(FRESH, before);
    assertEquals(
        "an upload of what is there changes nothing",
        ModelUploads.Result.NOOP,
        putModel(FRESH, "one", 7).result());
    loseEverything(FRESH);
    withoutReplicas(before);
    loseEverything(FRESH);
    underAnotherNameAndBack(before);
  }

  private void withoutReplicas(Contents before) throws Exception {
    restore(FRESH, "s", false)
        .setIndexSettings(
            Settings.builder()
                .put("index.number_of_replicas", 0)
                .put("index.auto_expand_replicas", false))
        .get();
    assertComesBack(FRESH, before);
    assertEquals(ModelUploads.Result.CREATED, putModel(FRESH, "three", 3).result());
    assertEquals(ModelUploads.Result.UPDATED, putModel(FRESH, "one", 9).result());
  }

  private void underAnotherNameAndBack(Contents before) throws Exception {
    restore(FRESH, "s", false)
        .setRenamePattern("\\.(.+)")
        .setRenameReplacement("restored-$1")
        .get();
    assertEquals("it is only looked at", Map.of(), metadata(FRESH).models());
    var indices = client(FRESH).admin().indices();
    indices
        .prepareUpdateSettings("restored-quickscorer-models")
        .setSettings(Settings.builder().put("index.blocks.write", true))
        .get();
    indices
        .prepareResizeIndex("restored-quickscorer-models", ModelIndex.NAME)
        .setResizeType(ResizeType.CLONE)
        .setSettings(Settings.builder().putNull("index.blocks.write").build())
        .get();
    assertComesBack(FRESH, before);
    assertEquals(ModelUploads.Result.UPDATED, putModel(FRESH, "one", 9).result());
  }

  public void testIntoTheSameCluster() throws Exception {
    Contents before = contents(LOCAL_CLUSTER);
    snapshot("s");
    for (boolean globalState : new boolean[] {false, true}) {
      loseEverything(LOCAL_CLUSTER);
      restore(LOCAL_CLUSTER, "s", globalState).get();
      assertComesBack(LOCAL_CLUSTER, before);
    }
    // The index alone, from before the last changes.
    putModel(LOCAL_CLUSTER, "one", 3);
    putAlias(LOCAL_CLUSTER, "live", "one");
    assertNotEquals(before, contents(LOCAL_CLUSTER));
    loseIndex(LOCAL_CLUSTER);
    restore(LOCAL_CLUSTER, "s", false).get();
    assertComesBack(LOCAL_CLUSTER, before);
    // The same, over the closed index.
    putModel(LOCAL_CLUSTER, "one", 3);
    client(LOCAL_CLUSTER).admin().indices().prepareClose(ModelIndex.NAME).get();
    restore(LOCAL_CLUSTER, "s", false).get();
    assertComesBack(LOCAL_CLUSTER, before);
    halfAModelDoesNotComeBack(before);
  }

  public void testWhatAClusterManagerWithoutThePluginDroppedComesBack() throws Exception {
    Contents before = contents(LOCAL_CLUSTER);
    PlainActionFuture<Void> dropped = new PlainActionFuture<>();
    cluster(LOCAL_CLUSTER)
        .getCurrentClusterManagerNodeInstance(ClusterService.class)
        .submitStateUpdateTask(
            "drop the models",
            new ClusterStateUpdateTask() {
              @Override
              public ClusterState execute(ClusterState state) {
                return ClusterState.builder(state)
                    .metadata(Metadata.builder(state.metadata()).removeCustom(ModelsMetadata.TYPE))
                    .build();
              }

              @Override
              public void onFailure(String source, Exception failure) {
                dropped.onFailure(failure);
              }

              @Override
              public void clusterStateProcessed(String source, ClusterState old, ClusterState now) {
                dropped.onResponse(null);
              }
            });
    dropped.actionGet();
    assertComesBack(LOCAL_CLUSTER, before);
  }

  public void testAMoveBeforeTheBackupIsTakenInStands() throws Exception {
    snapshot("s");
    assertEquals(Shares.all("two"), metadata(LOCAL_CLUSTER).aliases().get("live").target());
    loseIndex(LOCAL_CLUSTER);
    ActionFuture<RestoreSnapshotResponse> restored = restore(LOCAL_CLUSTER, "s", false).execute();
    ClusterService manager =
        cluster(LOCAL_CLUSTER).getCurrentClusterManagerNodeInstance(ClusterService.class);
    assertBusy(
        () -> assertTrue(manager.state().metadata().hasIndex(ModelIndex.NAME)),
        60,
        TimeUnit.SECONDS);
    putAlias(LOCAL_CLUSTER, "live", "one");
    restored.actionGet();
    assertBusy(() -> assertTrue(ModelIndex.isSynchronized(manager.state())), 60, TimeUnit.SECONDS);
    assertEquals(Shares.all("one"), metadata(LOCAL_CLUSTER).aliases().get("live").target());
  }

  public void testARestoredGlobalStateHasNoModels() throws Exception {
    snapshot("s");
    putModel(LOCAL_CLUSTER, "late", 3);
    Local.begin(client(LOCAL_CLUSTER), Aliases.DELETE, "spare").actionGet();
    for (boolean index : new boolean[] {false, true}) {
      if (index) {
        // Later, the model has no documents any more: the restored index lacks them.
        assertEquals(DOCUMENTS, bits(LOCAL_CLUSTER, "late").size());
        loseIndex(LOCAL_CLUSTER);
      }
      restore(LOCAL_CLUSTER, "s", true).setIndices(index ? ModelIndex.NAME : "-*").get();
      assertEquals(Set.of("one", "two", "late"), metadata(LOCAL_CLUSTER).models().keySet());
    }
    assertBusy(
        () -> assertEquals(Set.of("live", "spare"), metadata(LOCAL_CLUSTER).aliases().keySet()),
        60,
        TimeUnit.SECONDS);
  }

  public void testNamesOfTheOtherKindAreLeftOut() throws Exception {
    snapshot("s");
    putFeatureSet(FRESH, "f");
    putModel(FRESH, "x", 3);
    putModel(FRESH, "live", 3);
    putAlias(FRESH, "one", "x");
    loseIndex(FRESH);
    try (MockLogAppender log =
        MockLogAppender.createForLoggers(LogManager.getLogger(CatalogueKeeper.class))) {
      for (String reason :
          List.of(
              "model [one] from the restored index: an alias has its name",
              "alias [live] from the restored index: a model has its name",
              "alias [spare] from the restored index: a model is missing")) {
        log.addExpectation(
            new MockLogAppender.PatternSeenEventExpectation(
                reason,
                CatalogueKeeper.class.getName(),
                Level.WARN,
                Pattern.quote("did not import " + reason)));
      }
      restore(FRESH, "s", false).get();
      assertBusy(() -> assertNotNull(metadata(FRESH).get("two")), 60, TimeUnit.SECONDS);
      log.assertAllExpectationsMatched();
    }
    assertEquals(Set.of("x", "live", "two"), metadata(FRESH).models().keySet());
    assertEquals(Set.of("one"), metadata(FRESH).aliases().keySet());
  }

  /** A snapshot from between an upload's documents and its end brings back whole models alone. */
  private void halfAModelDoesNotComeBack(Contents before) throws Exception {
    ModelManifest one = metadata(LOCAL_CLUSTER).get("one");
    client(LOCAL_CLUSTER).prepareDelete(ModelIndex.NAME, one.upload() + "-0").get();
    snapshot("half");
    restore(FRESH, "half", false).get();
    assertBusy(
        () -> assertEquals(List.of("two"), List.copyOf(metadata(FRESH).models().keySet())),
        60,
        TimeUnit.SECONDS);
    assertEquals(before.bits().get("two"), bits(FRESH, "live"));
    assertFalse("its model is gone", metadata(FRESH).aliases().containsKey("spare"));
    assertThat(
        expectThrows(RuntimeException.class, () -> bits(FRESH, "one")).toString(),
        containsString("no model [one]"));
    client(FRESH).admin().indices().prepareRefresh(ModelIndex.NAME).get();
    assertEquals(
        1,
        client(FRESH)
            .prepareSearch(ModelIndex.NAME)
            .setQuery(QueryBuilders.termQuery("kind", "catalogue"))
            .get()
            .getHits()
            .getTotalHits()
            .value());
  }
}
