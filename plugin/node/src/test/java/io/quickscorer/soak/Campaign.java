// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.node.NodeClient;
import io.quickscorer.node.NumberedTrees;
import io.quickscorer.node.RunningNode;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A cluster to which something bad happens again and again while clients search, upload models and
 * move an alias. After each time, what was acknowledged is there, whole and the same on all nodes,
 * and no search had a wrong score; at the end, nothing is stored but what the models need.
 */
final class Campaign implements AutoCloseable {
  /**
   * What each cluster needs. A search that waits for a fetch phase that never comes keeps its shard
   * from closing until its context expires, after 5 to 6 minutes by default; meanwhile the server
   * tries five times to start the shard again, for 5 s each, and then no more.
   */
  static final String[] SETTINGS = {
    "-Equickscorer.model.warm_up=0s",
    "-Equickscorer.model.sweep_after=3m",
    "-Esearch.default_keep_alive=10s",
    "-Esearch.keep_alive_interval=2s"
  };

  private static final long SEED =
      Long.parseLong(System.getProperty("tests.seed", Long.toString(System.nanoTime())));
  private static final int TREES = 40;
  private static final int CLIENTS = 2;

  /** Between two changes of a client: nodes that start need the processors. */
  private static final Duration BETWEEN = Duration.ofMillis(50);

  /** Two models whose scores differ, for the alias to move between. */
  private static final List<String> TARGETS = List.of("left", "right");

  private final String name;
  private final RealCluster cluster;
  private final SplittableRandom random = new SplittableRandom(SEED);
  private final List<Changing> changing;
  private final ExecutorService threads;
  private final SearchLoad load;
  private final long start;

  /** What happens; it is over, and may be put right, when this returns. */
  interface Disruption {
    void run() throws Exception;
  }

  /** Starts the nodes. */
  Campaign(String name, RealCluster cluster) throws Exception {
    System.out.printf(Locale.ROOT, "%s: -Dtests.seed=%d%n", name, SEED);
    this.name = name;
    this.cluster = cluster;
    cluster.prepareShortLives();
    for (int node = 0; node < RealCluster.NODES; node++) {
      cluster.start(node, RunningNode.home());
    }
    NodeClient client = cluster.any();
    SearchLoad.createDocuments(client, RealCluster.NODES);
    for (int t = 0; t < TARGETS.size(); t++) {
      client.put(Changing.path(TARGETS.get(t), "p"), NumberedTrees.file(-1 - t, TREES));
    }
    client.put(Changing.path("fixed", "p"), NumberedTrees.file(0, TREES));
    changing =
        List.of(
            Changing.model(cluster, "one", TREES),
            Changing.model(cluster, "two", TREES),
            Changing.alias(cluster, "alias", TARGETS, TREES));
    changing.forEach(Changing::create);
    cluster.awaitGreen();
    threads = Executors.newFixedThreadPool(changing.size());
    List<SearchLoad.Target> targets =
        List.of(
            SearchLoad.Target.fixed("fixed", TREES),
            SearchLoad.Target.moving("one", TREES, changing.getFirst().last()),
            SearchLoad.Target.alias("alias", TREES, TARGETS.size()));
    load = new SearchLoad(cluster, targets, CLIENTS, SEED);
    start = System.nanoTime();
  }

  SplittableRandom random() {
    return random;
  }

  /** A node, the elected manager in more than half of the cases. */
  int victim() {
    return random.nextBoolean() ? cluster.manager() : random.nextInt(RealCluster.NODES);
  }

  /** For a random time of at most that, so that things happen at any moment of any operation. */
  void pauseAtMost(Duration time) {
    pause(Duration.ofNanos(random.nextLong(time.toNanos())));
  }

  static void pause(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Lets it happen while the writers write, and checks what is there after it. */
  void during(Disruption disruption) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    List<Future<?>> writers = new ArrayList<>();
    try {
      changing.forEach(each -> writers.add(threads.submit(() -> each.change(over, BETWEEN))));
      disruption.run();
    } finally {
      over.set(true);
    }
    for (Future<?> writer : writers) {
      writer.get();
    }
    cluster.awaitGreen();
    check(Changing::check);
  }

  private void check(Consumer<Changing> checked) {
    changing.forEach(checked);
    cluster.requireSameModels("fixed", "left", "one", "right", "two");
    assertEquals(List.of(), load.wrong());
  }

  /**
   * Lets it happen while the models' index is lost and restored; what it holds is what there was
   * when the snapshot was taken.
   */
  void duringRestore(Backups backups, Disruption disruption) throws Exception {
    backups.take();
    changing.forEach(Changing::mark);
    during(() -> pauseAtMost(Duration.ofSeconds(2)));
    Future<?> restoring = threads.submit(backups::restore);
    disruption.run();
    restoring.get();
    cluster.awaitGreen();
    check(Changing::checkRestored);
  }

  /** Says what there was so far. */
  void say(String what) {
    System.out.printf(
        Locale.ROOT,
        "%s after %d s: %s; %d changes acknowledged, 0 lost; %d searches, 0 wrong, %d failed; load"
            + " %.0f%n",
        name,
        Duration.ofNanos(System.nanoTime() - start).toSeconds(),
        what,
        changing.stream().mapToInt(Changing::acknowledged).sum(),
        load.searches(),
        load.failures(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  /** Ends the searches and waits until nothing is stored but what the models need. */
  void end(String what) throws Exception {
    load.close();
    assertEquals(List.of(), load.wrong());
    Storage before = Storage.of(cluster);
    Storage after = Storage.await(cluster);
    cluster.any().post(Storage.INDEX + "/_forcemerge?max_num_segments=1", "");
    say(what);
    changing.forEach(each -> System.out.println("  not acknowledged: " + each.refusals()));
    System.out.println("  failed: " + load.failed());
    System.out.printf(
        Locale.ROOT,
        "  stored: %d documents of %d models, of %d before the sweep; %d bytes on all nodes%n",
        after.documents(),
        after.needed().size(),
        before.documents(),
        Storage.bytes(cluster));
  }

  @Override
  public void close() throws Exception {
    load.close();
    threads.close();
  }
}
