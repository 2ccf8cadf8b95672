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
 * When models were last used on this node, by name: a new version is used as the one before it was.
 * Kept in a file of the node's data folder, so that a node that starts loads first what it used
 * last; what a node that is killed used in its last minute may be missing there. Safe for use by
 * several threads.
 */
final class RecentUses {
  private final LongSupplier clock;
  private final NodeFile<Map<String, Long>> file;
  private final Map<String, AtomicLong> uses = new ConcurrentHashMap<>();

  /**
   * Reads what was written before; what can't be read is as if it had never been.
   *
   * @param clock milliseconds since the epoch, cheap to read
   * @param data the node's data folders; none for a node without
   */
  RecentUses(LongSupplier clock, Path... data) {
    this.clock = clock;
    this.file = new NodeFile<>(new Format(), "which models were used last", Map.of(), data);
    file.read().forEach((name, time) -> uses.put(name, new AtomicLong(time)));
  }

  /** Notes a use; cheap enough for each window of each search. */
  void use(String name) {
    AtomicLong last = uses.get(name);
    if (last == null) {
      last = uses.computeIfAbsent(name, model -> new AtomicLong());
    }
    long now = clock.getAsLong();
    // Threads that use the same model at the same time don't wait for one another's writes.
    if (last.getOpaque() < now) {
      last.setOpaque(now);
    }
  }

  /** Returns when a model with this name was last used, in milliseconds since the epoch, or 0. */
  long lastUse(String name) {
    AtomicLong last = uses.get(name);
    return last == null ? 0 : last.getOpaque();
  }

  /** Drops other models, and writes the remaining ones if they have changed since the last time. */
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
