// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.feature.Window;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.shard.EnsembleRescorer.HitKeys;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.lucene.search.IndexSearcher;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.lease.Releasables;

/**
 * Ranks hits in stages. Each stage is a model; each stage after the first ranks only the best hits
 * of the stage before it. A stage is skipped if the next stage would rank all its hits. The feature
 * values of all stages stay in memory until this object is closed. Used by one thread.
 *
 * <p>Source: L. Wang, J. Lin and D. Metzler, A Cascade Ranking Model for Efficient Ranked
 * Retrieval, SIGIR 2011.
 */
final class Cascade implements Releasable {
  private final List<ScoredWindow> earlier = new ArrayList<>();

  private final Deque<Dropped> dropped = new ArrayDeque<>();

  private Window window;

  private Cascade(Window window) {
    this.window = window;
  }

  /**
   * Ranks hits by all stages before the last one.
   *
   * @param models the models of all stages; the caller keeps them in memory
   * @param window the hits to rank
   */
  static Cascade of(
      EnsembleRescoreContext context,
      List<CompiledModel> models,
      Window window,
      IndexSearcher searcher)
      throws IOException {
    Cascade cascade = new Cascade(window);
    boolean done = false;
    try {
      for (int s = 0; s < context.stages().size() - 1; s++) {
        if (cascade.window.size() > context.stages().get(s).keep()) {
          cascade.run(s, context, models, searcher);
        }
      }
      done = true;
      return cascade;
    } finally {
      if (!done) {
        cascade.close();
      }
    }
  }

  private void run(
      int place, EnsembleRescoreContext context, List<CompiledModel> models, IndexSearcher searcher)
      throws IOException {
    BoundClause.Stage stage = context.stages().get(place);
    ScoredWindow scored = scored(place, context, models, searcher);
    earlier.add(scored);
    long start = System.nanoTime();
    float[] scores = scored.finals();
    long[] keys = HitKeys.of(window, scores, window.size());
    Arrays.sort(keys);
    dropped.addFirst(new Dropped(place, Arrays.copyOfRange(keys, stage.keep(), keys.length)));
    window = kept(keys, stage.keep());
    scored.sorted(System.nanoTime() - start);
  }

  private Window kept(long[] keys, int count) {
    int[] docs = new int[count];
    float[] scores = new float[count];
    for (int i = 0; i < count; i++) {
      docs[i] = HitKeys.doc(keys[i]);
    }
    Arrays.sort(docs);
    for (int i = 0; i < count; i++) {
      scores[i] = window.scores()[Arrays.binarySearch(window.docs(), docs[i])];
    }
    return new Window(docs, scores);
  }

  private ScoredWindow scored(
      int place, EnsembleRescoreContext context, List<CompiledModel> models, IndexSearcher searcher)
      throws IOException {
    BoundClause.Stage stage = context.stages().get(place);
    return ScoredWindow.of(context, stage, stage.own(models), window, searcher, earlier);
  }

  /**
   * Scores the hits that the earlier stages kept for the last stage, by the last stage's models.
   *
   * @return the scored hits, which the caller closes
   */
  ScoredWindow last(
      EnsembleRescoreContext context, List<CompiledModel> models, IndexSearcher searcher)
      throws IOException {
    return scored(context.stages().size() - 1, context, models, searcher);
  }

  /**
   * Returns the scored hits of all stages that have run, in order. The last element is {@code
   * last}.
   */
  List<ScoredWindow> all(ScoredWindow last) {
    List<ScoredWindow> all = new ArrayList<>(earlier);
    all.add(last);
    return all;
  }

  /**
   * Returns the hits that stages ranked but did not keep for the next stage, beginning with the
   * latest stage.
   */
  Iterable<Dropped> dropped() {
    return dropped;
  }

  /**
   * Returns numbers that encode, for {@link #stage}, the last stage that ranked each document; in
   * ascending order. A document has the number {@code id} (its doc id) if the last stage ranked it.
   * It has the number {@code ~id} if the first stage did not keep it. It has both numbers if the
   * second of three stages did not keep it. The fetch phase gets the numbers as a set of doc ids.
   *
   * @param last the doc ids of the last stage's documents, ascending
   */
  int[] marks(int[] last) {
    IntStream marks = Arrays.stream(last);
    for (Dropped hits : dropped) {
      int[] docs = Arrays.stream(hits.keys()).mapToInt(HitKeys::doc).toArray();
      marks = IntStream.concat(marks, Arrays.stream(docs).map(doc -> ~doc));
      if (hits.stage() > 0) {
        marks = IntStream.concat(marks, Arrays.stream(docs));
      }
    }
    return marks.sorted().toArray();
  }

  /**
   * Returns the index, from 0, of the last stage that scored a document; -1 if none did. If the
   * parts of a hybrid query ranked the document in different stages, the latest stage is returned.
   *
   * @param marks the results of {@link #marks} for all documents
   * @param stages the number of stages of the clause
   */
  static int stage(Set<Integer> marks, int doc, int stages) {
    boolean same = marks.contains(doc);
    if (!marks.contains(~doc)) {
      return same ? stages - 1 : -1;
    }
    return same ? Math.max(1, stages - 2) : 0;
  }

  @Override
  public void close() {
    Releasables.close(earlier);
  }

  /**
   * The hits that a stage ranked but did not keep for the next stage.
   *
   * @param stage the stage's index, from 0
   * @param keys the hits, best first, encoded by {@link HitKeys}
   */
  @SuppressWarnings("ArrayRecordComponent") // instances are never compared
  record Dropped(int stage, long[] keys) {}
}
