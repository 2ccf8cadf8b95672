// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.TransportShowPageAction;
import io.quickscorer.plugin.action.resource.ActivateAliasAction;
import io.quickscorer.plugin.action.resource.ActivateModelAction;
import io.quickscorer.plugin.action.resource.ExportAction;
import io.quickscorer.plugin.action.resource.GetModelsAction;
import io.quickscorer.plugin.action.resource.ImportAction;
import io.quickscorer.plugin.action.resource.ImportAllAction;
import io.quickscorer.plugin.action.resource.LoadModelAction;
import io.quickscorer.plugin.action.resource.ModelFileAction;
import io.quickscorer.plugin.action.resource.PutAliasAction;
import io.quickscorer.plugin.action.resource.PutFeatureSetAction;
import io.quickscorer.plugin.action.resource.PutModelAction;
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
import io.quickscorer.plugin.export.LogAction;
import io.quickscorer.plugin.export.TransportLogAction;
import io.quickscorer.plugin.export.TransportValidateAction;
import io.quickscorer.plugin.stats.DriftAction;
import io.quickscorer.plugin.stats.GetComparisonsAction;
import io.quickscorer.plugin.stats.ImportanceAction;
import io.quickscorer.plugin.stats.ReadyAction;
import io.quickscorer.plugin.stats.StatsAction;
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

/** All transport actions, each with the class that runs it. */
final class TransportActions {
  private TransportActions() {}

  static List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> all() {
    return List.of(
        new ActionHandler<>(PutFeatureSetAction.INSTANCE, TransportPutFeatureSetAction.class),
        new ActionHandler<>(
            TransportGetFeatureSetsAction.ACTION, TransportGetFeatureSetsAction.class),
        new ActionHandler<>(
            TransportDeleteFeatureSetAction.ACTION, TransportDeleteFeatureSetAction.class),
        new ActionHandler<>(PutModelAction.INSTANCE, TransportPutModelAction.class),
        new ActionHandler<>(LoadModelAction.INSTANCE, TransportLoadModelAction.class),
        new ActionHandler<>(ActivateModelAction.INSTANCE, TransportActivateModelAction.class),
        new ActionHandler<>(GetModelsAction.INSTANCE, TransportGetModelsAction.class),
        new ActionHandler<>(TransportDeleteModelAction.ACTION, TransportDeleteModelAction.class),
        new ActionHandler<>(TransportDeleteAliasAction.ACTION, TransportDeleteAliasAction.class),
        new ActionHandler<>(TransportGetAliasesAction.ACTION, TransportGetAliasesAction.class),
        new ActionHandler<>(ImportanceAction.INSTANCE, TransportImportanceAction.class),
        new ActionHandler<>(ActivateAliasAction.INSTANCE, TransportActivateAliasAction.class),
        new ActionHandler<>(PutAliasAction.INSTANCE, TransportPutAliasAction.class),
        new ActionHandler<>(
            TransportResetComparisonsAction.ACTION, TransportResetComparisonsAction.class),
        new ActionHandler<>(GetComparisonsAction.INSTANCE, TransportGetComparisonsAction.class),
        new ActionHandler<>(LogAction.INSTANCE, TransportLogAction.class),
        new ActionHandler<>(TransportValidateAction.ACTION, TransportValidateAction.class),
        new ActionHandler<>(TransportShowPageAction.ACTION, TransportShowPageAction.class),
        new ActionHandler<>(ImportAction.INSTANCE, TransportImportAction.class),
        new ActionHandler<>(DriftAction.INSTANCE, TransportDriftAction.class),
        new ActionHandler<>(DriftAction.WITH_VALUES, TransportDriftAction.WithValues.class),
        new ActionHandler<>(ModelFileAction.INSTANCE, TransportModelFileAction.class),
        new ActionHandler<>(ExportAction.INSTANCE, TransportExportAction.class),
        new ActionHandler<>(ImportAllAction.INSTANCE, TransportImportAllAction.class),
        new ActionHandler<>(ReadyAction.INSTANCE, TransportReadyAction.class),
        new ActionHandler<>(StatsAction.INSTANCE, TransportStatsAction.class));
  }
}
