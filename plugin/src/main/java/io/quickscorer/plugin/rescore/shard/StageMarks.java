// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Encodes the stage that each hit has reached in marks. Marks are a set of numbers like doc ids,
 * because the server passes only the set of rescored doc ids from the query phase to the fetch
 * phase. A document that reached the last stage has one mark, its id, a document that the first
 * stage dropped has the mark {@code ~id}, and a document that the second of three stages dropped
 * has both marks.
 */
final class StageMarks {
  private StageMarks() {}

  /**
   * Returns the marks of all hits that any stage has ranked, in ascending order.
   *
   * @param last the ids of the documents that have reached the last stage, ascending; if no hit was
   *     dropped, this array is returned
   * @param dropped the hits that earlier stages did not keep
   */
  public static int[] of(int[] last, Iterable<Dropped> dropped) {
    if (!dropped.iterator().hasNext()) {
      return last;
    }
    IntStream marks = Arrays.stream(last);
    for (Dropped hits : dropped) {
      int[] docs = Arrays.stream(hits.keys()).mapToInt(HitKeys::doc).toArray();
      marks = IntStream.concat(marks, Arrays.stream(docs).map(doc -> ~doc));
      if (hits.stage() > 0) {
        marks = IntStream.concat(marks, Arrays.stream(docs));
      }
    }
    return marks.sorted().toArray();
  }

  /**
   * Returns the index of the last stage that scored a document, from 0, or -1 if none did. If two
   * parts of a hybrid query have ranked a document separately, returns the later stage.
   *
   * @param marks the marks of all documents
   * @param stages the number of stages of the clause
   */
  public static int stage(Set<Integer> marks, int doc, int stages) {
    boolean same = marks.contains(doc);
    if (!marks.contains(~doc)) {
      return same ? stages - 1 : -1;
    }
    return same ? Math.max(1, stages - 2) : 0;
  }
}
