// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.TransportShowPageAction;
import io.quickscorer.plugin.action.resource.TransportActivateAliasAction;
import io.quickscorer.plugin.action.resource.TransportActivateModelAction;
import io.quickscorer.plugin.action.resource.TransportDeleteAliasAction;
import io.quickscorer.plugin.action.resource.TransportDeleteFeatureSetAction;
import io.quickscorer.plugin.action.resource.TransportDeleteModelAction;
import io.quickscorer.plugin.action.resource.TransportExportAction;
import io.quickscorer.plugin.action.resource.TransportGetAliasesAction;
import io.quickscorer.plugin.action.resource.TransportGetFeatureSetsAction;
import io.quickscorer.plugin.action.resource.TransportGetModelsAction;
import io.quickscorer.plugin.action.resource.TransportImportAction;
import io.quickscorer.plugin.action.resource.TransportImportAllAction;
import io.quickscorer.plugin.action.resource.TransportLoadModelAction;
import io.quickscorer.plugin.action.resource.TransportModelFileAction;
import io.quickscorer.plugin.action.resource.TransportPutAliasAction;
import io.quickscorer.plugin.action.resource.TransportPutFeatureSetAction;
import io.quickscorer.plugin.action.resource.TransportPutModelAction;
import io.quickscorer.plugin.export.TransportLogAction;
import io.quickscorer.plugin.export.TransportValidateAction;
import io.quickscorer.plugin.stats.TransportDriftAction;
import io.quickscorer.plugin.stats.TransportGetComparisonsAction;
import io.quickscorer.plugin.stats.TransportImportanceAction;
import io.quickscorer.plugin.stats.TransportReadyAction;
import io.quickscorer.plugin.stats.TransportResetComparisonsAction;
import io.quickscorer.plugin.stats.TransportStatsAction;
import java.util.List;
import org.opensearch.action.ActionRequest;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.plugins.ActionPlugin.ActionHandler;

/** The table of all transport actions, each with the class that runs it. */
final class TransportActions {
  private TransportActions() {}

  static List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> all() {
    return List.of(
        new ActionHandler<>(
            TransportPutFeatureSetAction.ACTION, TransportPutFeatureSetAction.class),
        new ActionHandler<>(
            TransportGetFeatureSetsAction.ACTION, TransportGetFeatureSetsAction.class),
        new ActionHandler<>(
            TransportDeleteFeatureSetAction.ACTION, TransportDeleteFeatureSetAction.class),
        new ActionHandler<>(TransportPutModelAction.ACTION, TransportPutModelAction.class),
        new ActionHandler<>(TransportLoadModelAction.ACTION, TransportLoadModelAction.class),
        new ActionHandler<>(
            TransportActivateModelAction.ACTION, TransportActivateModelAction.class),
        new ActionHandler<>(TransportGetModelsAction.ACTION, TransportGetModelsAction.class),
        new ActionHandler<>(TransportDeleteModelAction.ACTION, TransportDeleteModelAction.class),
        new ActionHandler<>(TransportDeleteAliasAction.ACTION, TransportDeleteAliasAction.class),
        new ActionHandler<>(TransportGetAliasesAction.ACTION, TransportGetAliasesAction.class),
        new ActionHandler<>(TransportImportanceAction.ACTION, TransportImportanceAction.class),
        new ActionHandler<>(
            TransportActivateAliasAction.ACTION, TransportActivateAliasAction.class),
        new ActionHandler<>(TransportPutAliasAction.ACTION, TransportPutAliasAction.class),
        new ActionHandler<>(
            TransportResetComparisonsAction.ACTION, TransportResetComparisonsAction.class),
        new ActionHandler<>(
            TransportGetComparisonsAction.ACTION, TransportGetComparisonsAction.class),
        new ActionHandler<>(TransportLogAction.ACTION, TransportLogAction.class),
        new ActionHandler<>(TransportValidateAction.ACTION, TransportValidateAction.class),
        new ActionHandler<>(TransportShowPageAction.ACTION, TransportShowPageAction.class),
        new ActionHandler<>(TransportImportAction.ACTION, TransportImportAction.class),
        new ActionHandler<>(TransportDriftAction.ACTION, TransportDriftAction.class),
        new ActionHandler<>(
            TransportDriftAction.WITH_VALUES, TransportDriftAction.WithValues.class),
        new ActionHandler<>(TransportModelFileAction.ACTION, TransportModelFileAction.class),
        new ActionHandler<>(TransportExportAction.ACTION, TransportExportAction.class),
        new ActionHandler<>(TransportImportAllAction.ACTION, TransportImportAllAction.class),
        new ActionHandler<>(TransportReadyAction.ACTION, TransportReadyAction.class),
        new ActionHandler<>(TransportStatsAction.ACTION, TransportStatsAction.class));
  }
}
