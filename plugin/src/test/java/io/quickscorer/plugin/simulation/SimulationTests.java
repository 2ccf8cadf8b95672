// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import com.carrotsearch.randomizedtesting.annotations.TimeoutSuite;
import io.quickscorer.plugin.simulation.Simulation.Counts;
import io.quickscorer.plugin.simulation.Simulation.Result;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.lucene.tests.util.TimeUnits;
import org.junit.After;
import org.junit.Before;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Simulated clusters keep their promises, whatever the seed. {@code -Psimulation
 * -Dsimulation.minutes=60} simulates for an hour, {@code -Psimulation -Dsimulation.seed=1} that
 * seed alone and prints its story.
 */
@TimeoutSuite(millis = 24 * TimeUnits.HOUR)
public class SimulationTests extends OpenSearchTestCase {
  /** Number of seeds that each build simulates, from 1; the profile simulates new ones. */
  private static final int SEEDS_IN_THE_BUILD = 25;

  /** Seeds that found a fault of the product, which each build simulates. */
  private static final long[] FORMER_FINDINGS = {17, 675_545_297};

  private static final long SECONDS_TO_SHRINK = 120;

  private Level before;
  private NodeEnvironment environment;

  /** Starts without the log of the server, which would be as long as the simulation. */
  @Before
  public void begin() throws Exception {
    before = LogManager.getRootLogger().getLevel();
    Configurator.setRootLevel(Level.OFF);
    Settings settings =
        Settings.builder()
            .put("path.home", createTempDir())
            .putList("node.roles")
            .put("node.local_storage", false)
            .build();
    environment = new NodeEnvironment(settings, new Environment(settings, null));
  }

  @After
  public void end() {
    environment.close();
    Configurator.setRootLevel(before);
  }

  private Result run(Plan plan) {
    return Simulation.run(plan, environment);
  }

  /** The option of that name, empty if there is none. */
  private static String option(String name) {
    String value = System.getProperty("tests.simulation." + name, "");
    return value.startsWith("$") ? "" : value;
  }

  public void testSeeds() {
    String seed = option("seed");
    if (!seed.isEmpty()) {
      Result result = run(Plan.of(Long.parseLong(seed)));
      print(result);
      assertNull(result.failure());
      return;
    }
    String minutes = option("minutes");
    boolean build = minutes.isEmpty();
    long seconds = build ? 0 : TimeUnit.MINUTES.toSeconds(Long.parseLong(minutes));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long first = build ? 1 : random().nextInt(1 << 30);
    Counts all = new Counts();
    int runs = 0;
    do {
      simulate(first + runs, all);
      runs++;
    } while (build ? runs < SEEDS_IN_THE_BUILD : System.nanoTime() < end);
    System.out.printf(Locale.ROOT, "simulated seeds %d to %d: %s%n", first, first + runs - 1, all);
  }

  public void testFormerFindings() {
    for (long seed : FORMER_FINDINGS) {
      simulate(seed, new Counts());
    }
  }

  private void simulate(long seed, Counts all) {
    Result result = run(Plan.of(seed));
    all.add(result.counts());
    if (result.failure() != null) {
      fail(result);
    }
  }

  private void fail(Result failed) {
    String shrink = option("shrink");
    long seconds = shrink.isEmpty() ? SECONDS_TO_SHRINK : Long.parseLong(shrink);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    Plan least =
        new Shrinker(plan -> run(plan).failure() != null, () -> System.nanoTime() > end)
            .shrink(failed.plan());
    Result shrunk = run(least);
    print(shrunk);
    throw new AssertionError(
        "seed "
            + failed.plan().seed()
            + " (mvn -Psimulation -Dsimulation.seed="
            + failed.plan().seed()
            + "): "
            + failed.failure());
  }

  private static void print(Result result) {
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

  public void testTheSameSeedHasTheSameTrace() {
    for (long seed = 1; seed <= 3; seed++) {
      Result one = run(Plan.of(seed));
      Result other = run(Plan.of(seed));
      assertEquals(one.trace().lines(), other.trace().lines());
      assertEquals(one.trace().hash(), other.trace().hash());
      System.out.printf(Locale.ROOT, "trace of seed %d: %s%n", seed, one.trace().hash());
    }
  }
}
