// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.util.List;
import java.util.Set;

/** Loops for {@link LoopsTest}: those whose names begin with "found" lack a step. */
@SuppressWarnings("unused") // read as bytecode
final class PlantedLoops {
  private PlantedLoops() {}

  static void step() {}

  static int single(List<String> texts) {
    int sum = 0;
    for (String text : texts) {
      sum += text.length();
    }
    return sum;
  }

  static int foundNested(List<String> texts) {
    int sum = 0;
    for (String one : texts) {
      for (String other : texts) {
        sum += one.equals(other) ? 1 : 0;
      }
    }
    return sum;
  }

  static int nestedWithStep(List<String> texts) {
    int sum = 0;
    for (String one : texts) {
      for (String other : texts) {
        step();
        sum += one.equals(other) ? 1 : 0;
      }
    }
    return sum;
  }

  static int foundByCall(List<String> texts) {
    int sum = 0;
    while (sum < 100) {
      sum += single(texts);
    }
    return sum;
  }

  static int stepInCall(List<String> texts) {
    int sum = 0;
    while (sum < 100) {
      sum += nestedWithStep(texts);
    }
    return sum;
  }

  static int foundBySearch(List<String> texts, List<String> others) {
    int sum = 0;
    for (String text : texts) {
      sum += others.contains(text) ? 1 : 0;
    }
    return sum;
  }

  static int foundBySearchBesideAStep(List<String> texts, List<String> others) {
    int sum = 0;
    for (String text : texts) {
      step();
      sum += others.indexOf(text);
    }
    return sum;
  }

  static int searchInASet(List<String> texts, Set<String> others) {
    int sum = 0;
    for (String text : texts) {
      sum += others.contains(text) ? 1 : 0;
    }
    return sum;
  }

  static void foundInALambda(List<String> texts) {
    texts.forEach(text -> single(texts));
  }

  static boolean foundInAStream(List<String> texts) {
    return texts.stream().anyMatch(text -> single(texts) > text.length());
  }

  static int foundByPattern(List<String> texts, String pattern) {
    int sum = 0;
    for (String text : texts) {
      sum += text.matches(pattern) ? 1 : 0;
    }
    return sum;
  }

  static void foundByRemoval(List<String> texts, List<String> others) {
    for (String text : texts) {
      others.remove(text);
    }
  }

  static void foundByInsertion(List<String> texts, List<String> others) {
    for (String text : texts) {
      others.add(0, text);
    }
  }
}
