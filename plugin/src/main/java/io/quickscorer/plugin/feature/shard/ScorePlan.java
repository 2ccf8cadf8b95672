// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.shard;

import io.quickscorer.plugin.feature.Cancellation;
import io.quickscorer.plugin.feature.ShardFeature.Column;
import io.quickscorer.plugin.feature.Window;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lucene.search.function.FunctionScoreQuery;

/**
 * Computes the scores of several queries for the hits that a model ranks. Used by one thread for
 * one request.
 *
 * <p>Features of one set use the same few words in many combinations. So queries are divided into
 * {@link ScoreNode}s, and equal parts of queries share one node. The postings of each term (its
 * list of documents) are read once for all nodes. Lucene's scorers compute the parts for which
 * there is no class of node.
 */
final class ScorePlan {
  /**
   * Maximum number of documents in a block, a group whose scores are computed together. The scores
   * of one query for a block take half a kilobyte.
   */
  private static final int MAX_DOCUMENTS = 128;

  private static final int MIN_DOCUMENTS = 16;

  /** Approximate maximum number of elements in all arrays of the plan's score nodes together. */
  private static final int MAX_CELLS = 1 << 18;

  /** Maximum memory, in bytes, of all arrays of the plan's score nodes. */
  public static final long MAX_BYTES = 2L * MAX_CELLS * Double.BYTES;

  /** Maximum depth of the (recursive) division of queries; Lucene scores deeper parts. */
  private static final int MAX_DEPTH = 32;

  private final IndexSearcher searcher;

  /** All score nodes; each comes after the score nodes that it uses. */
  private final List<ScoreNode> nodes = new ArrayList<>();

  private final Map<Object, ScoreNode> known = new HashMap<>();
  private final Map<Term, TermUses> terms = new HashMap<>();
  private final Map<String, @Nullable CollectionStatistics> fields = new HashMap<>();
  private final Map<String, TermColumn.Norms> norms = new HashMap<>();
  private final Map<ScoreNode, List<Column>> targets = new HashMap<>();
  private int block;

  public ScorePlan(IndexSearcher searcher) {
    this.searcher = searcher;
  }

  /**
   * Adds a query, whose scores {@link #run} writes to a column.
   *
   * @param feature the feature's name, for messages
   * @param column receives the scores; the caller fills it with NaN, which remains for documents
   *     that do not match
   */
  public void add(String feature, Query query, Column column) throws IOException {
    int first = nodes.size();
    try {
      Query rewritten = SettledQueries.isSettled(query) ? query : searcher.rewrite(query);
      targets.computeIfAbsent(node(rewritten, 1, 0), node -> new ArrayList<>()).add(column);
    } catch (RuntimeException e) {
      throw FeatureFailure.of(feature, e);
    }
    nodes.subList(first, nodes.size()).forEach(node -> node.feature = feature);
  }

  private record SumKey(List<ScoreNode> clauses, int atLeast) {}

  private record RequiredKey(ScoreNode required, ScoreNode optional) {}

  private record MinimumKey(List<ScoreNode> must, List<ScoreNode> should, int atLeast) {}

  private record MaxKey(List<ScoreNode> clauses, float tieBreaker) {}

  /** A term, its frequencies in documents, and the score nodes that use them. */
  private static final class TermUses {
    private final TermColumn column;
    private final List<TermUse> uses = new ArrayList<>(2);
    private @Nullable TermStates counts;

    TermUses(TermColumn column) {
      this.column = column;
    }
  }

  private record TermUse(float boost, int documents, long occurrences, ScoreNode node) {}

  /**
   * Identifies a score node. Equal queries with equal boosts share one node, because their scores
   * are equal.
   */
  private record ScorerKey(Query query, float boost) {}

  /**
   * Identifies a score node that only one query object uses. For some queries, {@code equals}
   * ignores options that change scores, such as {@code missing} of {@code field_value_factor}.
   */
  private record SameKey(Query query, float boost) {
    @Override
    @SuppressWarnings("ReferenceEquality") // identity is intended
    public boolean equals(@Nullable Object other) {
      return other instanceof SameKey key && key.query == query && key.boost == boost;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(query) * 31 + Float.hashCode(boost);
    }
  }

  private ScoreNode node(Query query, float boost, int depth) throws IOException {
    if (depth == MAX_DEPTH) {
      return scorer(query, boost);
    }
    return switch (query) {
      case TermQuery term -> term(term, boost);
      case BoostQuery boosted -> node(boosted.getQuery(), boosted.getBoost() * boost, depth + 1);
      case DisjunctionMaxQuery max -> {
        List<ScoreNode> clauses = nodes(max.getDisjuncts(), boost, depth);
        yield node(
            new MaxKey(clauses, max.getTieBreakerMultiplier()),
            new ScoreNode.OfMax(clauses, max.getTieBreakerMultiplier()));
      }
      case BooleanQuery bool -> bool(bool, boost, depth);
      case MatchAllDocsQuery all -> node(new ScorerKey(all, boost), new FunctionNode.All(boost));
      case FunctionScoreQuery function when FunctionNode.supports(function) -> {
        ScoreNode matches = node(function.getSubQuery(), boost, depth + 1);
        yield node(
            new SameKey(function, boost), new FunctionNode(searcher, function, boost, matches));
      }
      default -> scorer(query, boost);
    };
  }

  private List<ScoreNode> nodes(Collection<Query> queries, float boost, int depth)
      throws IOException {
    List<ScoreNode> clauses = new ArrayList<>();
    for (Query query : queries) {
      clauses.add(node(query, boost, depth + 1));
    }
    return clauses;
  }

  private ScoreNode node(Object key, ScoreNode made) {
    ScoreNode node = known.putIfAbsent(key, made);
    if (node == null) {
      nodes.add(made);
      return made;
    }
    return node;
  }

  private ScoreNode bool(BooleanQuery bool, float boost, int depth) throws IOException {
    for (BooleanClause clause : bool) {
      if (!clause.isScoring()) {
        return scorer(bool, boost);
      }
    }
    List<ScoreNode> must = nodes(bool.getClauses(BooleanClause.Occur.MUST), boost, depth);
    List<ScoreNode> should = nodes(bool.getClauses(BooleanClause.Occur.SHOULD), boost, depth);
    int atLeast = bool.getMinimumNumberShouldMatch();
    if (must.isEmpty() && should.isEmpty()) {
      return scorer(bool, boost);
    }
    if (must.isEmpty()) {
      return sum(should, Math.max(1, atLeast));
    }
    ScoreNode required = sum(must, must.size());
    if (should.isEmpty() && atLeast == 0) {
      return required;
    }
    ScoreNode optional = sum(should, Math.max(1, atLeast));
    if (atLeast > 0) {
      return node(
          new MinimumKey(must, should, atLeast),
          new ScoreNode.OfMinimum(must, should, atLeast, required, optional));
    }
    return node(
        new RequiredKey(required, optional),
        new ScoreNode.OfRequiredAndOptional(required, optional));
  }

  private ScoreNode sum(List<ScoreNode> clauses, int atLeast) {
    return clauses.size() == 1 && atLeast == 1
        ? clauses.getFirst()
        : node(new SumKey(clauses, atLeast), new ScoreNode.OfSum(clauses, atLeast));
  }

  /** Returns the score node that computes the scores of a {@link TermQuery} as Lucene does. */
  private ScoreNode term(TermQuery query, float boost) throws IOException {
    Term term = query.getTerm();
    TermUses known = uses(term);
    TermStates given = query.getTermStates();
    TermStates counts =
        given != null && given.wasBuiltFor(searcher.getTopReaderContext())
            ? given
            : counts(term, known);
    int documents = counts.docFreq();
    long occurrences = counts.totalTermFreq();
    for (TermUse use : known.uses) {
      if (use.boost == boost && use.documents == documents && use.occurrences == occurrences) {
        return use.node;
      }
    }
    ScoreNode node =
        new ScoreNode.OfTerm(
            known.column,
            documents == 0 ? null : () -> similarity(term, documents, occurrences, boost));
    nodes.add(node);
    known.uses.add(new TermUse(boost, documents, occurrences, node));
    return node;
  }

  private TermStates counts(Term term, TermUses uses) throws IOException {
    TermStates built = uses.counts;
    if (built == null) {
      built = TermStates.build(searcher, term, true);
      uses.counts = built;
    }
    return built;
  }

  private SimScorer similarity(Term term, int documents, long occurrences, float boost)
      throws IOException {
    String field = term.field();
    if (!fields.containsKey(field)) {
      fields.put(field, searcher.collectionStatistics(field));
    }
    TermStatistics statistics = searcher.termStatistics(term, documents, occurrences);
    return searcher.getSimilarity().scorer(boost, fields.get(field), statistics);
  }

  private TermUses uses(Term term) {
    TermUses known = terms.get(term);
    if (known == null) {
      TermColumn.Norms fieldNorms = norms.computeIfAbsent(term.field(), TermColumn.Norms::new);
      known = new TermUses(new TermColumn(term, fieldNorms));
      terms.put(term, known);
    }
    return known;
  }

  private ScoreNode scorer(Query query, float boost) {
    List<TermColumn> required = new ArrayList<>();
    if (query instanceof PhraseQuery phrase) {
      for (Term term : phrase.getTerms()) {
        TermColumn column = uses(term).column;
        if (!required.contains(column)) {
          required.add(column);
        }
      }
    }
    Object key =
        switch (query) {
          case PhraseQuery phrase -> new ScorerKey(phrase, boost);
          case MultiPhraseQuery phrase -> new ScorerKey(phrase, boost);
          case SynonymQuery synonym -> new ScorerKey(synonym, boost);
          default -> new SameKey(query, boost);
        };
    return node(key, new ScorerNode(searcher, query, boost, List.copyOf(required)));
  }

  /**
   * Computes the scores of all added queries for the hits of a window, and writes them to columns.
   */
  public void run(Window window, Cancellation cancellation) throws IOException {
    int columns = nodes.size() + terms.size() + norms.size() + 1;
    block = Math.clamp(MAX_CELLS / columns, MIN_DOCUMENTS, MAX_DOCUMENTS);
    block = Math.min(block, window.size());
    List<TermColumn> postings = new ArrayList<>(terms.size());
    terms.values().forEach(term -> postings.add(term.column));
    postings.forEach(term -> term.allocate(block));
    norms.values().forEach(field -> field.allocate(block));
    double[] doubles = new double[block];
    int[] ints = new int[block];
    float[] floats = new float[block];
    window.forEachSegment(
        searcher,
        (segment, from, to) -> {
          cancellation.check();
          for (TermColumn.Norms field : norms.values()) {
            field.segment(segment.reader());
          }
          for (TermColumn term : postings) {
            term.segment(segment);
          }
          for (ScoreNode node : nodes) {
            try {
              node.segment(segment, to - from);
            } catch (RuntimeException e) {
              throw FeatureFailure.of(node.feature, e);
            }
          }
          for (int start = from; start < to; start += block) {
            cancellation.check();
            int size = Math.min(block, to - start);
            block(
                new ScoreNode.Block(
                    window.docs(),
                    start,
                    size,
                    segment.docBase,
                    size == to - from,
                    doubles,
                    ints,
                    floats),
                postings);
          }
        });
  }

  private void block(ScoreNode.Block block, List<TermColumn> postings) throws IOException {
    PostingsEnum done = null;
    for (TermColumn term : postings) {
      done = term.block(block, done);
    }
    for (TermColumn.Norms field : norms.values()) {
      field.block(block);
    }
    for (ScoreNode node : nodes) {
      try {
        node.some = node.present && node.block(block);
      } catch (RuntimeException e) {
        throw FeatureFailure.of(node.feature, e);
      }
    }
    for (Map.Entry<ScoreNode, List<Column>> target : targets.entrySet()) {
      ScoreNode node = target.getKey();
      if (node.some) {
        for (Column column : target.getValue()) {
          System.arraycopy(
              node.scores, 0, column.values(), column.start() + block.from(), block.size());
        }
      }
    }
  }
}
