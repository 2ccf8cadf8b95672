// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.client.Request;
import org.opensearch.client.Response;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** What is exported, deleted and imported again is what it was. */
@ClusterScope(numDataNodes = 1, numClientNodes = 0, supportsDedicatedMasters = false)
public class TransferRestTests extends QuickScorerHttpTestCase {
  private static final List<String> MODELS = List.of("a", "b");

  private void begin() throws Exception {
    MarkedModels.createIndex(
        (method, path, body) -> assertEquals(200, send(method, path, body).status()), "d", 1, 20);
    assertStatus(201, send("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
    assertStatus(201, send("PUT", BASE + "models/a?feature_set=f", MarkedModels.file(3)));
    assertStatus(
        201,
        send(
            "PUT",
            BASE + "models/b",
            "{\"model\":"
                + quoted(MarkedModels.file(4))
                + ",\"feature_set\":\"f\",\"feature_ranges\":{\"p\":[0,31.5]}}"));
    assertStatus(201, send("PUT", BASE + "aliases/live", "{\"model\":\"b\"}"));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\\\"") + '"';
  }

  private void end() throws Exception {
    assertStatus(200, send("DELETE", BASE + "aliases/live"));
    for (String model : MODELS) {
      assertStatus(200, send("DELETE", BASE + "models/" + model));
    }
    assertStatus(200, send("DELETE", BASE + "feature_sets/f"));
  }

  /** A damaged value would otherwise end the file as if it were complete. */
  public void testAPieceBeginsAtAnItem() throws Exception {
    assertStatus(200, send("GET", BASE + "_export?from=3:zzz"));
    for (String from : List.of("zzz", "9:a", ":", "2")) {
      Answer refused = send("GET", BASE + "_export?from=" + from);
      assertStatus(400, refused);
      assertThat(refused.body(), containsString("from: found [" + from + "], expected the header"));
    }
  }

  private static String export(long maxBytes) throws IOException {
    StringBuilder file = new StringBuilder();
    String from = "";
    int pieces = 0;
    do {
      Request request = new Request("GET", BASE + "_export");
      request.addParameter("max_bytes", maxBytes + "b");
      request.addParameter("from", from);
      Response piece = getRestClient().performRequest(request);
      byte[] lines = piece.getEntity().getContent().readAllBytes();
      file.append(new String(lines, StandardCharsets.UTF_8));
      from = piece.getHeader("X-Quickscorer-Next");
      pieces++;
    } while (from != null);
    assertEquals(maxBytes == 1 ? 4 : 1, pieces);
    return file.toString();
  }

  private Answer imported(String parameters, String lines) throws Exception {
    return send(
        "POST",
        BASE + "_import" + parameters,
        lines.getBytes(StandardCharsets.UTF_8),
        "application/x-ndjson");
  }

  private static List<Object> results(Map<?, ?> answer, String field) {
    return ((List<?>) answer.get("items"))
        .stream().<Object>map(item -> ((Map<?, ?>) item).get(field)).toList();
  }

  private List<Object> state() throws Exception {
    List<Object> state = new ArrayList<>();
    for (String model : MODELS) {
      Map<String, Object> shown = send("GET", BASE + "models/" + model).json();
      shown.remove("created");
      shown.remove("nodes");
      state.add(shown);
    }
    state.add(send("GET", BASE + "feature_sets/f").body());
    state.add(send("GET", BASE + "aliases/live").body());
    Answer found = send("POST", "/d/_search", MarkedModels.search("live", 10));
    assertStatus(200, found);
    state.add(found.at("hits"));
    return state;
  }

  public void testWhatIsImportedIsWhatWasExported() throws Exception {
    begin();
    List<Object> before = state();
    String file = export(1);
    assertEquals(file, export(1 << 20));
    end();
    Answer created = imported("", file);
    assertStatus(200, created);
    assertEquals(created.body(), false, created.at("errors"));
    assertEquals(
        List.of("created", "created", "created", "created"), results(created.json(), "result"));
    assertEquals(before, state());
    Answer again = imported("", file);
    assertEquals(Set.of("noop"), Set.copyOf(results(again.json(), "result")));
    assertEquals(before, state());
    differing(file, before);
    damaged(file);
    inBackground(file);
    file();
    end();
    assertStatus(200, send("DELETE", "/d"));
  }

  /** What is there and differs stays, unless it is to be replaced. */
  private void differing(String file, List<Object> before) throws Exception {
    assertStatus(200, send("PUT", BASE + "models/a?feature_set=f", MarkedModels.file(9)));
    assertStatus(200, send("PUT", BASE + "aliases/live", "{\"model\":\"a\"}"));
    Answer kept = imported("", file);
    assertEquals(true, kept.at("errors"));
    assertEquals(List.of(200, 409, 200, 409), results(kept.json(), "status"));
    assertThat(kept.body(), containsString("line 2: model [a] already exists and differs"));
    Answer replaced = imported("?replace=true", file);
    assertEquals(replaced.body(), false, replaced.at("errors"));
    Map<String, Object> alias = send("GET", BASE + "aliases/live").json();
    assertEquals("b", alias.get("model"));
    assertEquals(before.subList(0, 3), state().subList(0, 3));
    Answer again = imported("?replace=true", file);
    assertEquals(again.body(), "noop", results(again.json(), "result").getFirst());
  }

  private void damaged(String file) throws Exception {
    String other = file.replace("\"sha256\":\"", "\"sha256\":\"0");
    Answer wrong =
        imported("?replace=true", other + "{\"exported\":\"thing\",\"name\":\"x\"}\n[]\n");
    assertEquals(List.of(200, 400, 400, 200, 400, 400), results(wrong.json(), "status"));
    assertThat(wrong.body(), containsString("the model was changed after its export"));
    Answer many = imported("", file + "\n".repeat(20_000));
    assertStatus(400, many);
    assertThat(many.body(), containsString("more than 20000 lines"));
    assertStatus(400, send("POST", BASE + "_import", ""));
  }

  private Map<?, ?> result(Answer begun) throws Exception {
    assertStatus(200, begun);
    Answer task =
        send("GET", "/_tasks/" + begun.at("task") + "?wait_for_completion=true&timeout=60s");
    assertStatus(200, task);
    assertEquals(task.body(), true, task.at("completed"));
    return (Map<?, ?>) task.at("response");
  }

  private void inBackground(String file) throws Exception {
    Map<?, ?> imported = result(imported("?wait_for_completion=false", file));
    assertEquals(false, imported.get("errors"));
    Map<?, ?> put =
        result(
            send(
                "PUT",
                BASE + "models/c?feature_set=f&wait_for_completion=false",
                MarkedModels.file(5)));
    assertEquals("created", put.get("result"));
    assertStatus(200, send("DELETE", BASE + "models/c"));
  }

  /** The file of a model can be uploaded as another. */
  private void file() throws Exception {
    Response response =
        getRestClient().performRequest(new Request("GET", BASE + "models/live/_file"));
    byte[] file = response.getEntity().getContent().readAllBytes();
    assertEquals(
        send("GET", BASE + "models/b").at("version"), response.getHeader("X-Quickscorer-Version"));
    assertStatus(201, send("PUT", BASE + "models/c?feature_set=f", file, "application/json"));
    assertEquals(
        Set.of(4),
        MarkedModels.marks(send("POST", "/d/_search", MarkedModels.search("c", 10)).json()));
    assertStatus(200, send("DELETE", BASE + "models/c"));
    assertStatus(404, send("GET", BASE + "models/none/_file"));
  }
}
