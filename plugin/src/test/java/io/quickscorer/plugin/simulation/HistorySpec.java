// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import io.quickscorer.plugin.simulation.Answer.Outcome;
import io.quickscorer.plugin.simulation.Step.Kind;
import io.quickscorer.plugin.simulation.Step.Operation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.cluster.coordination.LinearizabilityChecker.KeyedSpec;

/**
 * What models, aliases and feature sets promise, name by name. A state is the set of the values
 * that a name may have: {@code none}, a mark or default, or an alias's model and the one before.
 * The value of a feature set is followed by those with which it was created: after a deletion, one
 * whose creation was held up may be there again.
 */
final class HistorySpec implements KeyedSpec {
  static final String NONE = "none";

  private static final int MAX_VALUES = 1_000;

  /** A name may have too many values, because many operations on it overlap. */
  static final class Undecided extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Stands before each value that a model or alias may get later. */
  private static final String RESTORED = "/";

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
      String before = (String) value;
      String[] values = before.split(RESTORED);
      for (int i = 1; i < values.length; i++) {
        addAll(after, values[i], input, (Answer) output);
      }
      Set<String> kept = new TreeSet<>();
      addAll(kept, values[0], input, (Answer) output);
      // A change that is made before the restored index is imported stays.
      boolean changed = ((Answer) output).outcome() == Answer.Outcome.DONE;
      String later = changed ? "" : before.substring(values[0].length());
      kept.forEach(each -> after.add(each + later));
    }
    if (after.size() > MAX_VALUES) {
      throw new Undecided();
    }
    return after.isEmpty() ? Optional.empty() : Optional.of(after);
  }

  private void addAll(Set<String> after, String before, Object input, Answer answer) {
    add(after, before, input, answer);
    if (isSet(input) && target(before).equals(NONE)) {
      for (String created : created(before)) {
        add(after, created + before.substring(NONE.length()), input, answer);
      }
    }
  }

  private boolean isSet(Object input) {
    return ((String) getKey(input)).startsWith("set ");
  }

  private static List<String> created(String set) {
    List<String> values = List.of(set.split(" "));
    return values.subList(1, values.size());
  }

  private void add(Set<String> after, String before, Object input, Answer answer) {
    boolean set = isSet(input);
    if (input instanceof Final) {
      if ((set ? target(before) : before).equals(answer.text())) {
        after.add(before);
      }
      return;
    }
    Operation operation = (Operation) input;
    if (operation.kind() == Kind.RESTORE) {
      String value = operation.target();
      if (set || answer.outcome() != Answer.Outcome.DONE) {
        // A primary that is cut off may still have the index that was deleted.
        after.add(before);
      }
      after.add(
          set ? value + before.substring(target(before).length()) : before + RESTORED + value);
      return;
    }
    String done = set ? written(operation, before) : done(operation, before);
    switch (answer.outcome()) {
      case DONE -> {
        if (fits(operation, before, done, answer.text())) {
          after.add(done);
        }
      }
      case MISSING -> {
        // A primary that is cut off may not have the set that it does not find; a node may not have
        // the model to which it moves an alias.
        if (set || !done.equals(NONE) || before.equals(NONE)) {
          after.add(before);
        }
      }
      case REFUSED -> {
        if (set) {
          // What is in its way may be its own first attempt, or have followed it; and that may be
          // held up.
          after.add(done);
          after.add(with(before, operation));
        } else {
          after.add(before);
        }
      }
      case UNKNOWN -> {
        after.add(before);
        after.add(done);
      }
    }
  }

  /** The value of a feature set after an operation. */
  private static String written(Operation operation, String before) {
    if (operation.kind() == Kind.DELETE_SET) {
      return NONE + before.substring(target(before).length());
    }
    String after = target(before).equals(NONE) ? with(before, operation) : before;
    return operation.value() + after.substring(target(after).length());
  }

  /** The value of a feature set, and that of an operation as one with which it was created. */
  private static String with(String set, Operation operation) {
    if (operation.kind() == Kind.DELETE_SET) {
      return set;
    }
    Set<String> created = new TreeSet<>(created(set));
    created.add(Integer.toString(operation.value()));
    return target(set) + " " + String.join(" ", created);
  }

  /** The value after an operation. */
  private static String done(Operation operation, String before) {
    return switch (operation.kind()) {
      case UPLOAD, CREATE_MODEL, PUT_SET, CREATE_SET -> Integer.toString(operation.value());
      case DELETE_MODEL, DELETE_ALIAS -> NONE;
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
            case "CREATED" -> before.equals(NONE);
            case "NOOP" -> before.equals(done);
            default -> !before.equals(NONE);
          };
      case CREATE_MODEL -> before.equals(NONE);
      case CREATE_SET -> target(before).equals(NONE);
      case PUT_SET -> result.equals("CREATED") == target(before).equals(NONE);
      case DELETE_MODEL, DELETE_ALIAS -> !before.equals(NONE);
      case MOVE, ROLL_BACK -> result.endsWith(" " + done);
      default -> !target(before).equals(NONE);
    };
  }

  /** The answer to an operation that never got one. */
  static final Answer NEVER = new Answer(Outcome.UNKNOWN, "no answer");
}
