package io.quickscorer.plugin;

import io.quickscorer.plugin.model.ModelLookup;
import io.quickscorer.plugin.rescore.RescoreModule;
import io.quickscorer.plugin.stats.RescoreStats;
import java.util.List;
import org.apache.lucene.util.SetOnce;
import org.opensearch.index.IndexModule;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.search.fetch.FetchSubPhase;

/** Registers what the plugin adds to a node. */
public final class QuickScorerPlugin extends Plugin implements SearchPlugin {
  private final RescoreStats rescoreStats = new RescoreStats();
  private final SetOnce<ModelLookup> models = new SetOnce<>();
  private final RescoreModule rescore = new RescoreModule(models::get, rescoreStats);

  @Override
  public List<RescorerSpec<?>> getRescorers() {
    return rescore.rescorers();
  }

  @Override
  public List<FetchSubPhase> getFetchSubPhases(FetchPhaseConstructionContext context) {
    return rescore.fetchSubPhases();
  }

  @Override
  public void onIndexModule(IndexModule index) {
    rescore.onIndexModule(index);
  }
}
