// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.matrix.FeatureMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Documents made for an ensemble, and their right scores.
 *
 * @param expected one raw score per document of the matrix
 */
record Documents(FeatureMatrix matrix, double[] expected) {
  /** Makes documents for one ensemble. */
  static final class Maker {
    private static final int MAX_PLAIN_PER_SPECIAL = 20;

    private final List<FeatureEdges> edges;
    private final PlainWalker walker;

    Maker(TreeEnsemble ensemble) {
      this.edges = FeatureEdges.of(ensemble);
      this.walker = new PlainWalker(ensemble);
    }

    /** Documents of plain values only. */
    Documents plain(SplittableRandom random, int documents) {
      return scored(plainValues(random, documents));
    }

    /** Plain documents in which one value in some is of a kind. */
    Documents mixed(SplittableRandom random, int documents, List<SpecialValue> kinds) {
      FeatureMatrix matrix = plainValues(random, documents);
      int oneIn = random.nextInt(2, MAX_PLAIN_PER_SPECIAL);
      for (int f = 0; f < edges.size(); f++) {
        for (int d = 0; d < documents; d++) {
          SpecialValue kind = kinds.get(random.nextInt(kinds.size()));
          if (random.nextInt(oneIn) == 0 && kind.suits(edges.get(f))) {
            matrix.set(d, f, kind.of(random, edges.get(f)));
          }
        }
      }
      return scored(matrix);
    }

    /**
     * Plain documents each of which has one or more features with a value of the kind; none if no
     * feature can have one.
     */
    Documents special(SplittableRandom random, int documents, SpecialValue kind) {
      List<Integer> suitable = new ArrayList<>();
      for (int f = 0; f < edges.size(); f++) {
        if (kind.suits(edges.get(f))) {
          suitable.add(f);
        }
      }
      FeatureMatrix matrix = plainValues(random, suitable.isEmpty() ? 0 : documents);
      for (int d = 0; d < matrix.documents(); d++) {
        int sure = suitable.get(random.nextInt(suitable.size()));
        boolean all = random.nextBoolean();
        for (int f : suitable) {
          if (f == sure || all) {
            matrix.set(d, f, kind.of(random, edges.get(f)));
          }
        }
      }
      return scored(matrix);
    }

    /** Every kind that some feature can have. */
    List<SpecialValue> kinds() {
      List<SpecialValue> kinds = new ArrayList<>(List.of(SpecialValue.values()));
      kinds.removeIf(kind -> edges.stream().noneMatch(kind::suits));
      return kinds;
    }

    private FeatureMatrix plainValues(SplittableRandom random, int documents) {
      FeatureMatrix matrix = new FeatureMatrix(edges.size(), documents);
      for (int f = 0; f < edges.size(); f++) {
        for (int d = 0; d < documents; d++) {
          matrix.set(d, f, edges.get(f).plain(random));
        }
      }
      return matrix;
    }

    private Documents scored(FeatureMatrix matrix) {
      return new Documents(matrix, walker.score(matrix));
    }
  }

  int size() {
    return expected.length;
  }
}
