// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.testing.CallGraph;
import io.quickscorer.testing.LostOutcomes;
import io.quickscorer.testing.NumberFlow;
import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.logging.log4j.Logger;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.action.ActionListener;
import org.opensearch.test.OpenSearchTestCase;

/**
 * No path through a method forgets the listener that must be answered, or an exception that was
 * caught. The exceptions from both rules are listed by their reasons.
 */
public class LostOutcomesTests extends OpenSearchTestCase {
  private static final ClassDesc RELEASABLE = Releasable.class.describeConstable().orElseThrow();

  private static final Map<String, List<String>> UNANSWERED =
      Map.of(
          "another argument of the method answers",
          List.of("FeatureReports.onDataNode"),
          "the step answers unless it fails",
          List.of("Guard.recovery"),
          "the caller closes it",
          List.of(
              "EnsembleRescorer.sort",
              "FeatureSetStore.getAll",
              "FeatureSetStore.listReady",
              "ForeignImport.putModel",
              "ForeignImport.store",
              "MetadataReader.page",
              "ModelUpload.of",
              "PreparedModel.parity",
              "PreparedModel.plain",
              "TracedSearch.answered",
              "TracedSearch.checkCollapse",
              "TracedSearch.timeIsUp"),
          "the last of several responses answers",
          List.of("ClauseState$Loading.loadAll"),
          "the listener writes to the log only",
          List.of("UploadSweeper.sweepSynchronized"));

  private static final Map<String, List<String>> SWALLOWED =
      Map.of(
          "a file of the node that it can do without",
          List.of(
              "LoadMarks.<init>",
              "LoadMarks.delete",
              "LoadMarks.read",
              "LoadMarks.retry",
              "LoadMarks.write",
              "RecentUses.<init>",
              "RecentUses.write"),
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

  private static final Map<String, List<String>> PARTIAL =
      Map.of(
          "a copy of a user's search", List.of("Clauses.copy"),
          "documents that are not found are deleted later", List.of("ModelStore.sweep"));

  private static final ClassDesc SEARCH = SearchRequest.class.describeConstable().orElseThrow();

  /** Returns the types of parameters that a method must use: listeners and what must be closed. */
  private static Set<Class<?>> owed(Class<?> one) throws Exception {
    Set<Class<?>> types = new HashSet<>(Set.of(ActionListener.class, Releasable.class));
    for (ClassModel model : CallGraph.moduleOf(one)) {
      if (model.interfaces().stream().anyMatch(type -> type.asSymbol().equals(RELEASABLE))) {
        String name = model.thisClass().asInternalName().replace('/', '.');
        types.add(Class.forName(name, false, one.getClassLoader()));
      }
    }
    return types;
  }

  public void testListenersAreAnsweredOnEachPath() throws Exception {
    assertEquals(
        NumberFlow.listed(UNANSWERED),
        LostOutcomes.unused(QuickScorerPlugin.class, owed(QuickScorerPlugin.class)));
  }

  public void testCaughtExceptionsArePassedOn() throws Exception {
    assertEquals(NumberFlow.listed(SWALLOWED), LostOutcomes.swallowed(QuickScorerPlugin.class));
  }

  private static final class Place implements Releasable {
    @Override
    public void close() {}
  }

  /** A search that returns the hits of some shards only would give an incomplete file or list. */
  public void testPartialResultsAreRefused() throws Exception {
    assertEquals(NumberFlow.listed(PARTIAL), partial(QuickScorerPlugin.class));
    assertEquals(
        Set.of("LostOutcomesTests$Searches.partial"),
        partial(LostOutcomesTests.class).stream()
            .filter(method -> method.contains("$Searches"))
            .collect(Collectors.toSet()));
  }

  /**
   * Returns the methods that create a search and do not say whether it may return partial results.
   */
  private static Set<String> partial(Class<?> one) throws Exception {
    Set<String> found = new TreeSet<>();
    for (ClassModel model : CallGraph.moduleOf(one)) {
      for (MethodModel method : model.methods()) {
        List<CodeElement> code = method.code().map(all -> all.elementList()).orElse(List.of());
        if (code.stream()
                .anyMatch(
                    element ->
                        element instanceof NewObjectInstruction made
                            && made.className().asSymbol().equals(SEARCH))
            && code.stream()
                .noneMatch(
                    element ->
                        element instanceof InvokeInstruction call
                            && call.name().equalsString("allowPartialSearchResults"))) {
          found.add(
              model.thisClass().asSymbol().displayName() + "." + method.methodName().stringValue());
        }
      }
    }
    return found;
  }

  @SuppressWarnings("unused") // read by the rule
  private abstract static class Searches {
    SearchRequest partial(String index) {
      return new SearchRequest(index);
    }

    SearchRequest whole(String index) {
      return new SearchRequest(index).allowPartialSearchResults(false);
    }
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

    void lostPlace(String text, Place place) {
      if (!text.isEmpty()) {
        place.close();
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
        new TreeSet<>(LostOutcomes.unused(LostOutcomesTests.class, owed(LostOutcomesTests.class)));
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
