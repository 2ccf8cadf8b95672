// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.model.ModelFile;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.LoadMarks;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateUpdateTask;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.test.MockLogAppender;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** What somebody or something did to the hidden index never scores a document, and is mended. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 1,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
public class StoredModelsTests extends QuickScorerHttpTestCase {
  private static final int A = 7;
  private static final int B = 3;

  private void begin() throws Exception {
    MarkedModels.createIndex(
        (method, path, body) -> assertEquals(200, sendAnew(method, path, body).status()),
        "d",
        1,
        40);
    assertStatus(201, sendAnew("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
    assertStatus(201, put("a", A));
    assertStatus(201, put("b", B));
    assertStatus(201, sendAnew("PUT", BASE + "aliases/live", "{\"model\":\"a\"}"));
  }

  private static Answer put(String name, int mark) throws Exception {
    return sendAnew("PUT", BASE + "models/" + name + "?feature_set=f", MarkedModels.file(mark));
  }

  private static ModelManifest manifest(String name) {
    return ModelsMetadata.of(internalCluster().clusterService().state()).get(name);
  }

  private static String chunk(String name) {
    return manifest(name).upload() + "-0";
  }

  private static Map<String, Object> fields(String id) {
    BytesReference source = client().prepareGet(ModelIndex.NAME, id).get().getSourceAsBytesRef();
    return new LinkedHashMap<>(
        XContentHelper.convertToMap(source, true, (MediaType) XContentType.CBOR).v2());
  }

  private static void write(String id, Map<String, Object> fields, XContentType type) {
    client()
        .index(
            new IndexRequest(ModelIndex.NAME)
                .id(id)
                .source(fields, type)
                .setRefreshPolicy(RefreshPolicy.IMMEDIATE))
        .actionGet();
  }

  private static Answer search(String model) throws Exception {
    return sendAnew("POST", "/d/_search", MarkedModels.search(model, 10));
  }

  private static void assertScoredBy(int mark, String model) throws Exception {
    assertBusy(
        () -> {
          Answer found = search(model);
          assertStatus(200, found);
          assertEquals(Set.of(mark), MarkedModels.marks(found.json()));
        },
        60,
        TimeUnit.SECONDS);
  }

  /**
   * After a restart the broken model is not loaded and everybody says why; its file, uploaded
   * again, mends it, whatever alias stands for it.
   */
  private void assertNotLoadedUntilMended(String why) throws Exception {
    Answer there = sendAnew("GET", BASE + "models/a/_file", "");
    assertStatus(503, there);
    assertThat(there.body(), containsString(why));
    assertRefusedUntilMended(why);
  }

  private void assertRefusedUntilMended(String why) throws Exception {
    internalCluster().fullRestart();
    ensureYellow("d");
    assertBusy(
        () -> {
          Answer state = sendAnew("GET", BASE + "models/a", "");
          assertStatus(200, state);
          assertThat(state.body(), containsString("\"state\":\"failed\""));
          assertThat(state.body(), containsString(why));
        },
        60,
        TimeUnit.SECONDS);
    assertBusy(
        () -> {
          for (String place : new String[] {"ready", "stats"}) {
            assertThat(sendAnew("GET", BASE + place, "").body(), containsString(why));
          }
        },
        60,
        TimeUnit.SECONDS);
    for (String name : new String[] {"a", "live"}) {
      Answer refused = search(name);
      assertStatus(503, refused);
      assertThat(refused.body(), containsString(why));
      assertEquals("1", refused.retryAfter());
    }
    assertScoredBy(B, "b");
    Answer mended = put("a", A);
    assertStatus(200, mended);
    assertEquals("updated", mended.at("result"));
    assertScoredBy(A, "live");
    internalCluster().fullRestart();
    ensureYellow("d");
    assertScoredBy(A, "live");
    Answer same = put("a", A);
    assertStatus(200, same);
    assertEquals("noop", same.at("result"));
  }

  public void testChunkOfAnotherModel() throws Exception {
    begin();
    write(chunk("a"), fields(chunk("b")), XContentType.CBOR);
    assertNotLoadedUntilMended("stored chunk 1 of 1: the document belongs to another upload");
  }

  public void testChunkOfAnotherModelThatSaysItIsThisOnes() throws Exception {
    begin();
    Map<String, Object> fields = fields(chunk("b"));
    fields.put("upload", manifest("a").upload());
    byte[] own = (byte[]) fields(chunk("a")).get("data");
    fields.put("data", Arrays.copyOf((byte[]) fields.get("data"), own.length));
    write(chunk("a"), fields, XContentType.CBOR);
    assertNotLoadedUntilMended("stored chunk 1 of 1: the bytes do not match their checksum");
  }

  public void testMissingChunk() throws Exception {
    begin();
    client().prepareDelete(ModelIndex.NAME, chunk("a")).get();
    assertNotLoadedUntilMended("stored chunk 1 of 1: the document is missing");
  }

  public void testChunkInAnotherEncoding() throws Exception {
    begin();
    write(chunk("a"), fields(chunk("a")), XContentType.JSON);
    assertNotLoadedUntilMended("stored chunk 1 of 1: the document cannot be decoded");
  }

  public void testChangedDescription() throws Exception {
    begin();
    String id = manifest("a").upload();
    write(id, fields(manifest("b").upload()), XContentType.CBOR);
    assertNotLoadedUntilMended(
        "the model's stored description differs from the uploaded description");
  }

  /**
   * A snapshot of a build that took such templates: their names nest so deep that whatever follows
   * them by recursion ends the node, after each restart again.
   */
  public void testADefinitionThatThisBuildRefusesEndsNoNode() throws Exception {
    begin();
    ModelManifest there = manifest("a");
    Map<String, Object> fields = fields(there.upload());
    String deep = "{{a" + ".b".repeat(100_000) + "}}";
    fields.put(
        "feature_set",
        Map.of(
            "features",
            List.of(
                Map.of(
                    "name", "p", "type", "query", "query", Map.of("match", Map.of("t", deep))))));
    storeAsAnotherBuild(there, fields);
    write(
        "feature_set:deep",
        Map.of("kind", "feature_set", "feature_set", fields.get("feature_set")),
        XContentType.CBOR);
    String why =
        "quarantined, because the loading or warm-up of the model failed 2 times: feature_set:"
            + " feature set [f]: feature [p]: template, character 15: the name of the tag has"
            + " 200001 characters";
    try (MockLogAppender log =
        MockLogAppender.createForLoggers(LogManager.getLogger(LoadMarks.class))) {
      log.addExpectation(
          new MockLogAppender.PatternSeenEventExpectation(
              "quarantined",
              LoadMarks.class.getName(),
              Level.ERROR,
              Pattern.quote("model [" + there.id() + "] is not loaded: " + why) + ".*"));
      internalCluster().fullRestart();
      ensureYellow("d");
      assertScoredBy(B, "b");
      assertBusy(
          () -> {
            Answer state = sendAnew("GET", BASE + "models/a", "");
            assertThat(state.body(), containsString("\"state\":\"failed\""));
            for (String place : new String[] {"models/a", "ready", "stats"}) {
              assertThat(sendAnew("GET", BASE + place, "").body(), containsString(why));
            }
            log.assertAllExpectationsMatched();
          },
          60,
          TimeUnit.SECONDS);
    }
    assertStatus(503, search("a"));
    assertStatus(503, sendAnew("GET", BASE + "feature_sets/deep", ""));
    assertStatus(200, put("a", A));
    assertScoredBy(A, "live");
  }

  private static void storeAsAnotherBuild(ModelManifest there, Map<String, Object> description) {
    write(there.upload(), description, XContentType.CBOR);
    BytesReference stored =
        client().prepareGet(ModelIndex.NAME, there.upload()).get().getSourceAsBytesRef();
    ModelManifest changed =
        there.with(
            new ModelManifest.Checksums(
                there.checksums().model(), ModelFile.sha256(BytesReference.toBytes(stored))));
    PlainActionFuture<Void> done = new PlainActionFuture<>();
    internalCluster()
        .getCurrentClusterManagerNodeInstance(ClusterService.class)
        .submitStateUpdateTask(
            "what another build stored",
            new ClusterStateUpdateTask() {
              @Override
              public ClusterState execute(ClusterState state) {
                return ModelsMetadata.of(state).with(changed).in(state);
              }

              @Override
              public void onFailure(String source, Exception e) {
                done.onFailure(e);
              }

              @Override
              public void clusterStateProcessed(
                  String source, ClusterState before, ClusterState after) {
                done.onResponse(null);
              }
            });
    done.actionGet();
  }

  /** As if another build had stored it, whose reader made another model of the file. */
  public void testFileThatIsReadOtherwise() throws Exception {
    begin();
    ModelManifest there = manifest("a");
    Map<String, Object> fields = fields(there.upload());
    Map<String, Object> metadata = new LinkedHashMap<>();
    ((Map<?, ?>) fields.get("metadata")).forEach((k, v) -> metadata.put(k.toString(), v));
    final String fingerprint = (String) metadata.put("fingerprint", "0123");
    fields.put("metadata", metadata);
    storeAsAnotherBuild(there, fields);
    assertStatus(200, sendAnew("GET", BASE + "models/a/_file", ""));
    assertRefusedUntilMended(
        "this build reads the file differently from the build that accepted it, so scores could"
            + " differ: fingerprint ["
            + fingerprint
            + "], expected [0123]");
    assertEquals(fingerprint, sendAnew("GET", BASE + "models/a", "").at("fingerprint"));
  }

  /**
   * Other models and sets are listed; the set's name is in the failure, and in that of an export.
   */
  public void testDocumentsInAnotherEncoding() throws Exception {
    begin();
    String description = manifest("a").upload();
    write(description, fields(description), XContentType.JSON);
    Answer all = sendAnew("GET", BASE + "models", "");
    assertStatus(200, all);
    assertThat(all.body(), containsString("\"name\":\"b\""));
    assertStatus(200, sendAnew("GET", BASE + "models/a", ""));
    write("feature_set:f", fields("feature_set:f"), XContentType.JSON);
    assertStatus(201, sendAnew("PUT", BASE + "feature_sets/g", MarkedModels.FEATURE_SET));
    String failure = "feature set [f]: the stored document cannot be read; upload the set again";
    for (String path : new String[] {"feature_sets/f", "_export"}) {
      Answer broken = sendAnew("GET", BASE + path, "");
      assertStatus(503, broken);
      assertThat(broken.body(), containsString(failure));
    }
    Answer list = sendAnew("GET", BASE + "feature_sets", "");
    assertStatus(200, list);
    assertThat(
        list.body(),
        containsString("{\"name\":\"f\",\"error\":\"" + failure + "\"},{\"name\":\"g\""));
    Answer table = sendAnew("GET", BASE + "_cat/feature_sets?h=fs,n", "");
    assertStatus(200, table);
    assertThat(table.body(), containsString("f cannot be read"));
    assertStatus(200, sendAnew("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
    assertStatus(200, sendAnew("GET", BASE + "feature_sets/f", ""));
  }

  /** As long as a node has it compiled it scores, and its alias keeps it. */
  public void testBrokenModelCanBeDeletedUnderItsAlias() throws Exception {
    begin();
    client().prepareDelete(ModelIndex.NAME, chunk("a")).get();
    assertStatus(409, sendAnew("DELETE", BASE + "models/a", ""));
    internalCluster().fullRestart();
    ensureYellow("d", ModelIndex.NAME);
    assertStatus(503, search("live"));
    assertStatus(200, sendAnew("DELETE", BASE + "models/a", ""));
    assertStatus(404, sendAnew("GET", BASE + "aliases/live", ""));
    assertStatus(404, search("a"));
    assertStatus(201, put("a", A));
    assertStatus(201, sendAnew("PUT", BASE + "aliases/live", "{\"model\":\"a\"}"));
    assertScoredBy(A, "live");
    assertStatus(409, sendAnew("DELETE", BASE + "models/a", ""));
  }

  public void testBrokenModelCanBeDeleted() throws Exception {
    begin();
    client().prepareDelete(ModelIndex.NAME, chunk("b")).get();
    internalCluster().fullRestart();
    ensureYellow("d", ModelIndex.NAME);
    assertStatus(503, search("b"));
    assertStatus(200, sendAnew("DELETE", BASE + "models/b", ""));
    assertStatus(404, search("b"));
  }
}
