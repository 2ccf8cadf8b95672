package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.Expressions;
import io.quickscorer.plugin.model.ModelLookup;
import io.quickscorer.plugin.stats.RescoreStats;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.index.IndexModule;
import org.opensearch.plugins.SearchPlugin.RescorerSpec;
import org.opensearch.search.fetch.FetchSubPhase;

/** What the rescore clause registers with a node. One per node. */
public final class RescoreModule {
  private final Supplier<RescoreServices> services;
  private final Engines engines = new Engines();
  private final Expressions expressions = new Expressions();
  private final LoggedRowStore rows = new LoggedRowStore(System::nanoTime);

  /**
   * @param models gives the node's models; first asked at the first search
   * @param stats counts what is rescored
   */
  public RescoreModule(Supplier<ModelLookup> models, RescoreStats stats) {
    this.services = () -> new RescoreServices(models.get(), stats, engines, expressions);
  }

  public List<RescorerSpec<?>> rescorers() {
    return List.of(
        new RescorerSpec<>(
            EnsembleRescorerBuilder.NAME,
            in -> new EnsembleRescorerBuilder(in, services),
            parser -> EnsembleRescorerBuilder.parse(parser, services)));
  }

  public List<FetchSubPhase> fetchSubPhases() {
    return List.of(new LogFetchPhase());
  }

  /** To be called for each index of the node. */
  public void onIndexModule(IndexModule index) {
    index.addSearchOperationListener(rows);
  }

  /** Requests whose logged rows wait for their fetch phase. */
  int waitingRows() {
    return rows.size();
  }
}
