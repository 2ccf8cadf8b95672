// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.wire.WireRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterState;

/**
 * The latest requests that changed models or aliases, or were refused. The cluster state contains
 * them, so that a new cluster manager has them too. They are not stored on disk.
 *
 * @param entries the last requests, the oldest first
 * @param horizon a version of the cluster state: the list contains all later requests; {@link
 *     Long#MAX_VALUE} if requests may be missing, as in the list of models that an index contains
 */
public record RecentRequests(List<Entry> entries, long horizon) implements WireRecord {
  static final int MAX_ENTRIES = 256;

  /** An empty list, for a cluster that never had a model. */
  static final RecentRequests NONE = new RecentRequests(List.of(), 0);

  /**
   * A request that changed a model or alias, or was refused, and its result.
   *
   * @param id the request's identifier; if the network sends copies of a request, their identifiers
   *     are equal
   * @param version the version of the first cluster state that contains this entry
   * @param names the names of the models and aliases that the request changed; empty if it was
   *     refused
   * @param existed whether the model or alias to change existed before the request
   * @param alias the alias as it was before the request, or null if there was none
   * @param refusal the reason of the refusal, or null if the request was carried out
   */
  public record Entry(
      String id,
      long version,
      List<String> names,
      boolean existed,
      @Nullable ModelAlias alias,
      @Nullable Refusal refusal)
      implements WireRecord {}

  /**
   * The reason why a request was refused.
   *
   * @param status the HTTP status
   * @param kind the value of {@code quickscorer_refused} in the response: {@code stale}, {@code
   *     not_allowed} or {@code for_now}
   */
  public record Refusal(int status, String kind, String message) implements WireRecord {}

  /**
   * Returns an empty list for models and aliases that were read from disk, where requests are not
   * stored.
   *
   * @param version the version of the cluster state when they were stored, which becomes the {@link
   *     #horizon} of the list; null if the version is unknown
   */
  static RecentRequests since(@Nullable Long version) {
    return new RecentRequests(List.of(), version == null ? Long.MAX_VALUE : version);
  }

  /**
   * Returns the version of the first cluster state that contains the list's last request. Returns
   * {@link #horizon} if the list is empty.
   */
  long last() {
    return entries.isEmpty() ? horizon : entries.getLast().version;
  }

  /**
   * Returns this list if its {@link #horizon} is at most the version of the state; otherwise a copy
   * with this version as its horizon.
   */
  RecentRequests after(ClusterState state) {
    return horizon <= state.version() ? this : new RecentRequests(entries, state.version());
  }

  /** Returns a copy with one more request, and without the oldest one if the list is full. */
  RecentRequests with(Entry entry) {
    List<Entry> more = new ArrayList<>(entries);
    more.add(entry);
    return more.size() <= MAX_ENTRIES
        ? new RecentRequests(more, horizon)
        : new RecentRequests(more.subList(1, more.size()), more.getFirst().version);
  }

  /**
   * Returns whether the list contains all requests from an earlier version of the cluster state to
   * the current {@code state}.
   */
  public boolean isComplete(long version, ClusterState state) {
    return version >= Math.min(horizon, state.version());
  }

  /** Returns the request with an id, or null if the list does not contain it. */
  public @Nullable Entry get(String id) {
    for (Entry entry : entries) {
      if (entry.id.equals(id)) {
        return entry;
      }
    }
    return null;
  }

  /** Returns whether a request changed a model or alias after a version of the cluster state. */
  public boolean isChanged(String name, long version) {
    return entries.stream().anyMatch(e -> e.version > version && e.names.contains(name));
  }
}
