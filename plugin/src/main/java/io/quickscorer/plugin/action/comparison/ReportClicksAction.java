// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.comparison;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.guard.Work;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.stats.ComparisonStats;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;

/** Tells whose hits were clicked in searches in which two models were interleaved. */
public final class ReportClicksAction {
  public static final LocalAction<Request, AcknowledgedResponse> INSTANCE =
      new LocalAction<>("cluster:admin/quickscorer/comparison/click");

  private static final String SEARCHES = "searches";
  private static final String MODELS = "models";
  private static final String CLICKS = "clicks";
  private static final String EXPERIMENT = "experiment";

  /** Most searches of a request, and most clicks of a search. */
  private static final int MAX_SEARCHES = 10_000;

  private static final Shape<Fields> SEARCH =
      new Shape<Fields>()
          .texts(MODELS, 2, (search, models) -> search.models = models)
          .texts(CLICKS, MAX_SEARCHES, (search, clicks) -> search.clicks = clicks)
          .text(EXPERIMENT, (search, name) -> search.experiment = name)
          .required(MODELS, CLICKS);

  private static final Shape<List<Search>> SHAPE =
      new Shape<List<Search>>()
          .objects(
              SEARCHES,
              MAX_SEARCHES,
              SEARCH,
              Fields::new,
              (searches, read) -> read.forEach(one -> searches.add(one.search(searches.size()))))
          .required(SEARCHES);

  private static final class Fields {
    private List<String> models = List.of();
    private List<String> clicks = List.of();
    private String experiment = "";

    private Search search(int number) {
      String where = SEARCHES + "[" + number + "].";
      for (String model : models) {
        Work.step();
        ResourceNames.check("model", model);
      }
      if (!experiment.isEmpty()) {
        ResourceNames.check(EXPERIMENT, experiment);
      }
      if (models.size() != 2 || models.getFirst().equals(models.getLast())) {
        throw new IllegalArgumentException(where + MODELS + ": expected two models");
      }
      if (clicks.isEmpty()) {
        throw new IllegalArgumentException(
            where + CLICKS + ": expected an array that is not empty");
      }
      for (String click : clicks) {
        Work.step();
        if (!models.contains(click)) {
          throw new IllegalArgumentException(
              where + CLICKS + ": [" + click + "] is neither of the two models");
        }
      }
      ComparisonStats.Teams teams =
          ComparisonStats.Teams.of(models.getFirst(), models.getLast(), experiment);
      return new Search(
          teams,
          Collections.frequency(clicks, teams.first()),
          Collections.frequency(clicks, teams.second()));
    }
  }

  private ReportClicksAction() {}

  /**
   * The clicks of one search.
   *
   * @param first hits that the first model picked
   * @param second hits that the second model picked
   */
  record Search(ComparisonStats.Teams teams, int first, int second) {}

  /** The clicks of some searches. */
  public record Request(List<Search> searches) {
    /**
     * Reads the body {@code {"searches": [{"models": ["a", "b"], "clicks": ["a", "a", "b"]}]}}.
     *
     * @throws IllegalArgumentException (400) naming what is wrong with it
     */
    public static Request parse(
        @Nullable MediaType type, BytesReference body, MemoryCharge memory) {
      List<Search> searches =
          Door.body(type, body, memory, in -> SHAPE.read(in, new ArrayList<>()));
      if (searches.isEmpty()) {
        throw new IllegalArgumentException(SEARCHES + ": expected an array that is not empty");
      }
      return new Request(List.copyOf(searches));
    }
  }
}
