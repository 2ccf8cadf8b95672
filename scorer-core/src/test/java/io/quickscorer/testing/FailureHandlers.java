// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.classfile.Instruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rule for handlers of failures, over bytecode: finds the handlers that call other methods of
 * the module. An exception of a response's handler is passed to the handler of failures, but an
 * exception of a handler of failures is lost, and the request is never answered.
 */
public final class FailureHandlers {
  private FailureHandlers() {}

  /**
   * The methods that create such a handler for {@code ActionListener.wrap}, or call {@code
   * ActionListener.delegateResponse}, as "Class.method: Class.called" without the packages.
   *
   * @param one any class of the module
   * @param safe the methods which the handlers may call, as "Class.method"
   */
  public static Set<String> inModuleOf(Class<?> one, Set<String> safe) throws Exception {
    CallGraph graph = new CallGraph(CallGraph.moduleOf(one));
    Set<String> found = new TreeSet<>();
    graph
        .methods()
        .forEach(
            (key, method) -> {
              List<Instruction> code = CallGraph.code(method);
              for (int at = 1; at < code.size(); at++) {
                if (!(code.get(at) instanceof InvokeInstruction invoke)) {
                  continue;
                }
                String called = invoke.owner().asInternalName() + "." + invoke.name().stringValue();
                if (called.endsWith("/ActionListener.delegateResponse")) {
                  found.add(CallGraph.shown(key) + ": delegateResponse");
                } else if (called.endsWith("/ActionListener.wrap")
                    && made(code, at - 1) instanceof InvokeDynamicInstruction handler) {
                  for (String callee : calls(graph, handler)) {
                    if (!safe.contains(callee)) {
                      found.add(CallGraph.shown(key) + ": " + callee);
                    }
                  }
                }
              }
            });
    return found;
  }

  /** The instruction that makes an argument, also if it was stored in a variable before. */
  private static Instruction made(List<Instruction> code, int argument) {
    if (code.get(argument) instanceof LoadInstruction load) {
      for (int at = argument - 1; at > 0; at--) {
        if (code.get(at) instanceof StoreInstruction store && store.slot() == load.slot()) {
          return code.get(at - 1);
        }
      }
    }
    return code.get(argument);
  }

  /** The methods of the module that a handler calls; itself if it is no lambda. */
  private static Set<String> calls(CallGraph graph, InvokeDynamicInstruction handler) {
    Set<String> calls = new TreeSet<>();
    for (String body : graph.calls(handler)) {
      if (!body.contains(".lambda$")) {
        calls.add(CallGraph.shown(body));
        continue;
      }
      for (Instruction each : CallGraph.code(graph.methods().get(body))) {
        if (each instanceof InvokeInstruction) {
          graph.calls(each).forEach(callee -> calls.add(CallGraph.shown(callee)));
        }
      }
    }
    return calls;
  }
}
