// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.TermStatistics;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.TextFieldMapper;
import org.opensearch.index.mapper.WildcardFieldMapper;

/**
 * A feature whose value is a statistic of the terms (words) of a text, such as their document
 * frequency, combined into one number. The field's search analyzer splits the text into terms.
 *
 * @param text the template of the text, with parameters of the request
 * @param match the template of a match query that searches {@code field} for {@code text}. This
 *     query splits the text into terms
 */
record TermStatisticsFeature(
    String name,
    Modifiers modifiers,
    String field,
    String text,
    Statistic statistic,
    Aggregate aggregate,
    QueryTemplate match)
    implements FeatureDefinition {
  static TermStatisticsFeature parse(String name, Modifiers modifiers, Options options)
      throws IOException {
    String field = options.string("field");
    String text = options.string("text");
    if (field.contains("{{")) {
      throw new IllegalArgumentException("[field] must be the name of a field, not a template");
    }
    return new TermStatisticsFeature(
        name,
        modifiers,
        field,
        text,
        options.choice("statistic", Statistic.class, null),
        options.choice("aggregate", Aggregate.class, null),
        // A match query analyses the text exactly as searches of the field do.
        QueryTemplate.of(Map.of("match", Map.of(field, Map.of("query", text)))));
  }

  @Override
  public void tell(Uses uses) {
    uses.query(match);
  }

  @Override
  public void optionsToXContent(XContentBuilder builder) throws IOException {
    builder.field("field", field).field("text", text);
    builder.field("statistic", EnumNames.of(statistic));
    builder.field("aggregate", EnumNames.of(aggregate));
  }

  @Override
  public BoundFeature bind(RequestBinding request) throws IOException {
    return new Bound(name, modifiers, field, request.query(match), statistic, aggregate);
  }

  /**
   * The term statistics feature of one request.
   *
   * @param query the index of the query in the request's list of queries
   */
  record Bound(
      String name,
      Modifiers modifiers,
      String field,
      int query,
      Statistic statistic,
      Aggregate aggregate)
      implements BoundFeature {
    @Override
    public boolean readsTerms() {
      return true;
    }

    @Override
    public ShardFeature onShard(ShardBinding shard) {
      MappedFieldType type = shard.field(field);
      Query matching = shard.query(query);
      QueryTerms terms = new QueryTerms(matching);
      boolean parts = type.typeName().equals(WildcardFieldMapper.CONTENT_TYPE);
      if (parts || terms.isEmpty() && !(matching instanceof MatchNoDocsQuery)) {
        throw new IllegalArgumentException(
            "field [" + field + "] of type [" + type.typeName() + "] has no terms");
      }
      if (statistic == Statistic.POSITION && !type.getTextSearchInfo().hasPositions()) {
        throw new IllegalArgumentException(
            "field [" + field + "] is indexed without positions, which statistic [position] needs");
      }
      if (statistic.counts() && lacksFrequencies(type.unwrap(), shard.context().getIndexReader())) {
        throw new IllegalArgumentException(
            "field ["
                + field
                + "] is indexed without frequencies, which statistic ["
                + EnumNames.of(statistic)
                + "] needs");
      }
      return ShardFeature.of(values(terms), modifiers);
    }

    /** Other fields than text have a term at most once in a document. */
    private static boolean lacksFrequencies(MappedFieldType type, IndexReader index) {
      if (type instanceof TextFieldMapper.TextFieldType) {
        for (LeafReaderContext segment : index.leaves()) {
          FieldInfo field = segment.reader().getFieldInfos().fieldInfo(type.name());
          if (field != null) {
            return field.getIndexOptions() == IndexOptions.DOCS;
          }
        }
      }
      return false;
    }

    private ShardFeature.Source values(QueryTerms terms) {
      return switch (statistic) {
        case DF, TTF, IDF ->
            (searcher, window, values) ->
                Arrays.fill(values, terms.ofShard(searcher, statistic, aggregate));
        case TF, POSITION ->
            (searcher, window, values) ->
                terms.ofDocuments(searcher, window, statistic, aggregate, values);
      };
    }
  }

  /**
   * A statistic of each distinct term of a text. {@link #DF}, {@link #TTF} and {@link #IDF} are
   * equal for all documents of a shard. They are computed over this shard; in a search with global
   * statistics, over all shards.
   */
  enum Statistic {
    /** The number of documents with the term in the field. */
    DF,
    /** The number of occurrences of the term in the field in all documents. */
    TTF,
    /**
     * The inverse document frequency of BM25: {@code ln(1 + (N - df + 0.5) / (df + 0.5))}, where N
     * is the number of documents with the field.
     */
    IDF,
    /** The number of occurrences of the term in the document's field. */
    TF,
    /** The positions of the term in the document's field: 0 for the field's first word. */
    POSITION;

    /** Returns whether the statistic counts each occurrence of a term in a document. */
    boolean counts() {
      return this == TTF || this == TF;
    }
  }

  /** The distinct terms of a query in the order of the text, and their statistics. */
  private static final class QueryTerms {
    private final List<Term> terms;

    QueryTerms(Query query) {
      Set<Term> found = new LinkedHashSet<>();
      query.visit(QueryVisitor.termCollector(found));
      this.terms = List.copyOf(found);
    }

    boolean isEmpty() {
      return terms.isEmpty();
    }

    /**
     * Returns a statistic of the terms over all documents, combined into one number; {@link
     * Aggregate#ofNone} if there are no terms. For {@link Aggregate#COUNT}, this is the number of
     * terms that at least one document contains.
     */
    double ofShard(IndexSearcher searcher, Statistic statistic, Aggregate aggregate)
        throws IOException {
      if (terms.isEmpty()) {
        return aggregate.ofNone();
      }
      double sum = aggregate.start();
      int count = 0;
      for (Term term : terms) {
        TermStatistics known = statistics(searcher, term);
        long documents = known == null ? 0 : known.docFreq();
        if (aggregate == Aggregate.COUNT && documents == 0) {
          continue;
        }
        sum =
            aggregate.add(
                sum,
                switch (statistic) {
                  case DF -> documents;
                  case TTF -> known == null ? 0 : known.totalTermFreq();
                  case IDF -> idf(searcher.collectionStatistics(term.field()), documents);
                  case TF, POSITION ->
                      throw new IllegalArgumentException(
                          "internal error: statistic ["
                              + EnumNames.of(statistic)
                              + "] is computed per document, not per shard; report this as a bug");
                });
        count++;
      }
      return aggregate.finish(sum, count);
    }

    private static double idf(@Nullable CollectionStatistics field, long documents) {
      long all = field == null ? 0 : field.docCount();
      return Math.log(1 + (all - documents + 0.5) / (documents + 0.5));
    }

    /**
     * Returns in how many documents, and how often, a term occurs; null if no document contains it.
     * In a search with global statistics, all shards are counted.
     */
    private static @Nullable TermStatistics statistics(IndexSearcher searcher, Term term)
        throws IOException {
      TermStates states = TermStates.build(searcher, term, true);
      if (states.docFreq() > 0) {
        return searcher.termStatistics(term, states.docFreq(), states.totalTermFreq());
      }
      TermStatistics echo = searcher.termStatistics(term, 1, Long.MAX_VALUE);
      return echo.totalTermFreq() == Long.MAX_VALUE ? null : echo;
    }

    /**
     * Computes a statistic of the terms for each document, combined into one number. For TF, a term
     * that the document lacks has the value 0, but {@link Aggregate#COUNT} does not count it. For
     * POSITION, each occurrence has one value. A document without values gets {@link
     * Aggregate#ofNone}.
     *
     * @param values receives one number per document
     */
    void ofDocuments(
        IndexSearcher searcher,
        Window window,
        Statistic statistic,
        Aggregate aggregate,
        double[] values)
        throws IOException {
      Arrays.fill(values, aggregate.ofNone());
      int flags = statistic == Statistic.POSITION ? PostingsEnum.POSITIONS : PostingsEnum.FREQS;
      window.forEachSegment(
          searcher,
          (segment, from, to) -> {
            int size = to - from;
            double[] sums = new double[size];
            int[] counts = new int[size];
            Arrays.fill(sums, aggregate.start());
            Cancellation cancellation = Cancellation.of(searcher);
            for (Term term : terms) {
              cancellation.check();
              PostingsEnum postings = segment.reader().postings(term, flags);
              for (int i = 0; i < size; i++) {
                int doc = window.docs()[from + i] - segment.docBase;
                int freq = postings != null && advance(postings, doc) ? postings.freq() : 0;
                if (statistic == Statistic.TF) {
                  if (freq > 0 || aggregate != Aggregate.COUNT) {
                    sums[i] = aggregate.add(sums[i], freq);
                    counts[i]++;
                  }
                } else if (postings != null) {
                  for (int p = 0; p < freq; p++) {
                    sums[i] = aggregate.add(sums[i], postings.nextPosition());
                    counts[i]++;
                  }
                }
              }
            }
            for (int i = 0; i < size; i++) {
              if (counts[i] > 0) {
                values[from + i] = aggregate.finish(sums[i], counts[i]);
              }
            }
          });
    }

    private static boolean advance(PostingsEnum postings, int doc) throws IOException {
      int current = postings.docID();
      return (current < doc ? postings.advance(doc) : current) == doc;
    }
  }
}
