// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.model.ResourceNames;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.lucene.util.SetOnce;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.action.support.TransportAction;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.common.inject.Inject;
import org.opensearch.common.lifecycle.AbstractLifecycleComponent;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportService;

/**
 * Asks, before a search uses a model or a feature set, whether its user may. The question is an
 * action whose name ends with the name that the search gives, {@code
 * cluster:admin/quickscorer/model/use/NAME}: it does nothing, but the node's action filters see it
 * as they see any other, and so grant and refuse it by names and patterns of names. Safe for use by
 * several threads.
 */
public final class UseRights {
  private final BooleanSupplier byName;
  private final SetOnce<Wiring> wiring = new SetOnce<>();

  /** The kinds of things that are used. */
  public enum Kind {
    MODEL("model"),
    FEATURE_SET("feature_set");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** The action that uses that one. */
    String action(String name) {
      return "cluster:admin/quickscorer/" + label + "/use/" + name;
    }
  }

  /**
   * @param byName whether anything is asked at all; otherwise everybody may use everything
   */
  public UseRights(BooleanSupplier byName) {
    this.byName = byName;
  }

  /**
   * Answers if the caller may use all of these.
   *
   * @param names as the request gives them, aliases too
   * @param missing the failure where there is none of a name. A name that the caller may not use
   *     fails in the same way, whatever there is of it
   */
  public void check(
      Kind kind,
      List<String> names,
      Function<String, ? extends Exception> missing,
      ActionListener<Void> listener) {
    if (byName.getAsBoolean()) {
      Sequence.each(names.iterator(), (name, next) -> check(kind, name, missing, next), listener);
    } else {
      listener.onResponse(null);
    }
  }

  private void check(
      Kind kind,
      String name,
      Function<String, ? extends Exception> missing,
      ActionListener<Void> listener) {
    if (!ResourceNames.isValid(name)) {
      // There is none of that name, and it would make no sense in the name of an action.
      listener.onFailure(missing.apply(name));
      return;
    }
    Wiring wired = wiring.get();
    new Use(kind.action(name), wired.filters, wired.transport)
        .execute(
            new ValueRequest<>(name),
            ContextPreservingActionListener.wrapPreservingContext(
                ActionListener.wrap(
                    granted -> listener.onResponse(null),
                    refused ->
                        listener.onFailure(
                            ExceptionsHelper.status(ExceptionsHelper.unwrapCause(refused))
                                    == RestStatus.FORBIDDEN
                                ? missing.apply(name)
                                : refused)),
                wired.transport.getThreadPool().getThreadContext()));
  }

  /** Runs on the node that asks, and is known to no other; all there is to it are the filters. */
  private static final class Use
      extends TransportAction<ValueRequest<String>, AcknowledgedResponse> {
    Use(String action, ActionFilters filters, TransportService transport) {
      super(action, filters, transport.getTaskManager());
    }

    @Override
    protected void doExecute(
        Task task, ValueRequest<String> request, ActionListener<AcknowledgedResponse> listener) {
      listener.onResponse(new AcknowledgedResponse(true));
    }
  }

  /**
   * A server makes its action filters known to what it injects, and to nothing else of a plugin.
   */
  public static final class Wiring extends AbstractLifecycleComponent {
    private final ActionFilters filters;
    private final TransportService transport;

    @Inject
    public Wiring(UseRights rights, ActionFilters filters, TransportService transport) {
      this.filters = filters;
      this.transport = transport;
      rights.wiring.set(this);
    }

    @Override
    protected void doStart() {}

    @Override
    protected void doStop() {}

    @Override
    protected void doClose() {}
  }
}
