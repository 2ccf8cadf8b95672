// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import com.carrotsearch.randomizedtesting.annotations.Name;
import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.quickscorer.plugin.QuickScorerPlugin;
import java.io.IOException;
import java.util.List;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.opensearch.common.network.NetworkAddress;
import org.opensearch.common.settings.Settings;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.node.MockNode;
import org.opensearch.node.Node;
import org.opensearch.test.rest.yaml.ClientYamlTestCandidate;
import org.opensearch.test.rest.yaml.OpenSearchClientYamlSuiteTestCase;
import org.opensearch.transport.Netty4ModulePlugin;

/** The server's own runner of YAML tests, over a node in this JVM: {@code rest-api-spec/test}. */
public class YamlRestTests extends OpenSearchClientYamlSuiteTestCase {
  private static Node node;

  public YamlRestTests(@Name("yaml") ClientYamlTestCandidate candidate) {
    super(candidate);
  }

  @ParametersFactory
  public static Iterable<Object[]> parameters() throws Exception {
    return createParameters();
  }

  @BeforeClass
  public static void startNode() throws Exception {
    Settings settings =
        Settings.builder()
            .put("path.home", createTempDir())
            .put("cluster.name", "yaml")
            .put("node.name", "yaml")
            .put("discovery.type", "single-node")
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            .put("http.port", "0")
            .put("transport.port", "0")
            .put("network.host", "127.0.0.1")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
    node = new MockNode(settings, List.of(Netty4ModulePlugin.class, QuickScorerPlugin.class));
    node.start();
  }

  @AfterClass
  public static void stopNode() throws IOException {
    node.close();
    node = null;
  }

  @Override
  protected String getTestRestCluster() {
    HttpServerTransport http = node.injector().getInstance(HttpServerTransport.class);
    return NetworkAddress.format(http.boundAddress().publishAddress().address());
  }

  /** A model is read from the body's bytes, which must be JSON here. */
  @Override
  protected boolean randomizeContentType() {
    return false;
  }

  /** The tests delete what they made; the plugin's own index stays. */
  @Override
  protected boolean preserveIndicesUponCompletion() {
    return true;
  }
}
