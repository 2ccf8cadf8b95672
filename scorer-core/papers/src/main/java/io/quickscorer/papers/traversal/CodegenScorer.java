// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.Accumulator;
import io.quickscorer.ensemble.Tree;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.BlockScorer;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.Scratch;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.util.ArrayList;
import java.util.List;

/**
 * Scores with generated code: every tree becomes a Java method of nested ifs. The JIT compiles the
 * methods to machine code. Trees may have about 16,000 leaves, because a class has a limited number
 * of constants. Each unit (see {@link BlockScorer}) is one tree.
 *
 * <p>Source: Asadi, Lin, de Vries, "Runtime Optimizations for Tree-Based Machine Learning Models",
 * IEEE TKDE 26(9), 2014, section 3 (CODEGEN).
 */
public final class CodegenScorer extends TreewiseScorer {
  public static final Algorithm ALGORITHM = new Algorithm("codegen", 0);

  private static final int DOCUMENTS_PER_CALL = 256;
  private static final int TREES_PER_CLASS = 256;

  /** The generated code of a tree: an instance of its class, and the tree's index in this class. */
  private record Place(TreeCode code, int tree) {}

  private final OrderedColumns columns;
  private final Place[] places;

  /** Size of all generated class files, in bytes. */
  private final long classBytes;

  private CodegenScorer(
      TreeEnsemble ensemble, OrderedColumns columns, Place[] places, long classBytes) {
    super(ensemble, ALGORITHM, DOCUMENTS_PER_CALL);
    this.columns = columns;
    this.places = places;
    this.classBytes = classBytes;
  }

  /**
   * Compiles an ensemble.
   *
   * @throws UnsupportedEnsembleException if a tree has more constants than a class may have
   */
  public static CodegenScorer compile(TreeEnsemble ensemble, CompileProgress progress) {
    OrderedColumns.Assignment columns = OrderedColumns.of(ensemble, progress.part(0, 0.1));
    CompileProgress generating = progress.part(0.1, 1);
    List<Tree> trees = ensemble.trees();
    List<Place> places = new ArrayList<>();
    long classBytes = 0;
    int first = 0;
    while (first < trees.size()) {
      int end = endOfClass(trees, first, columns);
      byte[] file =
          CodeGenerator.write(trees.subList(first, end), first, columns, generating, trees.size());
      TreeCode code = CodeGenerator.load(file);
      classBytes += file.length;
      for (int t = first; t < end; t++) {
        places.add(new Place(code, t - first));
      }
      first = end;
    }
    return new CodegenScorer(ensemble, columns.columns(), places.toArray(Place[]::new), classBytes);
  }

  /**
   * Returns the index after the last tree of a generated class.
   *
   * @param first index of the first tree of the class
   */
  private static int endOfClass(List<Tree> trees, int first, OrderedColumns.Assignment columns) {
    int end = first;
    long constants = CodeGenerator.CONSTANTS_PER_CLASS;
    do {
      constants += CodeGenerator.maxConstants(trees.get(end), columns);
      end++;
    } while (end < trees.size()
        && end - first < TREES_PER_CLASS
        && constants + CodeGenerator.maxConstants(trees.get(end), columns)
            <= CodeGenerator.MAX_CONSTANTS);
    return end;
  }

  /**
   * Returns the approximate memory of the scorer in bytes. For generated classes, this is the size
   * of the class files.
   */
  @Override
  public long bytes() {
    return classBytes + columns.bytes() + 28L * places.length;
  }

  @Override
  public Scratch newScratch() {
    return new KeyScratch(0, DOCUMENTS_PER_CALL);
  }

  @Override
  public long scratchBytes(int documents) {
    return columns.keyBytes(documents);
  }

  @Override
  public void prepare(FeatureMatrix matrix, int from, int to, Scratch scratch) {
    ((KeyScratch) scratch).fill(columns, matrix, from, to);
  }

  @Override
  public void add(
      int unit, FeatureMatrix matrix, int from, int to, Scratch scratch, double[] sums) {
    KeyScratch buffers = (KeyScratch) scratch;
    Accumulator accumulator = ensemble().accumulator();
    Place place = places[unit];
    double[] leaves = buffers.leaves();
    for (int first = from; first < to; first += DOCUMENTS_PER_CALL) {
      int end = Math.min(to, first + DOCUMENTS_PER_CALL);
      place.code.exitLeaves(place.tree, buffers.keys(), matrix.stride(), first, end, leaves);
      for (int document = first; document < end; document++) {
        sums[document] = accumulator.add(sums[document], leaves[document - first]);
      }
    }
  }
}
