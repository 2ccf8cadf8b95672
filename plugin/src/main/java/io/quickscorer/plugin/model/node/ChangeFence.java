// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.store.ModelIndex;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.ClusterState;
import org.opensearch.core.rest.RestStatus;

/**
 * Prevents a delayed or repeated request from overwriting a newer change of the same name.
 *
 * <p>After an interruption of the network, a request may arrive long after its sender has given up
 * and sent it again. Therefore each request has the version of its sender's cluster state. A
 * request is refused if the name was changed since that version, or may have been changed because
 * another cluster manager was elected since. A change that took place, but whose response was lost,
 * is not repeated.
 *
 * <p>One object is used for all names of models and aliases, by the thread that changes the cluster
 * state. Other threads may only use its static methods.
 */
public final class ChangeFence {
  /**
   * Key, in the metadata of an exception, of the reason why the cluster manager did not make the
   * change; users see it.
   */
  private static final String REFUSED = "opensearch.quickscorer_refused";

  private static final String STALE = "stale";
  private static final String NOT_ALLOWED = "not_allowed";
  private static final String FOR_NOW = "for_now";

  /** Maximum number of names whose changes are recorded separately. */
  private static final int MAX_NAMES = 10_000;

  /** Maximum number of requests that are recorded per name. */
  private static final int MAX_REQUESTS = 16;

  private static final class Changes {
    private long version;
    private final Deque<String> requests = new ArrayDeque<>();
  }

  private final Map<String, Changes> changes = new HashMap<>();
  private final Set<String> newerThanIndex = new HashSet<>();
  private long term = -1;
  private long floor;

  private void begin(ClusterState state) {
    if (state.term() != term) {
      term = state.term();
      newerThanIndex.clear();
    } else if (changes.size() <= MAX_NAMES) {
      return;
    }
    floor = state.version();
    changes.clear();
  }

  /**
   * Returns whether a request was already carried out. Called before a change, and before {@link
   * #check}.
   *
   * @param request the identifier of the request
   */
  public boolean isDone(String name, String request, ClusterState state) {
    begin(state);
    Changes known = changes.get(name);
    return known != null && known.requests.contains(request);
  }

  /**
   * Checks that a name was not changed since its request was sent; called before the change.
   *
   * @param seen the version of the cluster state that the sender had
   * @throws OpenSearchStatusException (409) if the name was changed since, or may have been
   */
  public void check(String what, String name, long seen, ClusterState state) {
    begin(state);
    Changes known = changes.get(name);
    if (seen < (known == null ? floor : known.version)) {
      throw stale(
          new OpenSearchStatusException(
              "{} [{}]: it was changed after this request was sent; send the request again",
              RestStatus.CONFLICT,
              what,
              name));
    }
  }

  /**
   * Marks an exception as stale: the name was changed after the request was sent. Returns the
   * exception.
   */
  public static <E extends OpenSearchException> E stale(E failure) {
    failure.addMetadata(REFUSED, STALE);
    return failure;
  }

  /**
   * Marks an exception as temporary: the cause is not the state of the name but, for example, a
   * limit, so a delayed copy of the request may still make the change. Returns the exception.
   */
  public static <E extends OpenSearchException> E forNow(E failure) {
    failure.addMetadata(REFUSED, FOR_NOW);
    return failure;
  }

  /**
   * Marks an exception as refused, unless it has a mark already: the cluster state does not allow
   * the change. Returns the exception.
   */
  public static <E extends OpenSearchException> E refuse(E failure) {
    if (failure.getMetadata(REFUSED) == null) {
      failure.addMetadata(REFUSED, NOT_ALLOWED);
    }
    return failure;
  }

  /**
   * Records a change; called when it is part of the cluster state.
   *
   * @param request the identifier of the request that made it
   */
  public void changed(String name, String request, ClusterState before, ClusterState now) {
    Changes known = note(name, now);
    if (!known.requests.contains(request)) {
      known.requests.add(request);
    }
    if (known.requests.size() > MAX_REQUESTS) {
      known.requests.remove();
    }
    ModelsMetadata old = ModelsMetadata.of(before);
    ModelsMetadata models = ModelsMetadata.of(now);
    for (String alias : old.aliases().keySet()) {
      // The aliases of a deleted model may be deleted with it.
      if (!Objects.equals(old.aliases().get(alias), models.aliases().get(alias))) {
        note(alias, now);
      }
    }
  }

  private Changes note(String name, ClusterState now) {
    Changes known = changes.computeIfAbsent(name, unknown -> new Changes());
    known.version = now.version();
    if (now.metadata().hasIndex(ModelIndex.NAME) && !CatalogueKeeper.isSynchronized(now)) {
      newerThanIndex.add(name);
    }
    return known;
  }

  /**
   * Returns whether a name was changed while the index was restored and not yet added to the
   * cluster state; then the index has older data for it.
   */
  boolean isNewerThanIndex(String name) {
    return newerThanIndex.contains(name);
  }

  /**
   * Clears the names of {@link #isNewerThanIndex}; called when the cluster state contains the data
   * of its index again.
   */
  void indexImported() {
    newerThanIndex.clear();
  }

  /** Returns whether a failure was marked by {@link #stale}, on this node or on another one. */
  public static boolean isStale(Exception failure) {
    return isMarked(failure, STALE);
  }

  /**
   * Returns whether a failure was marked by {@link #refuse}, on this node or on another one: the
   * change was not made and never will be. For any other failure it is unknown whether the change
   * took place.
   */
  public static boolean isRefused(Exception failure) {
    return isMarked(failure, NOT_ALLOWED);
  }

  /** Returns whether a failure was marked by {@link #forNow}: a repeated request may succeed. */
  public static boolean isForNow(Exception failure) {
    return isMarked(failure, FOR_NOW);
  }

  private static boolean isMarked(Exception failure, String mark) {
    return ExceptionsHelper.unwrapCause(failure) instanceof OpenSearchException refusal
        && List.of(mark).equals(refusal.getMetadata(REFUSED));
  }
}
