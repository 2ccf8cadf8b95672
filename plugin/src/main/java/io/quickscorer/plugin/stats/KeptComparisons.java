// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.NodeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.lifecycle.AbstractLifecycleComponent;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.gateway.GatewayService;
import org.opensearch.gateway.MetadataStateFormat;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * Keeps a node's own counts of draws and of interleaving in a file of its data folder, so that they
 * go on after a restart: wins are counted over weeks. Written once a minute if something was
 * counted, and when the node stops; a node that is killed loses its last minute. What has a name
 * that is gone is forgotten. Agreement is between versions, and begins anew.
 */
public final class KeptComparisons extends AbstractLifecycleComponent {
  private static final TimeValue EVERY = TimeValue.timeValueMinutes(1);

  private final ComparisonStats stats;
  private final Supplier<ClusterState> state;
  private final ThreadPool threadPool;
  private final NodeFile<ComparisonCounts> file;
  private Scheduler.@Nullable Cancellable writing;

  /**
   * @param state the cluster's, which tells which names there are
   * @param data the node's data folders; none for a node without
   */
  KeptComparisons(
      ComparisonStats stats, Supplier<ClusterState> state, ThreadPool threadPool, Path... data) {
    this.stats = stats;
    this.state = state;
    this.threadPool = threadPool;
    this.file =
        new NodeFile<>(
            new Format(), "what was counted of comparisons", ComparisonCounts.NONE, data);
  }

  /** Reads what was written before; what can't be read is as if it had never been. */
  @Override
  protected void doStart() {
    stats.add(file.read());
    writing = Guard.repeat(threadPool, this::write, EVERY);
  }

  private synchronized void write() {
    // A node that fails as it starts has none.
    @Nullable ClusterState cluster = state.get();
    if (cluster != null
        && !cluster.blocks().hasGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK)) {
      ModelsMetadata models = ModelsMetadata.of(cluster);
      stats.retainNames(name -> models.resolve(name) != null);
    }
    ComparisonCounts all = stats.counts();
    file.write(new ComparisonCounts(all.draws(), List.of(), all.wins()));
  }

  @Override
  protected void doStop() {
    if (writing != null) {
      writing.cancel();
    }
    write();
  }

  @Override
  protected void doClose() {}

  private static final class Format extends MetadataStateFormat<ComparisonCounts> {
    private static final String DRAWS = "draws";
    private static final String WINS = "interleaving";
    private static final String EXPERIMENT = "experiment";

    /** The numbers of a pair, in this order. */
    private static final int NUMBERS = 5;

    Format() {
      super("comparisons-");
    }

    @Override
    public void toXContent(XContentBuilder builder, ComparisonCounts counts) throws IOException {
      builder.field(DRAWS, counts.draws());
      builder.startArray(WINS);
      for (ComparisonCounts.Wins pair : counts.wins()) {
        builder.startObject();
        builder.field("models", List.of(pair.teams().first(), pair.teams().second()));
        builder.field(EXPERIMENT, pair.teams().experiment());
        builder.field(
            "counts",
            List.of(pair.searches(), pair.clicks(), pair.first(), pair.second(), pair.ties()));
        builder.endObject();
      }
      builder.endArray();
    }

    @Override
    public ComparisonCounts fromXContent(XContentParser parser) throws IOException {
      Input in = Door.within(parser);
      Map<String, Map<String, Long>> draws = new TreeMap<>();
      List<ComparisonCounts.Wins> wins = new ArrayList<>();
      in.object(
          Input.MAX_ITEMS,
          field -> {
            switch (field) {
              case DRAWS -> in.object(Input.MAX_ITEMS, alias -> draws.put(alias, numbers(in)));
              case WINS -> in.list(Input.MAX_ITEMS, () -> wins.add(wins(in)));
              default -> in.skip();
            }
          });
      return new ComparisonCounts(draws, List.of(), wins);
    }

    private static Map<String, Long> numbers(Input in) throws IOException {
      Map<String, Long> numbers = new TreeMap<>();
      in.object(
          Input.MAX_ITEMS, model -> numbers.put(model, in.whole(Long.MIN_VALUE, Long.MAX_VALUE)));
      return numbers;
    }

    private static ComparisonCounts.Wins wins(Input in) throws IOException {
      List<String> models = new ArrayList<>();
      List<String> experiment = new ArrayList<>();
      List<Long> numbers = new ArrayList<>();
      in.object(
          3,
          field -> {
            switch (field) {
              case "models" -> models.addAll(in.texts(2));
              case EXPERIMENT -> experiment.add(in.text());
              default ->
                  in.list(NUMBERS, () -> numbers.add(in.whole(Long.MIN_VALUE, Long.MAX_VALUE)));
            }
          });
      if (models.size() != 2 || experiment.size() != 1 || numbers.size() != NUMBERS) {
        throw new IOException("expected two models, an experiment and " + NUMBERS + " numbers");
      }
      return new ComparisonCounts.Wins(
          ComparisonStats.Teams.of(models.getFirst(), models.getLast(), experiment.getFirst()),
          numbers.get(0),
          numbers.get(1),
          numbers.get(2),
          numbers.get(3),
          numbers.get(4));
    }
  }
}
