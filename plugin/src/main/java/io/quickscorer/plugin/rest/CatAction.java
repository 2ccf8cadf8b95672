// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.ListRequest;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import java.util.List;
import org.opensearch.common.Table;
import org.opensearch.core.action.ActionListener;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.rest.action.cat.AbstractCatAction;
import org.opensearch.rest.action.cat.RestTable;
import org.opensearch.transport.client.node.NodeClient;

/**
 * An endpoint that returns a table for people, with the parameters of the server's {@code _cat}
 * endpoints: {@code v, h, s, help, format}.
 *
 * @param <R> the type of the data from which the rows are made
 */
abstract class CatAction<R> extends AbstractCatAction {
  private final String things;

  /**
   * @param things the name of the items in the path of the table, such as {@code models}
   */
  CatAction(String things) {
    this.things = things;
  }

  @Override
  public final String getName() {
    return "quickscorer_cat_" + things;
  }

  @Override
  public final List<Route> routes() {
    String path = Routes.BASE + "_cat/" + things;
    return List.of(
        new Route(RestRequest.Method.GET, path),
        new Route(RestRequest.Method.GET, path + "/{name}"));
  }

  @Override
  protected final void documentation(StringBuilder all) {
    String path = Routes.BASE + "_cat/" + things;
    all.append(path).append('\n').append(path).append("/{name}\n");
  }

  /** Returns the request that lists the items of the table. */
  ListRequest list(RestRequest request) {
    return Routes.list(request);
  }

  abstract void addColumns(Table table);

  /** Requests the data from which the rows are made. */
  abstract void fetch(ListRequest list, GuardedClient client, ActionListener<R> listener);

  abstract void addRows(Table table, R response);

  @Override
  protected final Table getTableWithHeader(RestRequest request) {
    Table table = new Table().startHeaders();
    addColumns(table);
    return table.endHeaders();
  }

  @Override
  protected final RestChannelConsumer doCatRequest(RestRequest request, NodeClient client) {
    ListRequest list = list(request);
    return channel ->
        Guard.run(
            request::path,
            () ->
                fetch(
                    list,
                    new GuardedClient(client),
                    new RestResponseListener<>(channel) {
                      @Override
                      public RestResponse buildResponse(R response) throws Exception {
                        Table table = getTableWithHeader(request);
                        addRows(table, response);
                        try {
                          return RestTable.buildResponse(table, channel);
                        } catch (UnsupportedOperationException e) {
                          // The table has no column with the name in parameter s.
                          throw new IllegalArgumentException(e.getMessage(), e);
                        }
                      }
                    }));
  }

  /** Adds a column that the table shows by default. */
  static void column(Table table, String name, String alias, String description) {
    table.addCell(name, "alias:" + alias + ";desc:" + description);
  }

  /** Adds a column of numbers that the table shows by default. */
  static void number(Table table, String name, String alias, String description) {
    table.addCell(name, "alias:" + alias + ";text-align:right;desc:" + description);
  }

  /** Adds a column of numbers that the table shows only if the request selects it. */
  static void hiddenNumber(Table table, String name, String description) {
    table.addCell(name, "default:false;text-align:right;desc:" + description);
  }
}
