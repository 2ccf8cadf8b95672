// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.RecentRequests;
import io.quickscorer.plugin.model.RecentRequests.Entry;
import io.quickscorer.plugin.model.RecentRequests.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.ClusterState;
import org.opensearch.core.rest.RestStatus;

/**
 * Ensures that each request that changes a model or an alias is carried out at most once, and that
 * all copies of a request get the same answer.
 *
 * <p>If the network is interrupted, a copy of a request may arrive long after its sender gave up,
 * got an answer or sent it again. Therefore the cluster state contains the {@linkplain
 * RecentRequests latest requests}, also the refused ones. Each request contains the version of its
 * sender's cluster state; it is refused if its model or alias was changed after that version.
 *
 * <p>Safe for use by several threads.
 */
public final class ChangeFence {
  /** Metadata key of an exception: why the cluster manager refused the change; users see it. */
  private static final String REFUSED = "opensearch.quickscorer_refused";

  private static final String STALE = "stale";
  private static final String NOT_ALLOWED = "not_allowed";
  private static final String FOR_NOW = "for_now";

  private ChangeFence() {}

  /**
   * Returns the recorded request if a copy of it was carried out or refused before, otherwise null.
   *
   * @param id the identifier of the request
   * @param seen the version of the sender's cluster state
   * @throws OpenSearchStatusException (503) if it is unknown whether there was a copy
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
   * Checks that a name was not changed since a request for it was sent.
   *
   * @param seen the version of the sender's cluster state
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

  /** Marks an exception as stale (the name was changed after the request) and returns it. */
  private static <E extends OpenSearchException> E stale(E failure) {
    failure.addMetadata(REFUSED, STALE);
    return failure;
  }

  /**
   * Marks an exception as temporary, such as one for a limit, so that another request may succeed.
   * Returns the exception.
   */
  public static <E extends OpenSearchException> E forNow(E failure) {
    failure.addMetadata(REFUSED, FOR_NOW);
    return failure;
  }

  /** Marks an exception, unless it has a mark: the change is not allowed. Returns it. */
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

  /** Converts a refusal back to a marked exception, for another copy of the request. */
  public static OpenSearchException failure(Refusal refusal) {
    OpenSearchException failure =
        new OpenSearchStatusException(refusal.message(), RestStatus.fromCode(refusal.status()));
    failure.addMetadata(REFUSED, refusal.kind());
    return failure;
  }

  /** Returns whether any node marked an exception as stale, as {@link #stale} does. */
  public static boolean isStale(Exception failure) {
    return STALE.equals(mark(failure));
  }

  /**
   * Returns whether this class marked a failure on any node. Then the change was not made, and no
   * copy of its request can make it. For other failures this is unknown.
   */
  public static boolean isRefused(Exception failure) {
    return mark(failure) != null;
  }

  /** Returns whether any node marked a failure as temporary, as {@link #forNow} does. */
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
