// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.store.ModelIndex;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.opensearch.client.Request;
import org.opensearch.client.Response;
import org.opensearch.client.RestClient;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** The file that was uploaded is given back, byte for byte. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 1,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
public class UploadedFileTests extends QuickScorerHttpTestCase {
  private record Got(byte[] bytes, String contentType, String disposition) {}

  private static Got file(String model) throws IOException {
    try (RestClient client = restClient(internalCluster().getNodeNames()[0])) {
      Response response =
          client.performRequest(new Request("GET", BASE + "models/" + model + "/_file"));
      return new Got(
          response.getEntity().getContent().readAllBytes(),
          response.getEntity().getContentType(),
          response.getHeader("Content-Disposition"));
    }
  }

  private static void assertFile(String model, byte[] bytes, String name, String contentType)
      throws IOException {
    Got got = file(model);
    assertArrayEquals(model, bytes, got.bytes);
    assertEquals(contentType, got.contentType);
    assertEquals("attachment; filename=\"" + name + "\"", got.disposition);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private Answer put(String model, byte[] file) throws IOException {
    return send("PUT", BASE + "models/" + model + "?feature_set=f", file, "application/json");
  }

  private void begin() throws Exception {
    assertStatus(201, send("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
  }

  private static List<String> fileDocuments() {
    client().admin().indices().prepareRefresh(ModelIndex.NAME).get();
    return Arrays.stream(
            client()
                .prepareSearch(ModelIndex.NAME)
                .setQuery(QueryBuilders.termQuery("kind", "chunk"))
                .setSize(100)
                .get()
                .getHits()
                .getHits())
        .map(hit -> hit.getId())
        .toList();
  }

  private static ModelManifest manifest(String model) {
    return ModelsMetadata.of(internalCluster().clusterService().state()).get(model);
  }

  private static String fileChunk(String model) {
    return manifest(model).upload() + "-0";
  }

  /** A model whose file does not get smaller: several chunks. */
  private static byte[] large() {
    byte[] noise = new byte[3 << 19];
    random().nextBytes(noise);
    return utf8(
        MarkedModels.file(8)
            .replace(
                "\"leaf\":8.25",
                "\"note\":\"" + Base64.getEncoder().encodeToString(noise) + "\",\"leaf\":8.25"));
  }

  public void testEachWayToUpload() throws Exception {
    begin();
    byte[] plain = utf8(" " + MarkedModels.file(1) + "\n\n");
    assertStatus(201, put("plain", plain));
    byte[] packed = gzip(utf8(MarkedModels.file(2)));
    assertStatus(201, put("packed", packed));
    byte[] large = large();
    Answer accepted = put("large", large);
    assertStatus(201, accepted);
    Map<?, ?> said = (Map<?, ?>) accepted.at("uploaded_file");
    assertEquals(large.length, said.get("bytes"));
    assertEquals("large.json", said.get("name"));
    assertTrue(manifest("large").chunks() > 1);
    String text = MarkedModels.file(3);
    assertStatus(
        201,
        send(
            "PUT",
            BASE + "models/enveloped",
            "{\"feature_set\":\"f\",\"model\":\"" + text.replace("\"", "\\\"") + "\"}"));
    assertStatus(
        201,
        send(
            "PUT",
            BASE + "models/base64",
            "{\"feature_set\":\"f\",\"model_base64\":\""
                + Base64.getEncoder().encodeToString(packed)
                + "\"}"));
    assertStatus(201, send("PUT", BASE + "aliases/live", "{\"model\":\"plain\"}"));
    for (int restart = 0; restart < 2; restart++) {
      assertFile("plain", plain, "plain.json", "application/json");
      assertFile("live", plain, "plain.json", "application/json");
      assertFile("packed", packed, "packed.json.gz", "application/gzip");
      assertFile("large", large, "large.json", "application/json");
      assertFile("enveloped", utf8(text), "enveloped.json", "application/json");
      assertFile("base64", packed, "base64.json.gz", "application/gzip");
      internalCluster().fullRestart();
      ensureYellow(ModelIndex.NAME);
    }
  }

  public void testNothingIsLeftOfIt() throws Exception {
    begin();
    assertStatus(201, put("m", large()));
    assertBusy(() -> assertEquals(2, fileDocuments().size()), 60, TimeUnit.SECONDS);
    byte[] small = utf8(MarkedModels.file(5));
    assertStatus(200, put("m", small));
    assertBusy(() -> assertEquals(List.of(fileChunk("m")), fileDocuments()), 60, TimeUnit.SECONDS);
    assertEquals("noop", put("m", small).at("result"));
    // The same version: what was uploaded first stays.
    assertEquals("noop", put("m", gzip(small)).at("result"));
    assertFile("m", small, "m.json", "application/json");
    assertStatus(200, send("DELETE", BASE + "models/m"));
    assertBusy(() -> assertEquals(List.of(), fileDocuments()), 60, TimeUnit.SECONDS);
  }

  /** Whoever asks for it learns what is wrong; a node that has the model compiled still scores. */
  public void testBrokenFile() throws Exception {
    begin();
    byte[] file = utf8(MarkedModels.file(7));
    assertStatus(201, put("m", file));
    client().prepareDelete(ModelIndex.NAME, fileChunk("m")).get();
    Answer broken = send("GET", BASE + "models/m/_file");
    assertStatus(503, broken);
    assertThat(broken.body(), containsString("stored chunk 1 of 1: the document is missing"));
    assertThat(send("GET", BASE + "models/m").body(), containsString("\"state\":\"loaded\""));
    assertEquals("updated", put("m", file).at("result"));
    assertFile("m", file, "m.json", "application/json");
  }

  public void testImportedFile() throws Exception {
    begin();
    byte[] file = gzip(utf8(MarkedModels.file(4)));
    assertStatus(201, put("m", file));
    String exported = send("GET", BASE + "_export").body();
    assertStatus(200, send("DELETE", BASE + "models/m"));
    Answer other = imported(exported.replaceAll("\"file\":\\[\"[^\"]*\"", other()));
    assertEquals(other.body(), true, other.at("errors"));
    assertThat(
        other.body(), containsString("[file] is not the file from which the model was made"));
    Answer damaged = imported(exported.replaceAll("\"file\":\\[\"[^\"]*\"", "\"file\":[\"AAAA\""));
    assertThat(damaged.body(), containsString("gzip: the data is damaged"));
    Answer bare = imported(exported.replaceAll(",\"file\":\\[\"[^\"]*\"\\]", ""));
    assertThat(bare.body(), containsString("[file] is missing"));
    assertStatus(404, send("GET", BASE + "models/m/_file"));
    Answer otherwise =
        imported(exported.replaceAll("\"fingerprint\":\"[^\"]*\"", "\"fingerprint\":\"00\""));
    assertThat(
        otherwise.body(),
        containsString("this build reads the file differently from the build that accepted it"));
    assertThat(otherwise.body(), containsString("expected [00]"));
    assertStatus(404, send("GET", BASE + "models/m/_file"));
    Answer whole = imported(exported);
    assertEquals(whole.body(), false, whole.at("errors"));
    assertThat(whole.body(), containsString("created"));
    assertFile("m", file, "m.json.gz", "application/gzip");
  }

  private static String other() throws IOException {
    byte[] wrong = gzip(utf8(MarkedModels.file(9)));
    return "\"file\":[\"" + Base64.getEncoder().encodeToString(wrong) + "\"";
  }

  private Answer imported(String lines) throws IOException {
    return send("POST", BASE + "_import", utf8(lines), "application/x-ndjson");
  }
}
