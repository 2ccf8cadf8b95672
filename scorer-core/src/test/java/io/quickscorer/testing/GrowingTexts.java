// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rule against texts that are joined one piece after the other, over bytecode: each piece
 * copies all before it, so that many pieces of a file take hours. A StringBuilder does not.
 */
public final class GrowingTexts {
  private GrowingTexts() {}

  /** The methods that set a variable or a field to a text that contains its former value. */
  public static Set<String> inModuleOf(Class<?> one) throws Exception {
    Set<String> found = new TreeSet<>();
    new CallGraph(CallGraph.moduleOf(one))
        .methods()
        .forEach(
            (key, method) -> {
              List<Instruction> code = CallGraph.code(method);
              for (int at = 1; at < code.size(); at++) {
                if (code.get(at - 1) instanceof InvokeDynamicInstruction joined
                    && joined.name().stringValue().startsWith("makeConcat")
                    && readsBefore(code, at)) {
                  found.add(CallGraph.shown(key));
                }
              }
            });
    return found;
  }

  /** Whether the arguments of a join contain the variable or field to which it is stored. */
  private static boolean readsBefore(List<Instruction> code, int store) {
    for (int at = store - 2; at >= 0 && at > store - 16; at--) {
      if (code.get(at) instanceof StoreInstruction) {
        return false;
      }
      if (code.get(store) instanceof StoreInstruction to
          && code.get(at) instanceof LoadInstruction from
          && from.slot() == to.slot()) {
        return true;
      }
      if (code.get(store) instanceof FieldInstruction to
          && (to.opcode() == Opcode.PUTFIELD || to.opcode() == Opcode.PUTSTATIC)
          && code.get(at) instanceof FieldInstruction from
          && (from.opcode() == Opcode.GETFIELD || from.opcode() == Opcode.GETSTATIC)
          && from.name().equalsString(to.name().stringValue())
          && from.owner().asInternalName().equals(to.owner().asInternalName())) {
        return true;
      }
    }
    return false;
  }
}
