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
 * Ensures that a request to change a model or an alias is carried out at most once. All copies of a
 * request get equal answers.
 *
 * <p>If the network is interrupted, a copy of a request may arrive late: its sender may have
 * stopped waiting, received an answer, or sent the request again. Therefore the cluster state
 * contains the {@linkplain RecentRequests latest requests}, also the refused ones. Each request
 * contains the version of its sender's cluster state. The request is refused if its model or alias
 * was changed after that version.
 *
 * <p>Safe for use by several threads.
 */
public final class ChangeFence {
  /** Metadata field of an exception with the kind of a refusal; users see it in the response. */
  private static final String REFUSED = "opensearch.quickscorer_refused";

  private static final String STALE = "stale";
  private static final String NOT_ALLOWED = "not_allowed";
  private static final String FOR_NOW = "for_now";

  private ChangeFence() {}

  /**
   * Returns the record of an earlier copy of a request, which was carried out or refused; null if
   * there was no copy.
   *
   * @param what the kind of the changed object, for messages
   * @param name the name of the changed model or alias
   * @param id the identifier of the request
   * @param seen the version of the sender's cluster state
   * @throws OpenSearchStatusException (503) if it is unknown whether there was a copy
   */
  public static @Nullable Entry find(
      String what, String name, String id, long seen, ClusterState state) {
    RecentRequests requests = ModelsMetadata.of(state).requests();
    if (!requests.isComplete(seen, state)) {
      throw new OpenSearchStatusException(
          "{} [{}]: it is not known whether this request was carried out, because it is too old;"
              + " read the current state before you send it again",
          RestStatus.SERVICE_UNAVAILABLE,
          what,
          name);
    }
    return requests.get(id);
  }

  /**
   * Checks that a model or alias was not changed after the request to change it was sent.
   *
   * @param what the kind of the object, for messages
   * @param seen the version of the sender's cluster state
   * @throws OpenSearchStatusException (409) if it was changed after this version
   */
  public static void check(String what, String name, long seen, ClusterState state) {
    if (ModelsMetadata.of(state).requests().isChanged(name, seen)) {
      throw stale(
          new OpenSearchStatusException(
              "{} [{}] was changed after this request was sent; send the request again",
              RestStatus.CONFLICT,
              what,
              name));
    }
  }

  /**
   * Marks an exception as a refusal: the model or alias was changed after the request was sent.
   * Returns the exception.
   */
  private static <E extends OpenSearchException> E stale(E failure) {
    failure.addMetadata(REFUSED, STALE);
    return failure;
  }

  /**
   * Marks a refusal as temporary: the same change may be allowed later, for example when fewer
   * models exist. Returns the exception.
   */
  public static <E extends OpenSearchException> E forNow(E failure) {
    failure.addMetadata(REFUSED, FOR_NOW);
    return failure;
  }

  /**
   * Marks an exception as a refusal: the change is not allowed. Does not replace an existing mark.
   * Returns the exception.
   */
  public static <E extends OpenSearchException> E refuse(E failure) {
    if (failure.getMetadata(REFUSED) == null) {
      failure.addMetadata(REFUSED, NOT_ALLOWED);
    }
    return failure;
  }

  /** Converts a marked exception to a record for the cluster state. */
  public static Refusal refusal(OpenSearchException failure) {
    return new Refusal(
        failure.status().getStatus(),
        failure.getMetadata(REFUSED).getFirst(),
        String.valueOf(failure.getMessage()));
  }

  /** Converts a recorded refusal back to a marked exception, to answer a copy of the request. */
  public static OpenSearchException failure(Refusal refusal) {
    OpenSearchException failure =
        new OpenSearchStatusException(refusal.message(), RestStatus.fromCode(refusal.status()));
    failure.addMetadata(REFUSED, refusal.kind());
    return failure;
  }

  /**
   * Returns whether a request was refused because its model or alias was changed after the request
   * was sent. The exception may come from another node.
   */
  public static boolean isStale(Exception failure) {
    return STALE.equals(mark(failure));
  }

  /**
   * Returns whether this class marked an exception, possibly on another node. A mark says that the
   * change was not made, and that no copy of its request will make it later. Without a mark, it is
   * unknown whether the change was made.
   */
  public static boolean isRefused(Exception failure) {
    return mark(failure) != null;
  }

  /**
   * Returns whether a request was refused only for now, as {@link #forNow} describes. The exception
   * may come from another node.
   */
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
