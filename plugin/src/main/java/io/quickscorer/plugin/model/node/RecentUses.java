// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
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
  private final LongSupplier clock;
  private final NodeFile<Map<String, Long>> file;
  private final Map<String, AtomicLong> uses = new ConcurrentHashMap<>();

  /**
   * Reads the times of last uses from the node's file; ignores a file that cannot be read.
   *
   * @param clock returns the time in milliseconds since the epoch; must be fast
   * @param data the data folders of the node; if there is none, no file is written
   */
  RecentUses(LongSupplier clock, Path... data) {
    this.clock = clock;
    this.file = new NodeFile<>(new Format(), "which models were used last", Map.of(), data);
    file.read().forEach((name, time) -> uses.put(name, new AtomicLong(time)));
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
   * Writes the times to the file, if they have changed.
   *
   * @param names the names of the existing models; the times of other models are removed
   */
  synchronized void write(Set<String> names) {
    uses.keySet().retainAll(names);
    Map<String, Long> now = new TreeMap<>();
    uses.forEach((name, last) -> now.put(name, last.getOpaque()));
    file.write(now);
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
