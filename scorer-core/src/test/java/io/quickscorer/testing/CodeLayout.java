// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LabelTarget;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A method's bytecode, and the places that are jumped to.
 *
 * @param positions of the labels among the elements
 * @param loops the heads of loops, with the index of the last jump back
 * @param handlers of exceptions
 */
record CodeLayout(
    List<CodeElement> elements,
    Map<Label, Integer> positions,
    Map<Label, Integer> loops,
    Set<Label> handlers) {
  static CodeLayout of(CodeModel code) {
    List<CodeElement> elements = code.elementList();
    Map<Label, Integer> positions = new HashMap<>();
    Set<Label> handlers = new HashSet<>();
    for (int i = 0; i < elements.size(); i++) {
      switch (elements.get(i)) {
        case LabelTarget target -> positions.put(target.label(), i);
        case ExceptionCatch handler -> handlers.add(handler.handler());
        default -> {}
      }
    }
    Map<Label, Integer> loops = new HashMap<>();
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof BranchInstruction branch
          && positions.getOrDefault(branch.target(), i) < i) {
        loops.put(branch.target(), i);
      }
    }
    return new CodeLayout(elements, positions, loops, handlers);
  }
}
