// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action;

import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.InjectedComponent;
import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.model.ResourceNames;
import java.util.List;
import java.util.function.Function;
import org.apache.lucene.util.SetOnce;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.transport.TransportService;

/**
 * Checks whether the user of a search may use a model or a feature set. For this, it runs an action
 * that does nothing, such as {@code cluster:admin/quickscorer/model/use/NAME}. If the user lacks
 * the permission, an action filter of the server, such as the security plugin's, forbids the
 * action. Safe for use by several threads.
 */
public final class UseRights {
  private volatile boolean byName;
  private final SetOnce<Wiring> wiring = new SetOnce<>();

  /** The kinds of objects whose use is checked: models and feature sets. */
  public enum Kind {
    MODEL("model"),
    FEATURE_SET("feature_set");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /**
     * Returns the name of the action that a user must be permitted to run to use a model or feature
     * set.
     *
     * @param name the name of the model or feature set
     */
    String action(String name) {
      return "cluster:admin/quickscorer/" + label + "/use/" + name;
    }
  }

  /**
   * Creates the node's instance.
   *
   * @param byName whether the rights of users are checked for each name of a model or feature set.
   *     If false, all users may use all models and feature sets
   */
  public UseRights(boolean byName) {
    this.byName = byName;
  }

  /** Sets whether the rights of users are checked for each name of a model or feature set. */
  public void setByName(boolean byName) {
    this.byName = byName;
  }

  /**
   * Checks whether the caller may use models or feature sets. Calls the listener with success if
   * all are allowed, otherwise with a failure.
   *
   * @param names the names in the request, which may be aliases
   * @param missing creates the exception for a name that does not exist; the listener also gets it
   *     for a name that is not allowed, so that users cannot find out whether the name exists
   */
  public void check(
      Kind kind,
      List<String> names,
      Function<String, ? extends Exception> missing,
      ActionListener<Void> listener) {
    if (byName) {
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
      // An invalid name cannot be the name of a resource, and cannot be part of an action's name.
      listener.onFailure(missing.apply(name));
      return;
    }
    Wiring wired = wiring.get();
    // The action does nothing and is not registered. It runs so that the filters are called.
    PluginAction.<String, String>local(kind.action(name))
        .handler(wired.transport, wired.filters, (task, request, l) -> l.onResponse(request))
        .execute(
            new ValueRequest<>(name),
            Guard.listener(
                () -> "the check of the right to use [" + name + "]",
                ContextPreservingActionListener.wrapPreservingContext(
                    ActionListener.wrap(
                        granted -> listener.onResponse(null),
                        refused ->
                            listener.onFailure(
                                ExceptionsHelper.status(ExceptionsHelper.unwrapCause(refused))
                                        == RestStatus.FORBIDDEN
                                    ? missing.apply(name)
                                    : refused)),
                    wired.transport.getThreadPool().getThreadContext())));
  }

  /**
   * Receives the server's action filters (objects that can forbid actions). The server passes them
   * only by dependency injection.
   */
  public static final class Wiring extends InjectedComponent {
    private final ActionFilters filters;
    private final TransportService transport;

    @Inject
    public Wiring(UseRights rights, ActionFilters filters, TransportService transport) {
      this.filters = filters;
      this.transport = transport;
      rights.wiring.set(this);
    }
  }
}
