// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.engine.VersionConflictEngineException;
import org.opensearch.index.seqno.SequenceNumbers;

/**
 * The documents of one copy of the simulated shard, as they are on a node's disk: by id, with
 * sequence numbers and primary terms. A search sees them as they were at the last refresh, which
 * takes place each second or on demand.
 */
final class ShardCopy {
  private static final long REFRESH_EVERY = 1_000;

  final ShardId shard;
  final String allocation;
  private final Map<String, ShardDocument> documents = new TreeMap<>();

  /** What each document was that has been written since the last sync, if it was there. */
  private final Map<String, Optional<ShardDocument>> unsynced = new TreeMap<>();

  private List<ShardDocument> visible = List.of();
  private long refreshed;
  private long term;
  private long last = SequenceNumbers.NO_OPS_PERFORMED;

  ShardCopy(ShardId shard, String allocation, long term) {
    this.shard = shard;
    this.allocation = allocation;
    this.term = term;
  }

  /** The highest primary term that this copy knows of. */
  long term() {
    return term;
  }

  /** Begins a new primary term. */
  void begin(long newTerm) {
    term = Math.max(term, newTerm);
  }

  @Nullable ShardDocument get(String id) {
    ShardDocument found = documents.get(id);
    return found == null || !found.exists() ? null : found;
  }

  /** All documents, those that were deleted among them. */
  List<ShardDocument> all() {
    return List.copyOf(documents.values());
  }

  /** All that exist. */
  List<ShardDocument> existing() {
    return documents.values().stream().filter(ShardDocument::exists).toList();
  }

  /** Those that a search sees. */
  List<ShardDocument> visible(long now) {
    tick(now);
    return visible;
  }

  void refresh(long now) {
    visible = existing();
    refreshed = now / REFRESH_EVERY;
  }

  private void tick(long now) {
    if (now / REFRESH_EVERY > refreshed) {
      refresh(now);
    }
  }

  /**
   * Writes or deletes a document as the primary does.
   *
   * @return the writing
   * @throws VersionConflictEngineException if the document is another than the request says
   */
  ShardDocument write(ShardRequest request, long now) {
    tick(now);
    ShardDocument wanted = request.documents.getFirst();
    ShardDocument there = get(wanted.id());
    if (request.create && there != null) {
      throw new VersionConflictEngineException(
          shard, wanted.id(), "document already exists (current version " + there.version() + ")");
    }
    if (request.ifNumber != SequenceNumbers.UNASSIGNED_SEQ_NO
        && (there == null
            || there.number() != request.ifNumber
            || there.term() != request.ifTerm)) {
      throw new VersionConflictEngineException(
          shard,
          wanted.id(),
          request.ifNumber,
          request.ifTerm,
          there == null ? SequenceNumbers.UNASSIGNED_SEQ_NO : there.number(),
          there == null ? 0 : there.term());
    }
    last++;
    ShardDocument written =
        new ShardDocument(
            wanted.id(), wanted.source(), last, term, there == null ? 1 : there.version() + 1);
    put(written);
    return written;
  }

  /** Takes over what a primary wrote, unless it is older than what is there. */
  void take(Collection<ShardDocument> written, long now) {
    tick(now);
    for (ShardDocument document : written) {
      last = Math.max(last, document.number());
      if (document.isAfter(documents.get(document.id()))) {
        put(document);
      }
    }
  }

  /**
   * Takes over what a new primary has. What this copy alone has from earlier terms was not
   * acknowledged, and is taken back.
   */
  void resync(Collection<ShardDocument> all, long now) {
    for (ShardDocument own : all()) {
      if (own.term() < term) {
        unsynced.putIfAbsent(own.id(), Optional.of(own));
        documents.remove(own.id());
      }
    }
    take(all, now);
  }

  /** Makes this copy equal to a primary's. */
  void replace(Collection<ShardDocument> all, long now) {
    tick(now);
    documents.clear();
    last = SequenceNumbers.NO_OPS_PERFORMED;
    take(new ArrayList<>(all), now);
    sync();
  }

  private void put(ShardDocument document) {
    ShardDocument before = documents.put(document.id(), document);
    unsynced.putIfAbsent(document.id(), Optional.ofNullable(before));
  }

  /** Makes all that has been written last. */
  void sync() {
    unsynced.clear();
  }

  /** Takes back all that has been written since the last sync. */
  void loseUnsynced() {
    unsynced.forEach(
        (id, before) ->
            before.ifPresentOrElse(old -> documents.put(id, old), () -> documents.remove(id)));
    unsynced.clear();
    visible = existing();
    last = SequenceNumbers.NO_OPS_PERFORMED;
    documents.values().forEach(document -> last = Math.max(last, document.number()));
  }
}
