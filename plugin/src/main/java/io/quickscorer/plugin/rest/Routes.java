// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import io.quickscorer.plugin.action.ListRequest;
import org.opensearch.rest.RestRequest;

/** The paths of the endpoints. */
final class Routes {
  static final String ROOT = "/_plugins/_quickscorer";

  /** The prefix of the paths of all endpoints. */
  public static final String BASE = ROOT + "/";

  static final String FEATURE_SETS = BASE + "feature_sets";
  static final String FEATURE_SET = FEATURE_SETS + "/{name}";
  static final String MODELS = BASE + "models";
  static final String MODEL = MODELS + "/{name}";
  static final String ALIASES = BASE + "aliases";
  static final String ALIAS = ALIASES + "/{name}";
  static final String COMPARISONS = BASE + "comparisons";
  static final String EXPERIMENT = COMPARISONS + "/{experiment}";
  static final String PAGE = BASE + "ui";
  static final String EXPORT = BASE + "_export";
  static final String IMPORT = BASE + "_import";
  static final String READY = BASE + "ready";
  static final String NODE_READY = BASE + "{node_id}/ready";
  static final String STATS = BASE + "stats";
  static final String NODE_STATS = BASE + "{node_id}/stats";

  private Routes() {}

  /** Reads the parameters of a request {@code GET things} or {@code GET things/{name}}. */
  public static ListRequest list(RestRequest request) {
    return new ListRequest(
        request.param("name", ""),
        request.param("prefix", ""),
        request.paramAsInt("from", 0),
        request.paramAsInt("size", ListRequest.ALL));
  }
}
