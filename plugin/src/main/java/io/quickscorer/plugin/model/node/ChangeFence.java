// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.RecentRequests;
import io.quickscorer.plugin.model.RecentRequests.Entry;
import io.quickscorer.plugin.model.RecentRequests.Refusal;
import io.quickscorer.plugin.model.store.ModelIndex;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.ClusterState;
import org.opensearch.core.rest.RestStatus;

/**
 * Ensures that each request that changes a model or an alias is carried out at most once, and that
 * each copy of a request gets the same answer.
 *
 * <p>After an interruption of the network, a copy of a request may arrive long after its sender has
 * given up, was answered, or has sent it again. Therefore the cluster state contains the
 * {@linkplain RecentRequests latest requests}, also those that were refused, and each request
 * contains the version of its sender's cluster state. A request is refused if the name of its model
 * or alias was changed after that version.
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

  private final Set<String> newerThanIndex = new HashSet<>();
  private long term = -1;

  /**
   * Returns the recorded request if a copy of a request was already carried out or refused,
   * otherwise null. Called before the change.
   *
   * @param id the identifier of the request
   * @param seen the version of the cluster state that the sender had
   * @throws OpenSearchStatusException (503) if it is unknown whether a copy was carried out or
   *     refused
   */
  public static @Nullable Entry find(
      String what, String name, String id, long seen, ClusterState state) {
    RecentRequests requests = ModelsMetadata.of(state).requests();
    if (!requests.isComplete(seen, state)) {
      throw new OpenSearchStatusException(
          "{} [{}]: this request is too old to tell whether it was carried out; read the current"
              + " state before you send it again",
          RestStatus.SERVICE_UNAVAILABLE,
          what,
          name);
    }
    return requests.get(id);
  }

  /**
   * Checks that a name was not changed since its request was sent; called before the change.
   *
   * @param seen the version of the cluster state that the sender had
   * @throws OpenSearchStatusException (409) if the name was changed since
   */
  public static void check(String what, String name, long seen, ClusterState state) {
    if (ModelsMetadata.of(state).requests().isChanged(name, seen)) {
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
  private static <E extends OpenSearchException> E stale(E failure) {
    failure.addMetadata(REFUSED, STALE);
    return failure;
  }

  /**
   * Marks an exception as temporary: the cause is not the state of the name but, for example, a
   * limit, so another request may succeed. Returns the exception.
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

  /** Converts a marked exception to the form in which the cluster state contains it. */
  public static Refusal refusal(OpenSearchException failure) {
    return new Refusal(
        failure.status().getStatus(),
        failure.getMetadata(REFUSED).getFirst(),
        String.valueOf(failure.getMessage()));
  }

  /**
   * Converts a refusal back to an exception with its mark, to throw it for another copy of the
   * request.
   */
  public static OpenSearchException failure(Refusal refusal) {
    OpenSearchException failure =
        new OpenSearchStatusException(refusal.message(), RestStatus.fromCode(refusal.status()));
    failure.addMetadata(REFUSED, refusal.kind());
    return failure;
  }

  /**
   * Records the names that a request has changed. Called when the change is part of the cluster
   * state.
   */
  public void changed(Entry request, ClusterState now) {
    if (now.term() != term) {
      term = now.term();
      newerThanIndex.clear();
    }
    if (now.metadata().hasIndex(ModelIndex.NAME) && !CatalogueKeeper.isSynchronized(now)) {
      newerThanIndex.addAll(request.names());
    }
  }

  /**
   * Returns whether a name was changed after the index was restored, but before the index's data
   * was added to the cluster state. The index then has older data for this name.
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

  /** Returns whether an exception was marked by {@link #stale}, on this node or on another one. */
  public static boolean isStale(Exception failure) {
    return STALE.equals(mark(failure));
  }

  /**
   * Returns whether a failure was marked by a method of this class, on this node or on another one:
   * the change was not made, and no copy of its request can make it. For any other failure it is
   * unknown whether the change took place.
   */
  public static boolean isRefused(Exception failure) {
    return mark(failure) != null;
  }

  /** Returns whether a failure was marked by {@link #forNow}: another request may succeed. */
  public static boolean isForNow(Exception failure) {
    return FOR_NOW.equals(mark(failure));
  }

  private static @Nullable String mark(Exception failure) {
    List<String> marks =
        ExceptionsHelper.unwrapCause(failure) instanceof OpenSearchException refusal
            ? refusal.getMetadata(REFUSED)
            : null;
    return marks == null ? null : marks.getFirst();
  }
}
