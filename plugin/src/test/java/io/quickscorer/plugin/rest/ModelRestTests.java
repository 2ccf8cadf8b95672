package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import io.quickscorer.plugin.testing.TestModel;
import java.util.List;
import java.util.Map;
import org.junit.Before;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Models and feature sets over HTTP: what is stored comes back, and each name is told apart. */
@ClusterScope(numDataNodes = 2, supportsDedicatedMasters = false)
public class ModelRestTests extends QuickScorerHttpTestCase {
  private static final TestModel LIGHTGBM = TestModel.LIGHTGBM;
  private static final TestModel XGBOOST = TestModel.XGBOOST;

  @Before
  public void putFeatureSets() throws Exception {
    send("PUT", BASE + "feature_sets/lgbm", LIGHTGBM.featureSet());
    send("PUT", BASE + "feature_sets/xgb", XGBOOST.featureSet());
  }

  public void testFileIsStoredLoadedAndDeleted() throws Exception {
    Answer put = send("PUT", BASE + "models/raw?feature_set=lgbm", LIGHTGBM.text());
    assertStatus(201, put);
    assertEquals("created", put.at("result"));
    Map<?, ?> nodes = (Map<?, ?>) put.at("nodes");
    assertEquals(2, nodes.size());
    nodes.values().forEach(node -> assertEquals("loaded", ((Map<?, ?>) node).get("state")));

    Answer get = send("GET", BASE + "models/raw");
    assertStatus(200, get);
    assertEquals("lightgbm_text", get.at("format"));
    assertEquals("lgbm", get.at("feature_set"));
    assertEquals(LIGHTGBM.ensemble().trees().size(), get.at("trees"));
    assertEquals(put.at("version"), get.at("version"));
    assertEquals(2, ((Map<?, ?>) get.at("nodes")).size());
    assertStatus(200, send("HEAD", BASE + "models/raw"));
    Answer all = send("GET", BASE + "models");
    assertStatus(200, all);
    assertEquals(1, ((List<?>) all.at("models")).size());

    assertStatus(200, send("DELETE", BASE + "models/raw"));
    assertStatus(404, send("GET", BASE + "models/raw"));
    assertStatus(404, send("HEAD", BASE + "models/raw"));
    assertStatus(404, send("DELETE", BASE + "models/raw"));
  }
}
