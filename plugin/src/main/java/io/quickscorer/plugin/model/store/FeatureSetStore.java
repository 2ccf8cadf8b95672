// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.store;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.feature.FeatureSet;
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
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;

/**
 * Feature sets as documents of {@link ModelIndex}, one each. They are not in the cluster state
 * because a set of some hundred query templates is too large for data that every node holds.
 */
public final class FeatureSetStore {
  /** Most sets one listing shows. */
  public static final int MAX_LISTED = 10_000;

  /** Sets that a listing reads at once. */
  private static final int PAGE = 16;

  static final String KIND = "feature_set";

  /** Bytes of the documents of all sets that are kept parsed. */
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
   * A set and the writing of its document that it was parsed from.
   *
   * @param index the index's UUID
   * @param bytes of the document
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
   * Identifies one write of a set's document.
   *
   * @param created whether there was no set with this name
   */
  public record Written(boolean created, long number, long term) {
    /** Where nothing was written. */
    public static final Written NOTHING =
        new Written(
            false, SequenceNumbers.UNASSIGNED_SEQ_NO, SequenceNumbers.UNASSIGNED_PRIMARY_TERM);
  }

  /**
   * Stores a set under its name. What a network held up on its way undoes no later change: a set is
   * replaced only if it is the one that was there when this began.
   *
   * @param create whether to fail with 409 where there is one of that name
   * @param listener fails with 409 where another request changed it meanwhile
   */
  public void put(FeatureSet set, long now, boolean create, ActionListener<Written> listener) {
    writer.put(set, now, create, listener);
  }

  /** Reads like {@link #get}, but waits for a while if the node has just started. */
  public void await(String name, ActionListener<FeatureSet> listener) {
    index.whenReady(ActionListener.wrap(ready -> get(name, listener), listener::onFailure));
  }

  /**
   * Reads a set; fails with 404 if there is none of that name. Always the set as it is now, though
   * it is parsed only if it has changed.
   */
  public void get(String name, ActionListener<FeatureSet> listener) {
    read(name, ActionListener.map(listener, read -> read.set));
  }

  private void read(String name, ActionListener<Parsed> listener) {
    Parsed known = parsed.get(name);
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
                read(name, listener);
              }
            },
            failure -> listener.onFailure(missingIndex(name, failure))));
  }

  /**
   * Reads several sets, by name; fails with 404 if there is none of some name.
   *
   * @param listener fails with 429 where there is no memory for all of them
   */
  public void getAll(Collection<String> names, ActionListener<Map<String, FeatureSet>> listener) {
    if (names.isEmpty()) {
      listener.onResponse(Map.of());
      return;
    }
    MemoryCharge memory;
    try {
      memory = breaker.reserve(0, "<feature sets>");
    } catch (CircuitBreakingException e) {
      listener.onFailure(e);
      return;
    }
    Map<String, FeatureSet> sets = new HashMap<>();
    // The next is read only if there is memory for those before.
    Sequence.each(
        names.iterator(),
        (name, next) ->
            read(
                name,
                ActionListener.map(
                    next,
                    read -> {
                      memory.resize(
                          memory.bytes() + (long) ModelDescription.PARSED_FACTOR * read.bytes);
                      sets.put(read.set.name(), read.set);
                      return null;
                    })),
        ActionListener.runAfter(ActionListener.map(listener, all -> sets), memory::close));
  }

  /**
   * Deletes a set. Models keep their copies.
   *
   * @param listener fails with 404 if there is none of that name, with 409 where another request
   *     changed it meanwhile
   */
  public void delete(String name, ActionListener<Void> listener) {
    writer.delete(
        name,
        ActionListener.delegateResponse(
            listener, (l, failure) -> l.onFailure(missingIndex(name, failure))));
  }

  /** Deletes a set if it is still the one that was written so; fails with 409 if not. */
  public void delete(String name, Written written, ActionListener<Void> listener) {
    writer.delete(name, written, listener);
  }

  /**
   * One set of a list.
   *
   * @param set null if its stored form cannot be read
   */
  public record Listed(String name, @Nullable FeatureSet set) {
    /**
     * Returns the set.
     *
     * @throws OpenSearchStatusException (503) if its stored form cannot be read
     */
    public FeatureSet readable() {
      if (set == null) {
        throw broken(name, null);
      }
      return set;
    }

    /** Writes the set for users, or its name and the failure. */
    public XContentBuilder show(XContentBuilder builder, ToXContent.Params params)
        throws IOException {
      return set != null
          ? set.show(builder, params)
          : builder
              .startObject()
              .field("name", name)
              .field("error", broken(name, null).getMessage())
              .endObject();
    }
  }

  /**
   * Reads all sets, by name.
   *
   * @param listener fails with 429 if there is no memory for all of them
   */
  public void list(ActionListener<List<Listed>> listener) {
    if (!index.exists()) {
      listener.onResponse(List.of());
      return;
    }
    MemoryCharge memory;
    try {
      memory = breaker.reserve(0, "<list of feature sets>");
    } catch (CircuitBreakingException e) {
      listener.onFailure(e);
      return;
    }
    ActionListener<List<Listed>> closing = ActionListener.runAfter(listener, memory::close);
    // A search sees what was refreshed; to refresh at each write takes longer than all else of it.
    client.execute(
        RefreshAction.INSTANCE,
        new RefreshRequest(ModelIndex.NAME),
        ActionListener.wrap(
            refreshed -> list(new ArrayList<>(), memory, closing), closing::onFailure));
  }

  /** Reads page after page; a page is charged before it is parsed. */
  private void list(List<Listed> sets, MemoryCharge memory, ActionListener<List<Listed>> listener) {
    SearchSourceBuilder page =
        new SearchSourceBuilder()
            .query(QueryBuilders.termQuery("kind", KIND))
            .size(PAGE)
            .sort("name");
    if (!sets.isEmpty()) {
      page.searchAfter(new Object[] {sets.getLast().name()});
    }
    client.search(
        new SearchRequest(ModelIndex.NAME).source(page).preference(index.preference()),
        ActionListener.wrap(
            found -> {
              SearchHit[] hits = found.getHits().getHits();
              long bytes = Stream.of(hits).mapToLong(hit -> hit.getSourceRef().length()).sum();
              memory.resize(memory.bytes() + ModelDescription.PARSED_FACTOR * bytes);
              for (SearchHit hit : hits) {
                String name = hit.getId().substring(documentId("").length());
                sets.add(listed(name, hit.getSourceRef()));
              }
              if (hits.length < PAGE || sets.size() >= MAX_LISTED) {
                listener.onResponse(sets);
              } else {
                list(sets, memory, listener);
              }
            },
            listener::onFailure));
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
    } catch (CircuitBreakingException e) {
      throw e;
    } catch (RuntimeException e) {
      throw broken(name, e);
    }
  }

  private static FeatureSet stored(String name, Input in) throws IOException {
    List<FeatureSet> set = new ArrayList<>();
    new Shape<List<FeatureSet>>()
        .any(ModelDescription.FEATURE_SET, (sets, value) -> sets.add(FeatureSet.read(name, value)))
        .required(ModelDescription.FEATURE_SET)
        .lenient()
        .read(in, set);
    return set.getFirst();
  }

  private static OpenSearchStatusException broken(String name, @Nullable Exception cause) {
    return new OpenSearchStatusException(
        "feature set [{}]: its stored form cannot be read; upload the set again",
        RestStatus.SERVICE_UNAVAILABLE,
        cause,
        name);
  }

  private static Exception missingIndex(String name, Exception failure) {
    return failure instanceof IndexNotFoundException ? missing(name, failure) : failure;
  }

  /** Returns the exception for a failed look-up by name (404). */
  public static ResourceNotFoundException missing(String name) {
    return missing(name, null);
  }

  private static ResourceNotFoundException missing(String name, @Nullable Exception cause) {
    return new ResourceNotFoundException("no feature set [" + name + "]", cause);
  }
}
