// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.guard.Guard;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.guard.Sequence;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.ModelBreaker;
import io.quickscorer.plugin.model.ModelDescription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.action.admin.indices.refresh.RefreshAction;
import org.opensearch.action.admin.indices.refresh.RefreshRequest;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.cache.Cache;
import org.opensearch.common.cache.CacheBuilder;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;

/**
 * Stores each feature set as one document of {@link ModelIndex}. Feature sets are not stored in the
 * cluster state, which each node keeps in memory, because a set may contain hundreds of query
 * templates.
 */
public final class FeatureSetStore {
  /** Maximum number of feature sets in a list. */
  public static final int MAX_LISTED = 10_000;

  /** Number of feature sets that {@link #list} reads with one search. */
  private static final int PAGE = 16;

  static final String KIND = "feature_set";

  /**
   * The kind of a document that marks a feature set as deleted. The mark replaces the set's
   * document just before the deletion.
   */
  static final String DELETED = "deleted_feature_set";

  /** Maximum total size, in bytes, of the documents whose parsed feature sets are cached. */
  private static final long MAX_PARSED = 4 << 20;

  private final GuardedClient client;
  private final ModelIndex index;
  private final ModelBreaker breaker;
  private final FeatureSetWriter writer;
  private final Cache<String, Parsed> parsed =
      CacheBuilder.<String, Parsed>builder()
          .setMaximumWeight(MAX_PARSED)
          .weigher((name, known) -> known.bytes)
          .build();

  /**
   * A cached feature set, with the index UUID, primary term and sequence number of the write that
   * stored its document.
   *
   * @param bytes the size of the document
   */
  private record Parsed(String index, long term, long number, int bytes, FeatureSet set) {
    boolean isOf(String otherIndex, GetResponse response) {
      return index.equals(otherIndex)
          && term == response.getPrimaryTerm()
          && number == response.getSeqNo();
    }
  }

  public FeatureSetStore(GuardedClient client, ModelIndex index, ModelBreaker breaker) {
    this.client = client;
    this.index = index;
    this.breaker = breaker;
    this.writer = new FeatureSetWriter(client, index);
  }

  static String documentId(String name) {
    return KIND + ":" + name;
  }

  /**
   * Identifies a write of a feature set's document by its sequence number and primary term.
   *
   * @param created whether the write created the feature set
   * @param number the sequence number
   * @param term the primary term
   */
  public record Written(boolean created, long number, long term) {
    /** No write: the request has not changed a document. */
    public static final Written NOTHING =
        new Written(
            false, SequenceNumbers.UNASSIGNED_SEQ_NO, SequenceNumbers.UNASSIGNED_PRIMARY_TERM);
  }

  /**
   * Stores a feature set under its name. A set is replaced only if it has not changed since this
   * call, so that a delayed request cannot overwrite a later change.
   *
   * @param now the current time, which is stored, in milliseconds since the epoch
   * @param create whether to fail with 409 if the set exists
   * @param listener fails with 409 if another request changed the set meanwhile
   */
  public void put(FeatureSet set, long now, boolean create, ActionListener<Written> listener) {
    writer.put(set, now, create, listener);
  }

  /**
   * Reads a feature set by its name. If the index cannot be read, first waits for a limited time; a
   * node that has just started cannot read it.
   */
  public void await(String name, ActionListener<FeatureSet> listener) {
    index.whenReady(ActionListener.wrap(ready -> get(name, listener), listener::onFailure));
  }

  /**
   * Reads a feature set by its name; fails with 404 if it does not exist. The set is parsed again
   * only if it has changed.
   */
  public void get(String name, ActionListener<FeatureSet> listener) {
    read(name, parsed.get(name), ActionListener.map(listener, read -> read.set));
  }

  private void read(String name, @Nullable Parsed known, ActionListener<Parsed> listener) {
    String indexId = index.id();
    GetRequest request = new GetRequest(ModelIndex.NAME, documentId(name));
    if (known != null) {
      request.fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE);
    }
    client.get(
        request,
        ActionListener.wrap(
            response -> {
              if (!response.isExists()) {
                parsed.invalidate(name);
                throw missing(name, null);
              }
              if (known == null) {
                BytesReference source = response.getSourceAsBytesRef();
                FeatureSet set = parse(name, source);
                long term = response.getPrimaryTerm();
                Parsed read = new Parsed(indexId, term, response.getSeqNo(), source.length(), set);
                parsed.put(name, read);
                listener.onResponse(read);
              } else if (known.isOf(indexId, response)) {
                listener.onResponse(known);
              } else {
                parsed.invalidate(name);
                read(name, null, listener);
              }
            },
            failure -> listener.onFailure(missingIndex(name, failure))));
  }

  /**
   * Reads several feature sets by their names. If the index cannot be read, first waits for a
   * limited time; a node that has just started cannot read it.
   *
   * @param memory receives the charge for the sets; the caller closes it after their last use
   * @param listener receives the sets by name; fails with 404 if a set does not exist, or with 429
   *     if memory is short
   */
  public void getAll(
      Collection<String> names,
      MemoryCharge memory,
      ActionListener<Map<String, FeatureSet>> listener) {
    if (names.isEmpty()) {
      listener.onResponse(Map.of());
      return;
    }
    Map<String, FeatureSet> sets = new HashMap<>();
    // Reads the sets one by one, so that the memory of each is charged before the next one is read.
    index.whenReady(
        ActionListener.wrap(
            ready ->
                Sequence.each(
                    names.iterator(),
                    (name, next) ->
                        read(
                            name,
                            parsed.get(name),
                            ActionListener.map(
                                next,
                                read -> {
                                  memory.grow((long) ModelDescription.PARSED_FACTOR * read.bytes);
                                  sets.put(read.set.name(), read.set);
                                  return null;
                                })),
                    ActionListener.map(listener, all -> sets)),
            listener::onFailure));
  }

  /**
   * Deletes a feature set. Models that were uploaded with the set have their own copies.
   *
   * @param listener fails with 404 if the set does not exist, or with 409 if another request
   *     changed it meanwhile
   */
  public void delete(String name, ActionListener<Void> listener) {
    writer.delete(
        name, Guard.recovering(listener, (l, failure) -> l.onFailure(missingIndex(name, failure))));
  }

  /**
   * Deletes a feature set if it was not changed after the write {@code written}; otherwise fails
   * with 409.
   */
  public void delete(String name, Written written, ActionListener<Void> listener) {
    writer.delete(name, written, listener);
  }

  /** A feature set in a list; {@code set} is null if its document cannot be read. */
  public record Listed(String name, @Nullable FeatureSet set) implements ToXContentObject {
    /**
     * Returns the feature set.
     *
     * @throws OpenSearchStatusException (503) if its document cannot be read
     */
    public FeatureSet readable() {
      if (set == null) {
        throw broken(name, null);
      }
      return set;
    }

    /** Writes the feature set for a response, or its name and an error if it cannot be read. */
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      return set != null
          ? set.show(builder)
          : builder
              .startObject()
              .field("name", name)
              .field("error", broken(name, null).getMessage())
              .endObject();
    }
  }

  /**
   * Reads all feature sets.
   *
   * @param memory receives the charge for the sets; the caller closes it after their last use
   * @param listener receives the sets, sorted by name; fails with 429 if memory is short
   */
  public void list(MemoryCharge memory, ActionListener<List<Listed>> listener) {
    index.whenReady(ActionListener.wrap(ready -> listReady(memory, listener), listener::onFailure));
  }

  private void listReady(MemoryCharge memory, ActionListener<List<Listed>> listener) {
    if (!index.exists()) {
      listener.onResponse(List.of());
      return;
    }
    // A search finds only refreshed documents; a refresh at each write would cost more.
    List<Listed> sets = new ArrayList<>();
    AtomicBoolean more = new AtomicBoolean(true);
    client.execute(
        RefreshAction.INSTANCE,
        new RefreshRequest(ModelIndex.NAME),
        ActionListener.wrap(
            refreshed ->
                Sequence.repeat(
                    () -> more.get() ? MAX_LISTED - sets.size() : 0,
                    next -> readPage(sets, memory, more, next),
                    ActionListener.map(listener, all -> sets)),
            listener::onFailure));
  }

  /**
   * Reads the next page of documents, and charges their memory.
   *
   * @param more set to false if this is the last page
   */
  private void readPage(
      List<Listed> sets, MemoryCharge memory, AtomicBoolean more, ActionListener<Void> listener) {
    SearchSourceBuilder page =
        new SearchSourceBuilder()
            .query(QueryBuilders.termQuery("kind", KIND))
            .size(PAGE)
            .sort("name");
    if (!sets.isEmpty()) {
      page.searchAfter(new Object[] {sets.getLast().name()});
    }
    client.search(
        new SearchRequest(ModelIndex.NAME)
            .source(page)
            .preference(index.preference())
            .allowPartialSearchResults(false),
        ActionListener.map(
            listener,
            found -> {
              SearchHit[] hits = found.getHits().getHits();
              long bytes = Stream.of(hits).mapToLong(hit -> hit.getSourceRef().length()).sum();
              memory.grow(ModelDescription.PARSED_FACTOR * bytes);
              for (SearchHit hit : hits) {
                String name = hit.getId().substring(documentId("").length());
                sets.add(listed(name, hit.getSourceRef()));
              }
              more.set(hits.length == PAGE);
              return null;
            }));
  }

  private Listed listed(String name, BytesReference source) {
    try {
      return new Listed(name, parse(name, source));
    } catch (OpenSearchStatusException e) {
      return new Listed(name, null);
    }
  }

  private FeatureSet parse(String name, BytesReference source) {
    try (MemoryCharge memory = breaker.reserve(0, "<feature set [" + name + "]>")) {
      return Door.own(XContentType.CBOR, source, memory, in -> stored(name, in));
    } catch (CircuitBreakingException | ResourceNotFoundException e) {
      throw e;
    } catch (RuntimeException e) {
      throw broken(name, e);
    }
  }

  private static FeatureSet stored(String name, Input in) throws IOException {
    List<FeatureSet> set = new ArrayList<>();
    new Shape<List<FeatureSet>>()
        .text(
            ModelStore.KIND,
            (sets, kind) -> {
              if (kind.equals(DELETED)) {
                throw missing(name);
              }
            })
        .any(ModelDescription.FEATURE_SET, (sets, value) -> sets.add(FeatureSet.read(name, value)))
        .required(ModelDescription.FEATURE_SET)
        .lenient()
        .read(in, set);
    return set.getFirst();
  }

  private static OpenSearchStatusException broken(String name, @Nullable Exception cause) {
    return new OpenSearchStatusException(
        "feature set [{}]: the stored document cannot be read; upload the set again",
        RestStatus.SERVICE_UNAVAILABLE,
        cause,
        name);
  }

  private static Exception missingIndex(String name, Exception failure) {
    return failure instanceof IndexNotFoundException ? missing(name, failure) : failure;
  }

  /** Returns the exception (404) for a feature set that does not exist. */
  public static ResourceNotFoundException missing(String name) {
    return missing(name, null);
  }

  private static ResourceNotFoundException missing(String name, @Nullable Exception cause) {
    return new ResourceNotFoundException("no feature set [" + name + "]", cause);
  }
}
