package io.quickscorer.scorer;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.vector.BitSlicedScorers;
import io.quickscorer.scorer.vector.VectorSupport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scores each batch with the algorithm that {@link AlgorithmSelector} names for its size.
 *
 * <p>There are few ranges of sizes, and each algorithm is compiled once: one for single documents,
 * one with documents in lanes, and the bit-sliced one, which by itself takes the width that suits a
 * batch. An ensemble that the latter refuses is left to the others.
 */
final class AutoScorer implements EnsembleScorer {
  private final TreeEnsemble ensemble;
  private final Algorithm name;

  /** Scorer i takes batches of {@code fewest[i]} documents and more. */
  private final int[] fewest;

  private final EnsembleScorer[] scorers;

  private AutoScorer(
      TreeEnsemble ensemble, Algorithm name, List<Integer> fewest, List<EnsembleScorer> scorers) {
    this.ensemble = ensemble;
    this.name = name;
    this.fewest = fewest.stream().mapToInt(Integer::intValue).toArray();
    this.scorers = scorers.toArray(EnsembleScorer[]::new);
  }

  /**
   * @param name what {@link #algorithm()} returns: AUTO or CPU
   */
  static AutoScorer compile(TreeEnsemble ensemble, Algorithm name) {
    Map<Algorithm, EnsembleScorer> compiled = new EnumMap<>(Algorithm.class);
    List<Integer> fewest = new ArrayList<>();
    List<EnsembleScorer> scorers = new ArrayList<>();
    boolean bits = true;
    for (int documents = 1; documents <= AlgorithmSelector.MANY_DOCUMENTS; documents++) {
      Algorithm algorithm = select(ensemble, documents, bits);
      if (algorithm == Algorithm.BIT_SLICED && !compiled.containsKey(algorithm)) {
        try {
          compiled.put(algorithm, BitSlicedScorers.compileAllWidths(ensemble));
        } catch (UnsupportedEnsembleException e) {
          bits = false;
          algorithm = select(ensemble, documents, false);
        }
      }
      EnsembleScorer scorer =
          compiled.computeIfAbsent(algorithm, a -> ScorerCompiler.compile(ensemble, a));
      if (scorers.isEmpty() || scorers.getLast() != scorer) {
        fewest.add(documents);
        scorers.add(scorer);
      }
    }
    return new AutoScorer(ensemble, name, fewest, scorers);
  }

  private static Algorithm select(TreeEnsemble ensemble, int documents, boolean bits) {
    return AlgorithmSelector.select(ensemble.shape(), VectorSupport.widths(), documents, bits);
  }

  @Override
  public TreeEnsemble ensemble() {
    return ensemble;
  }

  @Override
  public Algorithm algorithm() {
    return name;
  }

  @Override
  public String engine() {
    StringBuilder engine = new StringBuilder(scorers[0].engine());
    for (int i = 1; i < scorers.length; i++) {
      engine.append(", from ").append(fewest[i]).append(" documents ").append(scorers[i].engine());
    }
    return engine.toString();
  }

  /** The algorithm that batches of a size are scored with. */
  Algorithm algorithm(int documents) {
    return scorers[indexOf(documents)].algorithm();
  }

  @Override
  public long bytes() {
    long bytes = 0;
    for (EnsembleScorer scorer : scorers) {
      bytes += scorer.bytes();
    }
    return bytes;
  }

  @Override
  public Scratch newScratch() {
    return new Scratches(scorers.length);
  }

  @Override
  public void score(FeatureMatrix matrix, Scratch scratch, double[] scores) {
    checkArguments(matrix, scores);
    int index = indexOf(matrix.documents());
    scorers[index].score(matrix, ((Scratches) scratch).of(index, scorers[index]), scores);
  }

  private int indexOf(int documents) {
    int index = fewest.length - 1;
    while (index > 0 && documents < fewest[index]) {
      index--;
    }
    return index;
  }

  /** Each scorer's buffers, made when it is first used. */
  private static final class Scratches implements Scratch {
    private final @Nullable Scratch[] scratches;

    Scratches(int scorers) {
      scratches = new Scratch[scorers];
    }

    Scratch of(int index, EnsembleScorer scorer) {
      Scratch scratch = scratches[index];
      if (scratch == null) {
        scratch = scorer.newScratch();
        scratches[index] = scratch;
      }
      return scratch;
    }

    @Override
    public long bytes() {
      long bytes = 0;
      for (Scratch scratch : scratches) {
        bytes += scratch == null ? 0 : scratch.bytes();
      }
      return bytes;
    }
  }
}
