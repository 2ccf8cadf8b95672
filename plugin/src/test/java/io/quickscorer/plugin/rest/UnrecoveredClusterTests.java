// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.config.RequestConfig;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.clustermanager.ClusterManagerNodeRequest;
import org.opensearch.client.Request;
import org.opensearch.client.RequestOptions;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.InternalTestCluster;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** A node that does not know the cluster state yet does not say that there is nothing. */
@ClusterScope(
    scope = Scope.TEST,
    numDataNodes = 0,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
public class UnrecoveredClusterTests extends QuickScorerHttpTestCase {
  /** More than a node takes to start on a machine that has much else to do. */
  private static final TimeValue PATIENCE = TimeValue.timeValueMinutes(10);

  /** Deletions of models wait so long for the cluster state; the API has no parameter for it. */
  public static final class PatientDeletions extends Plugin implements ActionPlugin {
    @Override
    public List<ActionFilter> getActionFilters() {
      return List.of(
          new ActionFilter.Simple() {
            @Override
            public int order() {
              return 0;
            }

            @Override
            protected boolean apply(
                String action, ActionRequest request, ActionListener<?> listener) {
              if (action.equals("cluster:admin/quickscorer/model/publish")) {
                ((ClusterManagerNodeRequest<?>) request).clusterManagerNodeTimeout(PATIENCE);
              }
              return true;
            }
          });
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(PatientDeletions.class);
    return plugins;
  }

  public void testEverybodyIsToldToComeAgain() throws Exception {
    internalCluster().startNode();
    MarkedModels.createIndex(
        (method, path, body) -> assertEquals(200, sendAnew(method, path, body).status()),
        "d",
        1,
        10);
    assertStatus(201, sendAnew("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
    assertStatus(201, sendAnew("PUT", BASE + "models/m?feature_set=f", MarkedModels.file(7)));
    assertStatus(201, sendAnew("PUT", BASE + "models/n?feature_set=f", MarkedModels.file(3)));
    assertStatus(201, sendAnew("PUT", BASE + "aliases/live", "{\"model\":\"m\"}"));
    internalCluster()
        .fullRestart(
            new InternalTestCluster.RestartCallback() {
              @Override
              public Settings onNodeStopped(String node) {
                return Settings.builder().put("gateway.recover_after_data_nodes", 2).build();
              }

              @Override
              public boolean validateClusterForming() {
                return false;
              }
            });
    List<FutureTask<Answer>> refused = new ArrayList<>();
    for (String path :
        List.of(
            "models",
            "models/m",
            "models/m/_drift",
            "models/m/_importance",
            "aliases",
            "aliases/live",
            "feature_sets",
            "feature_sets/f")) {
      refused.add(begin("GET", BASE + path, ""));
    }
    refused.add(begin("DELETE", BASE + "feature_sets/f", ""));
    refused.add(begin("PUT", BASE + "aliases/live", "{\"model\":\"m\"}"));
    refused.add(begin("POST", "/d/_search", MarkedModels.search("m", 10)));
    refused.add(begin("POST", "/d/_search", MarkedModels.search("live", 10)));
    refused.add(
        begin("POST", "/d/_search", MarkedModels.search("\"feature_set\":\"f\"", 0, 10, 10)));
    for (FutureTask<Answer> request : refused) {
      assertStatus(503, request.get());
      assertNotNull(request.get().retryAfter());
    }
    // Changes of the cluster state and reads of feature sets wait.
    FutureTask<Answer> deletion = begin("DELETE", BASE + "models/n", "");
    FutureTask<Answer> reading = begin("GET", BASE + "feature_sets/f", "");
    FutureTask<Answer> including =
        begin("PUT", BASE + "feature_sets/g", "{\"include\":[{\"feature_set\":\"f\"}]}");
    internalCluster().startNode();
    ensureYellow("d");
    assertStatus(200, deletion.get());
    assertStatus(200, reading.get());
    assertStatus(201, including.get());
    assertBusy(
        () -> {
          Answer found = sendAnew("POST", "/d/_search", MarkedModels.search("live", 10));
          assertStatus(200, found);
          assertEquals(Set.of(7), MarkedModels.marks(found.json()));
        },
        60,
        TimeUnit.SECONDS);
  }

  /** Begins a request: some wait for the cluster state until their time is up. */
  private static FutureTask<Answer> begin(String method, String path, String body) {
    Request request = new Request(method, path);
    if (!body.isEmpty()) {
      request.setJsonEntity(body);
    }
    request.setOptions(
        RequestOptions.DEFAULT.toBuilder()
            .setRequestConfig(
                RequestConfig.custom()
                    .setResponseTimeout(PATIENCE.minutes(), TimeUnit.MINUTES)
                    .build()));
    FutureTask<Answer> answer = new FutureTask<>(() -> sendAnew(request));
    new Thread(answer).start();
    return answer;
  }
}
