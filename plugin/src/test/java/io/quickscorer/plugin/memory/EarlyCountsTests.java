// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.memory;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.testing.EarlyCounts;
import io.quickscorer.testing.NumberFlow;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.test.OpenSearchTestCase;

/**
 * A method changes no number of an object before a charge that may be refused, because the refusal
 * would leave the number changed. Methods whose number may stay changed are listed by the reason.
 */
public class EarlyCountsTests extends OpenSearchTestCase {
  private static final Set<String> REFUSING =
      Set.of(
          "io/quickscorer/plugin/memory/MemoryCharge.take",
          "io/quickscorer/plugin/memory/MemoryCharge.add",
          "org/opensearch/core/common/breaker/CircuitBreaker.addEstimateBytesAndMaybeBreak");

  private static final Map<String, List<String>> OTHERS =
      Map.of(
          "documents, places and times of one request, which a refusal ends",
          List.of(
              "ClauseProfile$StageProfile.add",
              "ClauseProfile.add",
              "EnsembleRescorer.run",
              "LogExport.begin",
              "LogExport.search",
              "LogExport.write",
              "RequestBinding.sentParams",
              "ScoredWindow.of",
              "StoredChunks.take",
              "TemplateOutput.joined",
              "TemplateOutput.render",
              "Export$Piece.write",
              "Export.run"),
          "bytes of requests that have ended",
          List.of("MemoryCharge.add"),
          "the time of the last attempt",
          List.of("UploadSweeper.sweep"),
          "a number that is changed back if there is no memory",
          List.of("Verifier.offer"));

  public void testChargesComeFirst() throws Exception {
    assertEquals(
        NumberFlow.listed(OTHERS),
        EarlyCounts.inModuleOf(QuickScorerPlugin.class, REFUSING, "io/quickscorer/plugin/"));
  }

  @SuppressWarnings("unused") // read by the rule
  private abstract static class Planted {
    private final AtomicLong all = new AtomicLong();
    private long bytes;

    long early(CircuitBreaker breaker, long size) {
      bytes += size;
      return MemoryCharge.take(breaker, size, "planted").bytes();
    }

    long earlyOnOnePath(CircuitBreaker breaker, long size) {
      if (size > 1) {
        all.addAndGet(size);
      }
      return taken(breaker, size);
    }

    long earlyByAnother(CircuitBreaker breaker, long size) {
      count(size);
      return taken(breaker, size);
    }

    long late(CircuitBreaker breaker, long size) {
      long taken = taken(breaker, size);
      count(size);
      return taken;
    }

    long lateInALoop(CircuitBreaker breaker, long size) {
      for (int i = 0; i < size; i++) {
        bytes += taken(breaker, i);
      }
      return bytes;
    }

    long either(CircuitBreaker breaker, long size) {
      if (size > 1) {
        bytes = size;
        return size;
      }
      return taken(breaker, size);
    }

    void count(long size) {
      bytes += size;
    }

    static long taken(CircuitBreaker breaker, long size) {
      return MemoryCharge.take(breaker, size, "planted").bytes();
    }
  }

  public void testTheRuleBites() throws Exception {
    String planted = "EarlyCountsTests$Planted.";
    assertEquals(
        Set.of(planted + "early", planted + "earlyOnOnePath", planted + "earlyByAnother"),
        EarlyCounts.inModuleOf(
            EarlyCountsTests.class, REFUSING, Planted.class.getName().replace('.', '/') + "."));
  }
}
