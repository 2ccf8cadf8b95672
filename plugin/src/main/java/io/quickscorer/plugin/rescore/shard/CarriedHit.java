// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import java.util.ArrayList;
import java.util.List;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;

/**
 * Data that a shard sends with a hit, so that the coordinating node can rank the hits of all
 * shards. Sent as a field of the hit; a random text (nonce) in its name makes the field unique.
 * Immutable.
 *
 * @param values the values of the clause's features; empty if the models do not rank the hit
 * @param group the hit's distinct values of the field by which hits are grouped (collapsed); empty
 *     if there are none
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
public record CarriedHit(float[] values, List<Object> group) {
  private static final CarriedHit NONE = new CarriedHit(new float[0], List.of());

  public CarriedHit {
    group = List.copyOf(group);
  }

  private static String name(String nonce) {
    return ShownHits.FIELD + "/" + nonce;
  }

  /** Adds this data to a hit, as a field whose name contains {@code nonce}. */
  public void put(SearchHit hit, String nonce) {
    List<Object> sent = new ArrayList<>();
    sent.add(values);
    sent.addAll(group);
    hit.setDocumentField(name(nonce), new DocumentField(name(nonce), sent));
  }

  /** Returns a hit's data; empty data if the shard sent none. */
  public static CarriedHit of(SearchHit hit, String nonce) {
    DocumentField field = hit.field(name(nonce));
    if (field == null) {
      return NONE;
    }
    List<Object> sent = field.getValues();
    return new CarriedHit((float[]) sent.getFirst(), sent.subList(1, sent.size()));
  }

  /** Removes the data that {@link #put} added to a hit, and returns them. */
  public static CarriedHit take(SearchHit hit, String nonce) {
    CarriedHit carried = of(hit, nonce);
    hit.removeDocumentField(name(nonce));
    return carried;
  }
}
