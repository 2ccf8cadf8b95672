// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.util.IOSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes the scores of one query for a block of documents. It is a node in the graph of a {@link
 * ScorePlan}: some nodes compute their scores from those of others. The score of a document that
 * does not match is NaN. Scores are bit-identical to those of Lucene's scorers.
 */
abstract sealed class ScoreNode
    permits FunctionNode,
        FunctionNode.All,
        ScoreNode.OfMax,
        ScoreNode.OfMinimum,
        ScoreNode.OfRequiredAndOptional,
        ScoreNode.OfSum,
        ScoreNode.OfTerm,
        ScorerNode {
  /** The scores of the documents in the current block; undefined if {@link #some} is false. */
  float[] scores = new float[0];

  /** The name of the first feature that needs these scores, for messages. */
  String feature = "";

  /** Whether any document in the current segment (a part of the index) may match the query. */
  boolean present;

  /** Whether any document in the current block may match the query. */
  boolean some;

  /**
   * A group of documents in one segment. All score nodes finish a group before the next group
   * begins.
   *
   * @param docs the doc ids, in the shard's reader, of all hits that the model ranks
   * @param from index in {@code docs} of the block's first document
   * @param size the number of documents in the block
   * @param base the segment's first doc id in the shard's reader
   * @param isWholeSegment whether the block contains all hits of the segment
   * @param doubles a temporary array with one element per document; so are {@code ints} and {@code
   *     floats}
   */
  @SuppressWarnings(
      "ArrayRecordComponent") // instances are never compared; nodes write into the buffers
  record Block(
      int[] docs,
      int from,
      int size,
      int base,
      boolean isWholeSegment,
      double[] doubles,
      int[] ints,
      float[] floats) {
    int doc(int i) {
      return docs[from + i] - base;
    }
  }

  /** Allocates {@link #scores} for a block, if the array is too short. */
  final void allocate(Block block) {
    if (scores.length < block.doubles.length) {
      scores = new float[block.doubles.length];
    }
  }

  /**
   * Prepares for the documents of a segment, and sets {@link #present}. The nodes whose scores this
   * node uses must be prepared before.
   */
  abstract void segment(LeafReaderContext segment, int documents) throws IOException;

  /**
   * Computes the scores of a block's documents. Called only if {@link #present} is true.
   *
   * @return false if no document matches; then {@link #scores} is undefined
   */
  abstract boolean block(Block block) throws IOException;

  /** Computes the scores of a {@link org.apache.lucene.search.TermQuery}. */
  static final class OfTerm extends ScoreNode {
    private final TermColumn term;

    /** Creates Lucene's scorer for the term; null if no document contains the term. */
    private final @Nullable IOSupplier<SimScorer> similarity;

    /** Lucene's scorer for the term, which takes a kilobyte; null until a hit contains the term. */
    private @Nullable SimScorer scorer;

    OfTerm(TermColumn term, @Nullable IOSupplier<SimScorer> similarity) {
      this.term = term;
      this.similarity = similarity;
    }

    private SimScorer scorer(IOSupplier<SimScorer> made) throws IOException {
      SimScorer known = scorer;
      if (known == null) {
        known = made.get();
        scorer = known;
      }
      return known;
    }

    @Override
    void segment(LeafReaderContext segment, int documents) {
      present = similarity != null && term.present();
    }

    @Override
    boolean block(Block block) throws IOException {
      IOSupplier<SimScorer> made = similarity;
      if (made == null || !term.some()) {
        return false;
      }
      SimScorer scorer = scorer(made);
      allocate(block);
      int[] frequencies = term.frequencies();
      long[] norms = term.norms();
      int[] places = term.places();
      Arrays.fill(scores, 0, block.size, Float.NaN);
      for (int p = 0; p < term.count(); p++) {
        int i = places[p];
        scores[i] = scorer.score(frequencies[i], norms[i]);
      }
      return true;
    }
  }

  /** Adds the scores of several clauses (parts of a boolean query), in double precision. */
  static final class OfSum extends ScoreNode {
    private final List<ScoreNode> clauses;
    private final int atLeast;

    /**
     * Creates a score node that adds the scores of clauses.
     *
     * @param atLeast the number of clauses that must match; documents with fewer get NaN
     */
    OfSum(List<ScoreNode> clauses, int atLeast) {
      this.clauses = clauses;
      this.atLeast = atLeast;
    }

    @Override
    void segment(LeafReaderContext segment, int documents) {
      int some = 0;
      for (ScoreNode clause : clauses) {
        some += clause.present ? 1 : 0;
      }
      present = some >= atLeast;
    }

    @Override
    boolean block(Block block) {
      int matching = 0;
      for (ScoreNode clause : clauses) {
        matching += clause.some ? 1 : 0;
      }
      if (matching < atLeast) {
        return false;
      }
      double[] sums = block.doubles;
      int[] counts = block.ints;
      Arrays.fill(sums, 0, block.size, 0);
      Arrays.fill(counts, 0, block.size, 0);
      for (ScoreNode clause : clauses) {
        if (clause.some) {
          ScoreArithmetic.add(clause.scores, sums, counts, block.floats, block.size);
        }
      }
      allocate(block);
      ScoreArithmetic.atLeast(atLeast, sums, counts, scores, block.size);
      return true;
    }
  }

  /**
   * Computes the scores of a boolean query with required clauses and a minimum number of optional
   * clauses. To round as Lucene does, it normally adds the scores of required and of optional
   * clauses separately. It adds all scores in one sum if the minimum is the number of optional
   * clauses that have matches in the segment, so that all of these must match.
   */
  static final class OfMinimum extends ScoreNode {
    private final List<ScoreNode> should;
    private final int atLeast;
    private final OfSum apart;
    private final OfSum together;
    private OfSum current;

    /**
     * Creates a score node for a query with required and optional clauses.
     *
     * @param must the required clauses
     * @param should the optional clauses
     * @param atLeast the minimum number of clauses in {@code should} that match; at least 1
     * @param required computes the sum of the scores of {@code must}
     * @param optional computes the sum of the scores of {@code should}
     */
    OfMinimum(
        List<ScoreNode> must,
        List<ScoreNode> should,
        int atLeast,
        ScoreNode required,
        ScoreNode optional) {
      this.should = should;
      this.atLeast = atLeast;
      this.apart = new OfSum(List.of(required, optional), 2);
      List<ScoreNode> all = new ArrayList<>(must);
      all.addAll(should);
      this.together = new OfSum(all, must.size() + atLeast);
      this.current = apart;
    }

    @Override
    void segment(LeafReaderContext segment, int documents) {
      long some = should.stream().filter(clause -> clause.present).count();
      current = some == atLeast ? together : apart;
      current.segment(segment, documents);
      present = current.present;
    }

    @Override
    boolean block(Block block) {
      boolean any = current.block(block);
      scores = current.scores;
      return any;
    }
  }

  /**
   * Computes the scores of a query with one required and one optional clause, in single precision.
   */
  static final class OfRequiredAndOptional extends ScoreNode {
    private final ScoreNode required;
    private final ScoreNode optional;

    OfRequiredAndOptional(ScoreNode required, ScoreNode optional) {
      this.required = required;
      this.optional = optional;
    }

    @Override
    void segment(LeafReaderContext segment, int documents) {
      present = required.present;
    }

    @Override
    boolean block(Block block) {
      if (!required.some) {
        return false;
      }
      allocate(block);
      for (int i = 0; i < block.size; i++) {
        float score = required.scores[i];
        float more = optional.some ? optional.scores[i] : Float.NaN;
        scores[i] = Float.isNaN(more) ? score : score + more;
      }
      return true;
    }
  }

  /**
   * Computes the maxima of scores, as a {@link org.apache.lucene.search.DisjunctionMaxQuery} does.
   */
  static final class OfMax extends ScoreNode {
    private final List<ScoreNode> clauses;
    private final float tieBreaker;

    OfMax(List<ScoreNode> clauses, float tieBreaker) {
      this.clauses = clauses;
      this.tieBreaker = tieBreaker;
    }

    @Override
    void segment(LeafReaderContext segment, int documents) {
      present = false;
      for (ScoreNode clause : clauses) {
        present |= clause.present;
      }
    }

    @Override
    boolean block(Block block) {
      double[] others = block.doubles;
      int[] highest = block.ints;
      Arrays.fill(others, 0, block.size, 0);
      Arrays.fill(highest, 0, block.size, ScoreArithmetic.MISSING);
      boolean any = false;
      for (ScoreNode clause : clauses) {
        if (clause.some) {
          ScoreArithmetic.max(clause.scores, highest, others, block.floats, block.size);
          any = true;
        }
      }
      if (any) {
        allocate(block);
        ScoreArithmetic.withOthers(highest, others, tieBreaker, scores, block.size);
      }
      return any;
    }
  }
}
