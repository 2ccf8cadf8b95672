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
 * Computes the scores of one query for a block (a group of documents). It is a node in the graph of
 * a {@link ScorePlan}: some nodes compute their scores from those of other nodes. A score is NaN if
 * the query does not match. Each subclass adds and rounds exactly like Lucene's scorer of its
 * query, so that the scores are bit-identical.
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
  /** The scores of the documents in the current block; undefined unless {@link #some} is true. */
  float[] scores = new float[0];

  /** The name of the first feature whose query needs this node, for messages. */
  String feature = "";

  /** Whether any document in the current segment (a part of the index) may match the query. */
  boolean present;

  /** Whether any document in the current block may match the query. */
  boolean some;

  /**
   * A group of documents whose scores all nodes compute before the next group; all are in one
   * segment.
   *
   * @param docs the doc ids, in the shard's reader, of all hits that the model ranks
   * @param from index in {@code docs} of the block's first document
   * @param size the number of documents in the block
   * @param base the segment's first doc id
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

  /**
   * Allocates {@link #scores} if it is too short. Called only if the query may match, to save
   * memory.
   */
  final void allocate(Block block) {
    if (scores.length < block.doubles.length) {
      scores = new float[block.doubles.length];
    }
  }

  /**
   * Prepares for the documents of a segment. The nodes whose scores this node uses must be prepared
   * before, so that their {@link #present} is set.
   */
  abstract void segment(LeafReaderContext segment, int documents) throws IOException;

  /**
   * Computes the scores of a block's documents. Called only if {@link #present} is true.
   *
   * @return false if no document matches; no scores were computed in this case
   */
  abstract boolean block(Block block) throws IOException;

  /** Computes the scores of a {@link org.apache.lucene.search.TermQuery}. */
  static final class OfTerm extends ScoreNode {
    private final TermColumn term;

    /**
     * A function that creates Lucene's scorer for the term; null if no document contains the term.
     */
    private final @Nullable IOSupplier<SimScorer> similarity;

    /**
     * Lucene's scorer for the term. It takes a kilobyte of memory, so it is null until a hit
     * contains the term.
     */
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

  /**
   * Computes the sums of the scores of several clauses (parts of a boolean query), in double
   * precision.
   */
  static final class OfSum extends ScoreNode {
    private final List<ScoreNode> clauses;
    private final int atLeast;

    /**
     * Creates a node that adds the scores of clauses.
     *
     * @param atLeast the number of clauses that must match: all for a conjunction, one or more for
     *     a disjunction
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
   * ones. Lucene rounds the sums of required and of optional clauses separately. If exactly the
   * minimum number of optional clauses can match in a segment, Lucene rounds one sum of all
   * clauses.
   */
  static final class OfMinimum extends ScoreNode {
    private final List<ScoreNode> should;
    private final int atLeast;
    private final OfSum apart;
    private final OfSum together;
    private OfSum current;

    /**
     * Creates a node for a query with required and optional clauses.
     *
     * @param must the required clauses
     * @param should the optional clauses
     * @param atLeast the number of clauses in {@code should} that must match, at least 1
     * @param required the sum of {@code must}
     * @param optional the sum of {@code should}
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
