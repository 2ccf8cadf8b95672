// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.testing.LostOutcomes;
import io.quickscorer.testing.NumberFlow;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.logging.log4j.Logger;
import org.opensearch.core.action.ActionListener;
import org.opensearch.test.OpenSearchTestCase;

/**
 * No path through a method forgets the listener that must be answered, or an exception that was
 * caught. The exceptions from both rules are listed by their reasons.
 */
public class LostOutcomesTests extends OpenSearchTestCase {
  private static final Map<String, List<String>> UNANSWERED =
      Map.of(
          "another argument of the method answers", List.of("FeatureReports.onDataNode"),
          "the step answers unless it fails", List.of("Guard.recovery"),
          "the last of several responses answers", List.of("ClauseState$Loading.loadAll"),
          "the listener writes to the log only", List.of("UploadSweeper.sweepSynchronized"));

  private static final Map<String, List<String>> SWALLOWED =
      Map.of(
          "a file of the node that it can do without",
          List.of(
              "LoadMarks.<init>",
              "LoadMarks.delete",
              "LoadMarks.read",
              "LoadMarks.retry",
              "LoadMarks.write",
              "NodeFile.read",
              "NodeFile.write"),
          "the same text is parsed later and fails then",
          List.of("Door.levels", "QueryTemplate.toXContentValue", "QueryText.hidden"),
          "the next content type is tried",
          List.of("QueryText.read"),
          "a list leaves out the item that cannot be read",
          List.of("MetadataReader.parse"),
          "the work is repeated",
          List.of("SearchWarmUp.runOrStop"),
          "the listener has been called",
          List.of("WaitingListeners.answer"));

  public void testListenersAreAnsweredOnEachPath() throws Exception {
    assertEquals(
        NumberFlow.listed(UNANSWERED),
        LostOutcomes.unanswered(QuickScorerPlugin.class, ActionListener.class));
  }

  public void testCaughtExceptionsArePassedOn() throws Exception {
    assertEquals(NumberFlow.listed(SWALLOWED), LostOutcomes.swallowed(QuickScorerPlugin.class));
  }

  /** Methods whose names begin with "lost" break a rule. */
  @SuppressWarnings("unused") // read by the rules
  private abstract static class Planted {
    private Logger logger;

    abstract int parse(String text) throws IOException;

    void lostByReturn(String text, ActionListener<Void> listener) {
      if (text.isEmpty()) {
        return;
      }
      listener.onResponse(null);
    }

    void lostInALoop(Iterator<String> texts, ActionListener<String> listener) {
      while (texts.hasNext()) {
        String text = texts.next();
        if (!text.isEmpty()) {
          listener.onResponse(text);
          return;
        }
      }
    }

    void lostByAFailure(String text, ActionListener<Integer> listener) {
      int parsed;
      try {
        parsed = parse(text);
      } catch (IOException e) {
        return;
      }
      listener.onResponse(parsed);
    }

    int lostValue(String text) {
      try {
        return parse(text);
      } catch (IOException | RuntimeException e) {
        return 0;
      }
    }

    int lostInTheLog(String text) {
      int parsed = -1;
      try {
        parsed = parse(text);
      } catch (Exception e) {
        logger.debug("could not parse [{}]: {}", text, e.getMessage(), e);
      }
      return parsed;
    }

    void answered(String text, ActionListener<Integer> listener) {
      try {
        listener.onResponse(parse(text));
      } catch (Exception e) {
        logger.debug("could not parse", e);
        listener.onFailure(e);
      }
    }

    int thrown(String text) {
      try {
        return parse(text);
      } catch (IOException e) {
        throw new IllegalArgumentException("not a number: " + text);
      } finally {
        logger.debug("parsed");
      }
    }
  }

  public void testLostOutcomesAreFound() throws Exception {
    Set<String> found =
        new TreeSet<>(LostOutcomes.unanswered(LostOutcomesTests.class, ActionListener.class));
    found.addAll(LostOutcomes.swallowed(LostOutcomesTests.class));
    found.removeIf(method -> !method.startsWith("LostOutcomesTests$"));
    Set<String> planted = new TreeSet<>();
    for (var method : Planted.class.getDeclaredMethods()) {
      if (method.getName().startsWith("lost")) {
        planted.add("LostOutcomesTests$Planted." + method.getName());
      }
    }
    assertEquals(planted, found);
  }
}
