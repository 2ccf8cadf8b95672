// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.simulation.Answer.Outcome;
import io.quickscorer.plugin.simulation.Step.Kind;
import io.quickscorer.plugin.simulation.Step.Operation;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.cluster.coordination.LinearizabilityChecker.KeyedSpec;

/**
 * What models, aliases and feature sets promise, name by name. A state is the set of the values
 * that a name may have: {@code none}, a mark or default, or an alias's model and the one before.
 */
final class HistorySpec implements KeyedSpec {
  static final String NONE = "none";

  /**
   * The value of a feature set that was deleted: one that was put before as a new one, and was held
   * up, is there again when it arrives. So any may be there.
   */
  private static final String DELETED = "deleted";

  /**
   * The value that a name has when everything has settled.
   *
   * @param key the name's key
   */
  record Final(String key) {}

  @Override
  public Object getKey(Object value) {
    return value instanceof Final last ? last.key : ((Operation) value).key();
  }

  @Override
  public Object getValue(Object value) {
    return value;
  }

  @Override
  public Object initialState() {
    return Set.of(NONE);
  }

  @Override
  public Optional<Object> nextState(Object state, Object input, Object output) {
    Set<String> after = new TreeSet<>();
    for (Object value : (Set<?>) state) {
      add(after, (String) value, input, (Answer) output);
    }
    return after.isEmpty() ? Optional.empty() : Optional.of(after);
  }

  private static void add(Set<String> after, String before, Object input, Answer answer) {
    if (input instanceof Final) {
      if (before.equals(answer.text()) || before.equals(DELETED)) {
        after.add(before);
      }
      return;
    }
    Operation operation = (Operation) input;
    String done = done(operation, before);
    switch (answer.outcome()) {
      case DONE -> {
        if (fits(operation, before, done, answer.text())) {
          after.add(done);
        }
      }
      case MISSING -> {
        boolean deletes =
            operation.kind() == Kind.DELETE_MODEL
                || operation.kind() == Kind.DELETE_ALIAS
                || operation.kind() == Kind.DELETE_SET;
        // A manager, or a primary, that is cut off may not have what it does not find.
        after.add(before);
        if (deletes) {
          // Its first attempt may have deleted what its second does not find.
          after.add(done);
        }
      }
      case REFUSED -> {
        after.add(before);
        if (operation.kind() == Kind.ROLL_BACK || operation.key().startsWith("set ")) {
          // What is in its way may be its own first attempt, or have followed it.
          after.add(done);
        }
      }
      case UNKNOWN -> {
        after.add(before);
        after.add(done);
      }
    }
  }

  /** The value after an operation. */
  private static String done(Operation operation, String before) {
    return switch (operation.kind()) {
      case UPLOAD, PUT_SET, CREATE_SET -> Integer.toString(operation.value());
      case DELETE_MODEL, DELETE_ALIAS -> NONE;
      case DELETE_SET -> DELETED;
      case MOVE -> moved(before, operation.target());
      case ROLL_BACK -> previous(before).equals(NONE) ? before : moved(before, previous(before));
      default -> before;
    };
  }

  private static String target(String alias) {
    return alias.split(" ")[0];
  }

  private static String previous(String alias) {
    return alias.equals(NONE) ? NONE : alias.split(" ")[2];
  }

  private static String moved(String alias, String target) {
    if (alias.equals(NONE)) {
      return target + " after none";
    }
    return target(alias).equals(target) ? alias : target + " after " + target(alias);
  }

  private static boolean fits(Operation operation, String before, String done, String result) {
    return switch (operation.kind()) {
      case UPLOAD ->
          switch (result) {
            // A second attempt finds its own version and cannot tell what that replaced.
            case "CREATED" -> true;
            case "NOOP" -> before.equals(done);
            default -> !before.equals(NONE);
          };
      case CREATE_SET -> before.equals(NONE) || before.equals(DELETED);
      case PUT_SET -> before.equals(DELETED) || result.equals("CREATED") == before.equals(NONE);
      case DELETE_MODEL, DELETE_ALIAS -> !before.equals(NONE);
      case MOVE, ROLL_BACK -> result.endsWith(" " + done);
      // One of two that delete a set at the same time cannot tell that it was the other.
      default -> true;
    };
  }

  /** The answer to an operation that never got one. */
  static final Answer NEVER = new Answer(Outcome.UNKNOWN, "no answer");
}
