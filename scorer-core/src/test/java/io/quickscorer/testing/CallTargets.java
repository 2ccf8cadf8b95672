// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the methods that a call may reach and the JIT inline. */
final class CallTargets {
  /** {@code FreqInlineSize}, bytes. */
  private static final int MAX_INLINED = 325;

  /** More receivers than the JIT inlines at one call. */
  private static final int MAX_RECEIVERS = 2;

  /** Classes of the JDK whose methods compare ints and are inlined. */
  private static final Set<String> JDK =
      Set.of(
          "java/lang/Integer",
          "java/lang/Character",
          "java/lang/Short",
          "java/lang/Byte",
          "java/lang/Boolean");

  private final Map<String, Optional<ClassModel>> classes = new HashMap<>();
  private final Map<String, List<ClassModel>> subclasses = new HashMap<>();

  /**
   * @param analysed among these are looked for the receivers of virtual calls
   */
  CallTargets(Collection<ClassModel> analysed) {
    for (ClassModel type : analysed) {
      classes.put(type.thisClass().asInternalName(), Optional.of(type));
      type.superclass().ifPresent(parent -> addSubclass(parent.asInternalName(), type));
      type.interfaces().forEach(parent -> addSubclass(parent.asInternalName(), type));
    }
  }

  private void addSubclass(String parent, ClassModel type) {
    subclasses.computeIfAbsent(parent, key -> new ArrayList<>()).add(type);
  }

  /** The methods whose code the JIT may put in place of the call; none if it is not inlined. */
  List<MethodModel> of(InvokeInstruction invoke) {
    String owner = invoke.owner().asInternalName();
    String name = invoke.name().stringValue();
    String type = invoke.type().stringValue();
    List<MethodModel> found = new ArrayList<>();
    boolean virtual =
        invoke.opcode() == Opcode.INVOKEVIRTUAL || invoke.opcode() == Opcode.INVOKEINTERFACE;
    if (isOfJdk(invoke) ? !JDK.contains(owner) || virtual : owner.startsWith("[")) {
      return found;
    }
    for (String at = owner; !at.isEmpty(); ) {
      Optional<ClassModel> model = load(at);
      Optional<MethodModel> method = model.flatMap(one -> declared(one, name, type));
      if (method.isPresent()) {
        add(method.get(), found);
        break;
      }
      at = model.flatMap(ClassModel::superclass).map(one -> one.asInternalName()).orElse("");
    }
    if (virtual) {
      addOverriding(owner, name, type, found);
    }
    return found.size() > MAX_RECEIVERS ? List.of() : found;
  }

  private void addOverriding(String owner, String name, String type, List<MethodModel> found) {
    for (ClassModel sub : subclasses.getOrDefault(owner, List.of())) {
      declared(sub, name, type).ifPresent(method -> add(method, found));
      addOverriding(sub.thisClass().asInternalName(), name, type, found);
    }
  }

  private static void add(MethodModel method, List<MethodModel> found) {
    boolean small =
        method
            .code()
            .map(code -> code instanceof CodeAttribute bytes && bytes.codeLength() <= MAX_INLINED)
            .orElse(false);
    if (small) {
      found.add(method);
    }
  }

  private static Optional<MethodModel> declared(ClassModel type, String name, String descriptor) {
    return type.methods().stream()
        .filter(method -> method.methodName().equalsString(name))
        .filter(method -> method.methodType().equalsString(descriptor))
        .findFirst();
  }

  private Optional<ClassModel> load(String name) {
    return classes.computeIfAbsent(name, CallTargets::read);
  }

  private static Optional<ClassModel> read(String name) {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      return in == null ? Optional.empty() : Optional.of(ClassFile.of().parse(in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String name(InvokeInstruction invoke) {
    return invoke.owner().asInternalName() + "." + invoke.name().stringValue();
  }

  static boolean isOfJdk(InvokeInstruction invoke) {
    return invoke.owner().asInternalName().startsWith("java/");
  }

  /**
   * Whether the call is arithmetic to the JIT: equal arguments make one value, nothing branches.
   */
  static boolean isPure(InvokeInstruction invoke) {
    String name = invoke.name().stringValue();
    return switch (invoke.owner().asInternalName()) {
      case "java/lang/Float", "java/lang/Double", "java/lang/Math", "java/lang/StrictMath" ->
          invoke.opcode() == Opcode.INVOKESTATIC;
      case "java/lang/Integer", "java/lang/Long" ->
          Set.of(
                  "compareUnsigned",
                  "bitCount",
                  "numberOfLeadingZeros",
                  "numberOfTrailingZeros",
                  "reverse",
                  "reverseBytes",
                  "divideUnsigned",
                  "remainderUnsigned")
              .contains(name);
      case "java/lang/String", "java/lang/CharSequence" ->
          name.equals("charAt") || name.equals("length");
      default -> false;
    };
  }
}
