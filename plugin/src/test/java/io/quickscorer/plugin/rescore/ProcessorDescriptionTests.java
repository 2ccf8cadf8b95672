// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.OpenApiDescription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.OpenSearchException;
import org.opensearch.search.pipeline.Processor;
import org.opensearch.test.OpenSearchTestCase;

/** The processors' configuration in the OpenAPI description, held against what reads it. */
public class ProcessorDescriptionTests extends OpenSearchTestCase {
  /** What the server itself reads of any processor. */
  private static final Set<String> OF_THE_SERVER = Set.of("tag", "description", "ignore_failure");

  private static final Map<String, Object> FULL =
      Map.of(
          "window_size",
          7,
          "params_from",
          Map.of(
              "words", Map.of("query_text", List.of("match")), "size", Map.of("path", "ext.size")),
          "index",
          List.of("shop"),
          "share",
          0.5);

  private static RankingOptions read(Map<String, Object> fields) throws Exception {
    Map<String, Object> config = new HashMap<>(fields);
    config.put("model", "ranker");
    return RankingOptionsReader.read(
        config,
        null,
        false,
        null, // Models are looked for when a pipeline is stored, not when it is read.
        new Processor.PipelineContext(Processor.PipelineSource.UPDATE_PIPELINE));
  }

  private static Map<?, ?> fields() throws Exception {
    return OpenApiDescription.child(OpenApiDescription.schema("ProcessorFields"), "properties");
  }

  public void testEveryFieldIsDescribedAndNoOther() throws Exception {
    Set<Object> described = new TreeSet<>(fields().keySet());
    assertTrue(described.removeAll(OF_THE_SERVER));
    assertEquals(RankingOptionsReader.FIELDS, described);
    assertEquals(RankingOptionsReader.FIELDS, FULL.keySet());
    RankingOptions read = read(FULL);
    assertEquals(7, read.windowSize());
    assertEquals(Set.of("words", "size"), read.params().keySet());
    expectThrows(OpenSearchException.class, () -> read(Map.of("windows", 7)));
  }

  public void testTheDefaultsAreThoseThatAreUsed() throws Exception {
    Map<String, Object> spelt = new HashMap<>();
    fields()
        .forEach(
            (field, description) -> {
              Object value = ((Map<?, ?>) description).get("default");
              if (value != null && RankingOptionsReader.FIELDS.contains(field)) {
                spelt.put((String) field, value);
              }
            });
    assertEquals(Set.of("window_size", "share"), spelt.keySet());
    assertEquals(read(Map.of()), read(spelt));
  }

  public void testTheSourcesOfParamsAreThoseThatAreRead() throws Exception {
    for (Object source : (List<?>) OpenApiDescription.schema("ParamSource").get("oneOf")) {
      for (Object name : OpenApiDescription.child((Map<?, ?>) source, "properties").keySet()) {
        read(Map.of("params_from", Map.of("words", Map.of(name, "match"))));
      }
    }
    expectThrows(
        OpenSearchException.class,
        () -> read(Map.of("params_from", Map.of("words", Map.of("other", "match")))));
  }

  /** A field of the clause that makes no sense in a pipeline. */
  public void testTheExceptionIsTheOneThatIsRefused() {
    OpenSearchException e =
        expectThrows(
            OpenSearchException.class,
            () ->
                RankingOptionsReader.read(
                    withModel(Map.of("share_key", "a")),
                    null,
                    false,
                    null,
                    new Processor.PipelineContext(Processor.PipelineSource.UPDATE_PIPELINE)));
    assertTrue(e.getMessage(), e.getMessage().contains("share_key"));
  }

  private static Map<String, Object> withModel(Map<String, Object> config) {
    Map<String, Object> all = new HashMap<>(config);
    if (!all.containsKey("models")) {
      all.put("model", "ranker");
    }
    return all;
  }
}
