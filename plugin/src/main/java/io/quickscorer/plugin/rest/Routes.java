// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.ListRequest;
import java.util.List;
import org.opensearch.rest.RestHandler.Route;
import org.opensearch.rest.RestRequest;

/** Where the handlers are. */
public final class Routes {
  /** What all paths begin with. */
  public static final String BASE = "/_plugins/_quickscorer/";

  static final String FEATURE_SETS = BASE + "feature_sets";
  static final String FEATURE_SET = FEATURE_SETS + "/{name}";
  static final String MODELS = BASE + "models";
  static final String MODEL = MODELS + "/{name}";
  static final String ALIASES = BASE + "aliases";
  static final String ALIAS = ALIASES + "/{name}";
  static final String COMPARISONS = BASE + "comparisons";
  static final String PAGE = BASE + "ui";
  static final String EXPORT = BASE + "_export";
  static final String IMPORT = BASE + "_import";
  static final String READY = BASE + "ready";
  static final String NODE_READY = BASE + "{node_id}/ready";
  static final String STATS = BASE + "stats";
  static final String NODE_STATS = BASE + "{node_id}/stats";

  private Routes() {}

  static List<Route> of(RestRequest.Method method, String path) {
    return List.of(new Route(method, path));
  }

  /** What {@code GET things}, {@code GET things/{name}} and their parameters ask for. */
  public static ListRequest list(RestRequest request) {
    return new ListRequest(
        request.param("name", ""),
        request.param("prefix", ""),
        request.paramAsInt("from", 0),
        request.paramAsInt("size", ListRequest.ALL));
  }

  /**
   * Whether nothing of the name may be there already: {@code op_type=create}.
   *
   * @throws IllegalArgumentException if it is neither that nor {@code index}
   */
  static boolean create(RestRequest request) {
    return switch (request.param("op_type", "index")) {
      case "create" -> true;
      case "index" -> false;
      default -> throw new IllegalArgumentException("op_type: expected index or create");
    };
  }
}
