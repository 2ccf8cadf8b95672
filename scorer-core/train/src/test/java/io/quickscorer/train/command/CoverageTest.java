// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.cluster.ClusterClient;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.Judgments;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is said of an index that lacks judged documents; TrainMistakesIT asks a real one. */
final class CoverageTest {
  private static final Judgments JUDGMENTS =
      new Judgments(
          List.of(
              JudgedQuery.of(
                  "q",
                  "q",
                  IntStream.range(0, 10).boxed().collect(Collectors.toMap(d -> "d" + d, d -> 1)))),
          0,
          0,
          "grades 1, not converted",
          null);

  private static Coverage of(ClusterStub cluster, double least) throws Failure {
    ClusterClient client = new ClusterClient(URI.create(cluster.address()));
    return Coverage.of(JUDGMENTS, client, "shop", null, least);
  }

  /** Some numbers of a field are ids by chance. */
  @Test
  void aPartOfTheDocumentsIsNoOtherField() throws Exception {
    try (ClusterStub cluster = new ClusterStub()) {
      cluster.documents = List.of("d0", "d1", "d2", "other");
      cluster.votes = 2;
      String said = assertThrows(Failure.class, () -> of(cluster, 0.5)).getMessage();
      assertTrue(said.startsWith("3 of 10 judged documents are in index [shop] (30 %)"), said);
      assertTrue(
          said.endsWith(
              "the index contains only a part of the judged documents: it lacks [d3], and contains"
                  + " [d0]; to train on this part, lower --min-coverage to 0.3"),
          said);
      assertEquals(7, of(cluster, 0.3).missing().size());
      cluster.votes = 7;
      String field = assertThrows(Failure.class, () -> of(cluster, 0.5)).getMessage();
      assertTrue(
          field.endsWith(
              "field [votes] contains the judged ids: use --id-field votes (7 of 7 tried)"),
          field);
    }
  }
}
