// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest.cat;

import io.quickscorer.plugin.rest.Routes;
import java.util.List;
import java.util.function.Function;
import org.opensearch.common.Table;
import org.opensearch.core.action.ActionListener;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.rest.action.cat.AbstractCatAction;
import org.opensearch.rest.action.cat.RestTable;

/** A table as the server's own {@code _cat} shows them: {@code v, h, s, help, format}. */
abstract class CatAction extends AbstractCatAction {
  private final String things;

  /**
   * @param things what is listed, as its path has it
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

  /** A column that is shown unless others are asked for. */
  static void column(Table table, String name, String alias, String description) {
    table.addCell(name, "alias:" + alias + ";desc:" + description);
  }

  /** Likewise, of numbers. */
  static void number(Table table, String name, String alias, String description) {
    table.addCell(name, "alias:" + alias + ";text-align:right;desc:" + description);
  }

  /** A column of numbers that is shown only where it is asked for. */
  static void hiddenNumber(Table table, String name, String alias, String description) {
    table.addCell(name, "alias:" + alias + ";default:false;text-align:right;desc:" + description);
  }

  /** Answers with the table that is made of a response. */
  static <R> ActionListener<R> answer(RestChannel channel, Function<R, Table> table) {
    return new RestResponseListener<>(channel) {
      @Override
      public RestResponse buildResponse(R response) throws Exception {
        return RestTable.buildResponse(table.apply(response), channel);
      }
    };
  }
}
