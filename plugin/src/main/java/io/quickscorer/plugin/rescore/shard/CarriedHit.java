// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;

/**
 * Data that a shard sends with a hit, so that the coordinating node can rank the hits of all
 * shards. Sent as a field of the hit; a random text (nonce) in its name makes the field unique.
 * Immutable.
 *
 * @param values the values of the clause's features; empty if the models do not rank the hit, or if
 *     the hit has a score and is not fetched
 * @param score the score by the clause's only model; null if the shard did not compute it
 * @param fetched whether the shard fetched the hit, so that a response can contain it
 * @param group the hit's distinct values of the field by which hits are grouped (collapsed); empty
 *     if there are none
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
public record CarriedHit(
    float[] values, @Nullable Double score, boolean fetched, List<Object> group) {
  private static final CarriedHit NONE = new CarriedHit(new float[0], null, true, List.of());

  public CarriedHit {
    group = List.copyOf(group);
  }

  /** Returns the name of the field that contains the data of a search with this nonce. */
  public static String field(String nonce) {
    return ShownHits.FIELD + "/" + nonce;
  }

  /** Returns whether the coordinating node needs the values of this hit, which the models rank. */
  boolean needsValues() {
    return fetched || score == null;
  }

  /** Adds this data to a hit, as a field with this name. */
  public void put(SearchHit hit, String field) {
    List<Object> sent = new ArrayList<>();
    sent.add(values);
    sent.add(score);
    sent.add(fetched);
    sent.addAll(group);
    hit.setDocumentField(field, new DocumentField(field, sent));
  }

  /** Returns a hit's data; empty data if the shard sent none. */
  public static CarriedHit of(SearchHit hit, String field) {
    DocumentField found = hit.field(field);
    if (found == null) {
      return NONE;
    }
    List<Object> sent = found.getValues();
    return new CarriedHit(
        (float[]) sent.getFirst(),
        (Double) sent.get(1),
        (boolean) sent.get(2),
        sent.subList(3, sent.size()));
  }

  /** Removes the data that {@link #put} added to a hit, and returns them. */
  public static CarriedHit take(SearchHit hit, String field) {
    CarriedHit carried = of(hit, field);
    hit.removeDocumentField(field);
    return carried;
  }
}
