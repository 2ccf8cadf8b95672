// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.simulation.Simulation.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.After;
import org.junit.Before;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.test.OpenSearchTestCase;

/** Tests that simulate clusters, without the log of the server. */
public abstract class SimulationTestCase extends OpenSearchTestCase {
  private Level before;
  NodeEnvironment environment;

  /** Starts without the log of the server, which would be as long as the simulation. */
  @Before
  public void begin() throws Exception {
    before = LogManager.getRootLogger().getLevel();
    Configurator.setRootLevel(Level.OFF);
    environment = environment(createTempDir());
  }

  /** The environment of processes that keep no files. */
  static NodeEnvironment environment(Path home) throws IOException {
    Settings settings =
        Settings.builder()
            .put("path.home", home)
            .putList("node.roles")
            .put("node.local_storage", false)
            .build();
    return new NodeEnvironment(settings, new Environment(settings, null));
  }

  @After
  public void end() {
    environment.close();
    Configurator.setRootLevel(before);
  }

  static void print(Result result) {
    result.trace().lines().forEach(System.out::println);
    System.out.printf(
        Locale.ROOT,
        "seed %d, %d nodes, %d steps, trace %s: %s%n",
        result.plan().seed(),
        result.plan().nodes(),
        result.plan().steps().size(),
        result.trace().hash(),
        result.counts());
  }
}
