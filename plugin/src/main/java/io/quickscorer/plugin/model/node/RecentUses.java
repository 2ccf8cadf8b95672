// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.gateway.MetadataStateFormat;

/**
 * Records when each model was last used on this node. The time is stored by the model's name, so
 * that it remains if the model gets a new version. A file in the node's data folder contains the
 * times, so that a starting node loads the most recently used models first. If a node is killed,
 * the file may lack the uses of the last minute. Safe for use by several threads.
 */
final class RecentUses {
  private static final Logger LOGGER = LogManager.getLogger(RecentUses.class);

  private final LongSupplier clock;
  private final Format format = new Format();
  private final Path[] folders;
  private final Map<String, AtomicLong> uses = new ConcurrentHashMap<>();

  /** The times in the file. */
  private Map<String, Long> written = Map.of();

  /**
   * Reads the times of last uses from the node's file. If it cannot be read, this is only logged,
   * because a node can work without the times.
   *
   * @param clock returns the time in milliseconds since the epoch; must be fast
   * @param data the data folders of the node; if there is none, nothing is read or written
   */
  RecentUses(LongSupplier clock, Path... data) {
    this.clock = clock;
    this.folders =
        Arrays.stream(data).map(path -> path.resolve("quickscorer")).toArray(Path[]::new);
    try {
      Map<String, Long> read = format.loadLatestState(LOGGER, NamedXContentRegistry.EMPTY, folders);
      written = read == null ? written : read;
    } catch (IOException | RuntimeException e) {
      LOGGER.warn("could not read which models were used last", e);
    }
    written.forEach((name, time) -> uses.put(name, new AtomicLong(time)));
  }

  /** Records that a model is used now. Called in each search, so it must be fast. */
  void use(String name) {
    AtomicLong last = uses.get(name);
    if (last == null) {
      last = uses.computeIfAbsent(name, model -> new AtomicLong());
    }
    long now = clock.getAsLong();
    // No compare-and-set, because threads that use the same model must not wait for it.
    if (last.getOpaque() < now) {
      last.setOpaque(now);
    }
  }

  /** Returns when a model was last used, in milliseconds since the epoch; 0 if it never was. */
  long lastUse(String name) {
    AtomicLong last = uses.get(name);
    return last == null ? 0 : last.getOpaque();
  }

  /**
   * Writes the times to the file, if they have changed. If writing fails, this is only logged.
   *
   * @param names the names of the existing models; the times of other models are removed
   */
  synchronized void write(Set<String> names) {
    uses.keySet().retainAll(names);
    Map<String, Long> now = new TreeMap<>();
    uses.forEach((name, last) -> now.put(name, last.getOpaque()));
    if (folders.length == 0 || now.equals(written)) {
      return;
    }
    try {
      format.writeAndCleanup(now, folders);
      written = now;
    } catch (IOException | RuntimeException e) {
      LOGGER.warn("could not write which models were used last", e);
    }
  }

  private static final class Format extends MetadataStateFormat<Map<String, Long>> {
    Format() {
      super("recent-uses-");
    }

    @Override
    public void toXContent(XContentBuilder builder, Map<String, Long> state) throws IOException {
      for (Map.Entry<String, Long> entry : state.entrySet()) {
        builder.field(entry.getKey(), entry.getValue());
      }
    }

    @Override
    public Map<String, Long> fromXContent(XContentParser parser) throws IOException {
      Map<String, Long> state = new TreeMap<>();
      Input in = Door.within(parser);
      in.object(Input.MAX_ITEMS, name -> state.put(name, in.whole(0, Long.MAX_VALUE)));
      return state;
    }
  }
}
