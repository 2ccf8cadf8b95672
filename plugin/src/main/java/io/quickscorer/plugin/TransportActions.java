// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.action.alias.ActivateAliasAction;
import io.quickscorer.plugin.action.alias.PutAliasAction;
import io.quickscorer.plugin.action.alias.TransportActivateAliasAction;
import io.quickscorer.plugin.action.alias.TransportDeleteAliasAction;
import io.quickscorer.plugin.action.alias.TransportGetAliasesAction;
import io.quickscorer.plugin.action.alias.TransportPutAliasAction;
import io.quickscorer.plugin.action.comparison.GetComparisonsAction;
import io.quickscorer.plugin.action.comparison.TransportGetComparisonsAction;
import io.quickscorer.plugin.action.comparison.TransportResetComparisonsAction;
import io.quickscorer.plugin.action.export.LogAction;
import io.quickscorer.plugin.action.export.TransportLogAction;
import io.quickscorer.plugin.action.export.TransportValidateAction;
import io.quickscorer.plugin.action.featureset.PutFeatureSetAction;
import io.quickscorer.plugin.action.featureset.TransportDeleteFeatureSetAction;
import io.quickscorer.plugin.action.featureset.TransportGetFeatureSetsAction;
import io.quickscorer.plugin.action.featureset.TransportPutFeatureSetAction;
import io.quickscorer.plugin.action.imports.ImportAction;
import io.quickscorer.plugin.action.imports.TransportImportAction;
import io.quickscorer.plugin.action.model.ActivateModelAction;
import io.quickscorer.plugin.action.model.GetModelsAction;
import io.quickscorer.plugin.action.model.LoadModelAction;
import io.quickscorer.plugin.action.model.ModelFileAction;
import io.quickscorer.plugin.action.model.PutModelAction;
import io.quickscorer.plugin.action.model.TransportActivateModelAction;
import io.quickscorer.plugin.action.model.TransportDeleteModelAction;
import io.quickscorer.plugin.action.model.TransportGetModelsAction;
import io.quickscorer.plugin.action.model.TransportLoadModelAction;
import io.quickscorer.plugin.action.model.TransportModelFileAction;
import io.quickscorer.plugin.action.model.TransportPutModelAction;
import io.quickscorer.plugin.action.page.TransportShowPageAction;
import io.quickscorer.plugin.action.ready.ReadyAction;
import io.quickscorer.plugin.action.ready.TransportReadyAction;
import io.quickscorer.plugin.action.stats.DriftAction;
import io.quickscorer.plugin.action.stats.ImportanceAction;
import io.quickscorer.plugin.action.stats.StatsAction;
import io.quickscorer.plugin.action.stats.TransportDriftAction;
import io.quickscorer.plugin.action.stats.TransportImportanceAction;
import io.quickscorer.plugin.action.stats.TransportStatsAction;
import io.quickscorer.plugin.action.transfer.ExportAction;
import io.quickscorer.plugin.action.transfer.ImportAllAction;
import io.quickscorer.plugin.action.transfer.TransportExportAction;
import io.quickscorer.plugin.action.transfer.TransportImportAllAction;
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
