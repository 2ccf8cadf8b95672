// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.compile.Engines;
import io.quickscorer.papers.traversal.FlatTreeScorer;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class BatchPlansTest {
  @Test
  void whatIsPrintedIsRead() {
    SplittableRandom random = Seeds.random("batch plans");
    for (int i = 0; i < 200; i++) {
      List<BatchPlans.Range> ranges = new ArrayList<>();
      int fewest = 1;
      for (int r = random.nextInt(1, 6); r > 0; r--) {
        ranges.add(new BatchPlans.Range(fewest, plan(random)));
        fewest += random.nextInt(1, 100);
      }
      BatchPlans plans = new BatchPlans(ranges);
      assertEquals(plans, BatchPlans.parse(plans.toString(), Engines::named));
    }
  }

  private static ScoringPlan plan(SplittableRandom random) {
    LoopOrder order = LoopOrder.values()[random.nextInt(5)];
    int d = random.nextBoolean() ? ScoringPlan.ALL : random.nextInt(1, 1000);
    return new ScoringPlan(
        Engines.names().get(random.nextInt(Engines.names().size())),
        random.nextInt(1, 10_000),
        order,
        order == LoopOrder.DS || order == LoopOrder.SDS ? 1 : d,
        order == LoopOrder.DS || order == LoopOrder.DSD ? 1 : random.nextInt(1, 1000));
  }

  @Test
  void eachSizeHasItsPlan() {
    BatchPlans plans =
        BatchPlans.parse(
            "qs tau=9 DSD d=all;from 5:  vqs-512 tau=4  DS; from 17: struct tau=1 DS",
            Engines::named);
    assertEquals(Algorithm.QS, plans.of(4).algorithm());
    assertEquals(Algorithm.VQS_512, plans.of(5).algorithm());
    assertEquals(Algorithm.VQS_512, plans.of(16).algorithm());
    assertEquals(FlatTreeScorer.STRUCT, plans.of(100_000).algorithm());
    assertEquals(
        "qs tau=9 DSD d=all; from 5: vqs-512 tau=4 DS; from 17: struct tau=1 DS", plans.toString());
  }

  @Test
  void whatIsNoPlanIsRefused() {
    refused("not a plan", "");
    refused("not a plan", "qs");
    refused("not a plan", "qs tau=1 dsd d=1");
    refused("not a plan", "qs tau=1234567890 DS");
    refused("order DSD", "qs tau=1 DSD");
    refused("order DS,", "qs tau=1 DS d=1");
    refused("order SDS", "qs tau=1 SDS d=1");
    refused("order SSDD", "qs tau=1 SSDD d=1 s=1");
    refused("unknown algorithm", "quick tau=1 DS");
    refused("a plan has 0 trees per unit", "qs tau=0 DS");
    refused("0 documents", "qs tau=1 DSD d=0");
    refused("the first plan begins at 2 documents, expected 1", "from 2: qs tau=1 DS");
    refused(
        "a plan begins at 0 documents, but the previous plan begins at 1",
        "qs tau=1 DS; qs tau=1 DS");
    refused(
        "the previous plan begins at 7; expected ascending numbers",
        "qs tau=1 DS; from 7: qs tau=1 DS; from 7: qs tau=1 DS");
    refused("plans, expected 1 to 16", many(17));
    assertEquals(16, BatchPlans.parse(many(16), Engines::named).ranges().size());
  }

  private static String many(int plans) {
    StringBuilder text = new StringBuilder("qs tau=1 DS");
    for (int i = 2; i <= plans; i++) {
      text.append("; from ").append(i).append(": qs tau=1 DS");
    }
    return text.toString();
  }

  private static void refused(String why, String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> BatchPlans.parse(text, Engines::named))
            .getMessage();
    assertTrue(message.contains(why), message);
  }
}
