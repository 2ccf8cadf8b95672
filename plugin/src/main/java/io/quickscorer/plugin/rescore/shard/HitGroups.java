// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import io.quickscorer.plugin.guard.GuardedClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.TotalHits;
import org.opensearch.action.fieldcaps.FieldCapabilitiesRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.index.query.InnerHitBuilder;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.collapse.CollapseBuilder;

/**
 * The groups into which {@code collapse} divides a ranking. A group contains the hits with equal
 * values in a field; hits without a value are one group. The response contains each group's first
 * hit, with other hits of the group as its inner hits.
 *
 * @param field the field by which hits are grouped
 * @param inner the parts of each group that are returned as inner hits
 */
public record HitGroups(String field, List<InnerHits> inner) {
  /**
   * A part of each group's hits that is returned as inner hits.
   *
   * @param name the name of the inner hits
   * @param from the index of the part's first hit in the group
   * @param size the maximum number of hits
   */
  private record InnerHits(String name, int from, int size) {}

  /**
   * Returns the groups that the {@code collapse} of a search defines.
   *
   * @throws IllegalArgumentException (400) if inner hits have options other than name, from and
   *     size
   */
  public static HitGroups of(CollapseBuilder collapse) {
    List<InnerHits> inner = new ArrayList<>();
    for (InnerHitBuilder hits : collapse.getInnerHits()) {
      if (hits.getName() == null) {
        throw new IllegalArgumentException("[collapse] [inner_hits] need a [name]");
      }
      InnerHitBuilder plain =
          new InnerHitBuilder()
              .setName(hits.getName())
              .setFrom(hits.getFrom())
              .setSize(hits.getSize());
      if (!hits.equals(plain)) {
        throw new IllegalArgumentException(
            "[collapse] [inner_hits] may have only [name], [from] and [size] in a search with"
                + " [scope] global");
      }
      inner.add(new InnerHits(hits.getName(), hits.getFrom(), hits.getSize()));
    }
    return new HitGroups(collapse.getField(), List.copyOf(inner));
  }

  /**
   * Divides a ranking into groups. Returns each group's hits as indices in {@code hits}; the group
   * with the best hit comes first.
   *
   * @param order the indices of the ranked hits, best first
   * @param sent the data that the shards sent, in the order of {@code hits}
   * @throws IllegalArgumentException (400) if a hit has several values
   */
  List<List<Integer>> of(List<Integer> order, List<SearchHit> hits, List<CarriedHit> sent) {
    Map<List<Object>, List<Integer>> byValue = new HashMap<>();
    List<List<Integer>> groups = new ArrayList<>();
    for (int place : order) {
      List<Integer> group =
          byValue.computeIfAbsent(
              value(hits.get(place), sent.get(place)),
              value -> {
                groups.add(new ArrayList<>());
                return groups.getLast();
              });
      group.add(place);
    }
    return groups;
  }

  private List<Object> value(SearchHit hit, CarriedHit sent) {
    if (sent.group().size() > 1) {
      throw new IllegalArgumentException(
          "[collapse] field [" + field + "] of hit [" + hit.getId() + "] has several values");
    }
    return sent.group();
  }

  /**
   * Checks that a searched index contains the field by which hits are grouped. Sends a request only
   * if no hit has a value in the field. If this request fails, the check is skipped.
   *
   * @param searched the search that found the hits
   * @param sent the name of the field in which shards sent their data
   * @param listener fails with 400 if there are hits and no index contains the field; must not
   *     throw an exception
   */
  public void checkMapped(
      GuardedClient client,
      SearchRequest searched,
      SearchHits hits,
      String sent,
      ActionListener<Void> listener) {
    SearchHit[] all = hits.getHits();
    if (all.length == 0
        || Arrays.stream(all).anyMatch(hit -> !CarriedHit.of(hit, sent).group().isEmpty())) {
      listener.onResponse(null);
      return;
    }
    client.fieldCaps(
        new FieldCapabilitiesRequest()
            .indices(searched.indices())
            .indicesOptions(searched.indicesOptions())
            .fields(field),
        ActionListener.wrap(
            found -> {
              if (found.getField(field) == null) {
                listener.onFailure(
                    new IllegalArgumentException(
                        "[collapse] no index has a field [" + field + "]"));
              } else {
                listener.onResponse(null);
              }
            },
            unknown -> listener.onResponse(null)));
  }

  /** Returns the maximum number of a group's best hits that the response contains. */
  int shown() {
    long shown = inner.stream().mapToLong(hits -> (long) hits.from + hits.size).max().orElse(0);
    return (int) Math.min(shown, Integer.MAX_VALUE);
  }

  /**
   * Adds hits of a group to its first hit, as inner hits.
   *
   * @param group the group's hits, best first; the first {@link #shown} hits must have all their
   *     data
   */
  void show(List<SearchHit> group) throws IOException {
    if (inner.isEmpty()) {
      return;
    }
    SearchHit head = group.getFirst();
    List<SearchHit> members = new ArrayList<>(group);
    members.set(0, copy(head));
    TotalHits total = new TotalHits(group.size(), TotalHits.Relation.EQUAL_TO);
    Map<String, SearchHits> shown = new LinkedHashMap<>();
    for (InnerHits part : inner) {
      int from = Math.min(part.from, members.size());
      int end = (int) Math.min(members.size(), (long) part.from + part.size);
      SearchHit[] page = members.subList(from, end).toArray(SearchHit[]::new);
      shown.put(part.name, new SearchHits(page, total, head.getScore()));
    }
    head.setInnerHits(shown);
  }

  /** Returns a copy of a hit, because a hit can't be an inner hit of itself. */
  private static SearchHit copy(SearchHit hit) throws IOException {
    try (BytesStreamOutput out = new BytesStreamOutput()) {
      hit.writeTo(out);
      try (StreamInput in = out.bytes().streamInput()) {
        return new SearchHit(in);
      }
    }
  }
}
