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
 * <p>If the network was interrupted, a request may arrive long after its sender gave it up and sent
 * it again. So each request has the version of its sender's cluster state. It is refused if the
 * name was changed since that version, or may have been changed, because another manager was
 * elected since. A change that took place, but whose response was lost, is not repeated.
 *
 * <p>One object for all names, of models and aliases. Used by the thread that changes the cluster
 * state; only its static methods are used by others.
 */
public final class ChangeFence {
  /**
   * Key in the metadata of a failure, which users see, for the reason why the manager did not make
   * the change.
   */
  private static final String REFUSED = "opensearch.quickscorer_refused";

  private static final String STALE = "stale";
  private static final String NOT_ALLOWED = "not_allowed";
  private static final String FOR_NOW = "for_now";

  /** Names whose changes are remembered one by one. */
  private static final int MAX_NAMES = 10_000;

  /** Requests of one name that are remembered. */
  private static final int MAX_REQUESTS = 16;

  private static final class Changes {
    private long version;
    private final Deque<String> requests = new ArrayDeque<>();
  }

  private final Map<String, Changes> changes = new HashMap<>();
  private final Set<String> outOfStep = new HashSet<>();
  private long term = -1;
  private long floor;

  private void begin(ClusterState state) {
    if (state.term() != term) {
      term = state.term();
      outOfStep.clear();
    } else if (changes.size() <= MAX_NAMES) {
      return;
    }
    floor = state.version();
    changes.clear();
  }

  /**
   * Returns whether a request was carried out before. Called before a change, and before {@link
   * #check}.
   *
   * @param request its identifier
   */
  public boolean isDone(String name, String request, ClusterState state) {
    begin(state);
    Changes known = changes.get(name);
    return known != null && known.requests.contains(request);
  }

  /**
   * Checks that a change is not too late; called before the change.
   *
   * @param seen the version of the cluster state that the sender had
   * @throws OpenSearchStatusException (409) if the name may have been changed since
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

  /** Marks the failure of a request that came too late. */
  public static <E extends OpenSearchException> E stale(E failure) {
    failure.addMetadata(REFUSED, STALE);
    return failure;
  }

  /**
   * Marks the failure of a change that a copy of the same request, which the network holds up, may
   * still make: what is in its way has nothing to do with its name.
   */
  public static <E extends OpenSearchException> E forNow(E failure) {
    failure.addMetadata(REFUSED, FOR_NOW);
    return failure;
  }

  /** Marks the failure of a change that the state does not allow, unless it is marked. */
  public static <E extends OpenSearchException> E refuse(E failure) {
    if (failure.getMetadata(REFUSED) == null) {
      failure.addMetadata(REFUSED, NOT_ALLOWED);
    }
    return failure;
  }

  /**
   * Records a change; called when it is part of the cluster state.
   *
   * @param request identifier of its request
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
      // With a model its aliases may go.
      if (!Objects.equals(old.aliases().get(alias), models.aliases().get(alias))) {
        note(alias, now);
      }
    }
  }

  private Changes note(String name, ClusterState now) {
    Changes known = changes.computeIfAbsent(name, unknown -> new Changes());
    known.version = now.version();
    if (now.metadata().hasIndex(ModelIndex.NAME) && !CatalogueKeeper.isInStep(now)) {
      outOfStep.add(name);
    }
    return known;
  }

  /**
   * Returns whether the name was changed after the state was last in step with its index. Then the
   * data of the index is older.
   */
  boolean isChangedOutOfStep(String name) {
    return outOfStep.contains(name);
  }

  /** Clears these names; called when the state is in step with its index again. */
  void inStep() {
    outOfStep.clear();
  }

  /** Returns whether a request was refused as too late, here or on another node. */
  public static boolean isStale(Exception failure) {
    return isMarked(failure, STALE);
  }

  /**
   * Returns whether a change was refused because of the cluster state, here or on another node: it
   * did not take place, and will not. For any other failure it is unknown whether the change took
   * place.
   */
  public static boolean isRefused(Exception failure) {
    return isMarked(failure, NOT_ALLOWED);
  }

  /** Returns whether a change was refused for a reason that may not apply to a repeated request. */
  public static boolean isForNow(Exception failure) {
    return isMarked(failure, FOR_NOW);
  }

  private static boolean isMarked(Exception failure, String mark) {
    return ExceptionsHelper.unwrapCause(failure) instanceof OpenSearchException refusal
        && List.of(mark).equals(refusal.getMetadata(REFUSED));
  }
}
