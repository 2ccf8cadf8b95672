// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.rest.RestComparisonsAction;
import io.quickscorer.plugin.rest.RestDeleteAliasAction;
import io.quickscorer.plugin.rest.RestDeleteFeatureSetAction;
import io.quickscorer.plugin.rest.RestDeleteModelAction;
import io.quickscorer.plugin.rest.RestDriftAction;
import io.quickscorer.plugin.rest.RestExportAction;
import io.quickscorer.plugin.rest.RestGetAliasesAction;
import io.quickscorer.plugin.rest.RestGetFeatureSetsAction;
import io.quickscorer.plugin.rest.RestGetModelsAction;
import io.quickscorer.plugin.rest.RestImportAction;
import io.quickscorer.plugin.rest.RestImportanceAction;
import io.quickscorer.plugin.rest.RestLogAction;
import io.quickscorer.plugin.rest.RestModelFileAction;
import io.quickscorer.plugin.rest.RestPageAction;
import io.quickscorer.plugin.rest.RestPutAliasAction;
import io.quickscorer.plugin.rest.RestPutFeatureSetAction;
import io.quickscorer.plugin.rest.RestPutModelAction;
import io.quickscorer.plugin.rest.RestReadyAction;
import io.quickscorer.plugin.rest.RestRepairModelsAction;
import io.quickscorer.plugin.rest.RestStatsAction;
import io.quickscorer.plugin.rest.RestValidateAction;
import io.quickscorer.plugin.rest.cat.CatAliasesAction;
import io.quickscorer.plugin.rest.cat.CatFeatureSetsAction;
import io.quickscorer.plugin.rest.cat.CatModelsAction;
import io.quickscorer.plugin.rest.cat.PrometheusAction;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.rest.RestHandler;

/** All REST handlers. */
final class RestHandlers {
  private RestHandlers() {}

  /**
   * @param memory what the bodies of requests are charged to; first asked at the first request
   */
  static List<RestHandler> all(Supplier<RequestMemory> memory) {
    return List.of(
        new RestPutFeatureSetAction(),
        new RestGetFeatureSetsAction(),
        new RestDeleteFeatureSetAction(),
        new RestPutModelAction(),
        new RestGetModelsAction(),
        new RestDeleteModelAction(),
        new RestRepairModelsAction(),
        new RestDeleteAliasAction(),
        new RestGetAliasesAction(),
        new RestImportanceAction(),
        new RestPutAliasAction(memory),
        new RestComparisonsAction(memory),
        new RestLogAction(),
        new RestValidateAction(),
        new RestDriftAction(),
        new RestImportAction(),
        new RestPageAction(),
        new RestModelFileAction(),
        new RestExportAction(),
        new RestReadyAction(),
        new PrometheusAction(),
        new CatModelsAction(),
        new CatAliasesAction(),
        new CatFeatureSetsAction(),
        new RestStatsAction());
  }
}
