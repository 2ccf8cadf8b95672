// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The instructions that {@link WalkCosts} charges are those of the machine code for compute
 * capability 9.0. Skipped, with a message, where nvdisasm of CUDA 12.4 or later is not installed.
 */
final class SassTest {
  private static final Pattern LABEL = Pattern.compile("(\\.L\\w+):");
  private static final Pattern INSTRUCTION = Pattern.compile("\\s*/\\*\\p{XDigit}+\\*/\\s+(.*);.*");
  private static final Pattern BRANCH = Pattern.compile(".*\\bBRA\\b.*`\\((\\.L\\w+)\\).*");

  /** Instructions from the target of a backward branch to the branch. */
  private record Loop(int first, List<String> body) {
    long count(String operation) {
      return body.stream().filter(i -> i.matches("(@!?U?P\\w+ )?" + operation + "\\b.*")).count();
    }

    boolean contains(Loop other) {
      return other != this
          && first <= other.first
          && other.first + other.body.size() <= first + body.size();
    }
  }

  private static List<Loop> loops(String code, String kernel) {
    Map<String, Integer> labels = new HashMap<>();
    List<String> instructions = new ArrayList<>();
    List<Loop> loops = new ArrayList<>();
    int start = code.indexOf(".text." + kernel + ":");
    assertTrue(start >= 0, kernel + " is not in the machine code");
    for (String line : code.substring(start).lines().skip(1).toList()) {
      if (line.startsWith(".text.")) {
        break;
      }
      Matcher label = LABEL.matcher(line);
      Matcher instruction = INSTRUCTION.matcher(line);
      if (label.matches()) {
        labels.put(label.group(1), instructions.size());
      } else if (instruction.matches()) {
        instructions.add(instruction.group(1).strip());
        Matcher branch = BRANCH.matcher(instruction.group(1));
        Integer target = branch.matches() ? labels.get(branch.group(1)) : null;
        if (target != null) {
          loops.add(
              new Loop(target, List.copyOf(instructions.subList(target, instructions.size()))));
        }
      }
    }
    return loops;
  }

  private static String machineCode(Path folder) throws Exception {
    String cubin = folder.resolve("kernels.cubin").toString();
    PtxTest.Run help = PtxTest.run(folder, "nvdisasm", "--version");
    assumeTrue(help.exit() == 0, help.output());
    PtxTest.Run assembly =
        PtxTest.run(folder, "ptxas", "-arch=sm_90", "-o", cubin, PtxTest.KERNELS.toString());
    assertEquals(0, assembly.exit(), assembly.output());
    PtxTest.Run code = PtxTest.run(folder, "nvdisasm", "-c", cubin);
    assertEquals(0, code.exit(), code.output());
    return code.output();
  }

  @Test
  void costsAreCountedInstructions(@TempDir Path folder) throws Exception {
    String code = machineCode(folder);
    // Two steps of four trees, each with a rank and a node.
    check(code, "walkShared", 16, 2 * WalkPlan.UNROLL, WalkCosts.STEP_INSTRUCTIONS);
    check(code, "walkShifted", 16, 2 * WalkPlan.UNROLL, WalkCosts.SHIFTED_STEP_INSTRUCTIONS);
    // Four levels of four trees, each with a rank and half of an access to two levels.
    check(code, "walkOblivious", 24, 4 * WalkPlan.UNROLL, WalkCosts.LEVEL_INSTRUCTIONS);
  }

  private static void check(String code, String kernel, int reads, int steps, double charged) {
    List<Loop> loops = loops(code, kernel);
    List<Loop> inner =
        loops.stream()
            .filter(loop -> loop.count("LDS") == reads && loops.stream().noneMatch(loop::contains))
            .toList();
    assertEquals(2, inner.size(), kernel + ": one loop for floats and one for doubles");
    for (Loop loop : inner) {
      assertEquals(charged, (double) loop.body.size() / steps, 0.05, kernel);
      Loop round =
          loops.stream()
              .filter(l -> l.contains(loop) && l.count("BAR") > 0)
              .min(Comparator.comparingInt(l -> l.body.size()))
              .orElseThrow();
      int inLoops =
          loops.stream()
              .filter(l -> round.contains(l) && loops.stream().noneMatch(l::contains))
              .mapToInt(l -> l.body.size())
              .sum();
      // Some of the others cannot be used together.
      double others = (double) (round.body.size() - inLoops) / WalkPlan.UNROLL;
      assertTrue(
          WalkCosts.TREE_INSTRUCTIONS <= others && others <= 2 * WalkCosts.TREE_INSTRUCTIONS,
          kernel + ": " + others + " instructions per tree beside its steps");
      System.out.printf("%s: %d, %.1f beside%n", kernel, loop.body.size(), others);
    }
  }
}
