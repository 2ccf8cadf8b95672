// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.simulation.Answer.Outcome;
import io.quickscorer.plugin.simulation.HistorySpec.Final;
import io.quickscorer.plugin.simulation.Step.Kind;
import io.quickscorer.plugin.simulation.Step.Operation;
import org.opensearch.cluster.coordination.LinearizabilityChecker;
import org.opensearch.cluster.coordination.LinearizabilityChecker.History;
import org.opensearch.test.OpenSearchTestCase;

/** A history in which an acknowledged change is lost, or made twice, has no order. */
public class HistorySpecTests extends OpenSearchTestCase {
  private static final String KEY = "alias a0";
  private final History history = new History();

  private static Operation move(String target) {
    return new Operation(Kind.MOVE, 0, "a0", 0, target);
  }

  private void done(Object operation, String result) {
    history.respond(history.invoke(operation), new Answer(Outcome.DONE, result));
  }

  private boolean hasOrder() {
    return new LinearizabilityChecker()
        .isLinearizable(new HistorySpec(), history, input -> HistorySpec.NEVER);
  }

  public void testAcknowledgedMovesLast() {
    done(move("m0"), "CREATED m0 after none");
    done(move("m1"), "UPDATED m1 after m0");
    done(new Operation(Kind.ROLL_BACK, 0, "a0", 0, ""), "UPDATED m0 after m1");
    done(new Final(KEY), "m0 after m1");
    assertTrue(hasOrder());
  }

  public void testLostMoveIsFound() {
    done(move("m0"), "CREATED m0 after none");
    done(move("m1"), "UPDATED m1 after m0");
    done(new Final(KEY), "m0 after none");
    assertFalse(hasOrder());
  }

  public void testMoveWithoutAnAnswerMayTakePlaceOnceOrNever() {
    for (String value : new String[] {"m0 after none", "m1 after m0"}) {
      done(move("m0"), "CREATED m0 after none");
      history.invoke(move("m1"));
      done(new Final(KEY), value);
      assertTrue(value, hasOrder());
      history.copyEvents().forEach(event -> history.remove(event.id));
    }
  }

  public void testMoveThatTakesPlaceTwiceIsFound() {
    done(move("m0"), "CREATED m0 after none");
    history.invoke(move("m1"));
    done(move("m2"), "UPDATED m2 after m1");
    done(new Final(KEY), "m1 after m2");
    assertFalse(hasOrder());
  }

  private void answered(Operation operation, Outcome outcome) {
    history.respond(history.invoke(operation), new Answer(outcome, ""));
  }

  private static Operation set(Kind kind, int value) {
    return new Operation(kind, 0, "s0", value, "");
  }

  public void testRefusedMoveThatTakesPlaceIsFound() {
    done(move("m0"), "CREATED m0 after none");
    answered(move("m1"), Outcome.REFUSED);
    done(new Final(KEY), "m1 after m0");
    assertFalse(hasOrder());
  }

  public void testFormerTargetOfAnotherMoveIsFound() {
    done(move("m0"), "CREATED m0 after none");
    done(move("m0"), "UPDATED m0 after m1");
    assertFalse(hasOrder());
  }

  public void testAliasThatIsThereIsNotMissing() {
    done(move("m0"), "CREATED m0 after none");
    answered(new Operation(Kind.DELETE_ALIAS, 0, "a0", 0, ""), Outcome.MISSING);
    assertFalse(hasOrder());
  }

  /** It was created with 1, and a copy of that request may arrive late, but not of the others. */
  public void testDeletedSetMayBeCreatedAgainOnly() {
    for (int value = 1; value <= 3; value++) {
      done(set(Kind.PUT_SET, 1), "CREATED");
      done(set(Kind.PUT_SET, 2), "UPDATED");
      done(set(Kind.DELETE_SET, 0), "");
      done(new Final("set s0"), Integer.toString(value));
      assertEquals(value == 1, hasOrder());
      history.copyEvents().forEach(event -> history.remove(event.id));
    }
  }
}
