// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.classfile.Annotation;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rule against collections that grow as long as a process runs, over bytecode: finds static
 * fields, and fields of objects that live as long, to which growing collections are assigned.
 *
 * <p>An object lives as long if it is the root, if the root makes it, if it gets its parts by
 * injection, if it has a collection for several threads, or if a static field or a field of such an
 * object has its type, also as a parameter of another type. Objects that only lambdas have are not
 * found. A collection may grow if its class makes it, or assigns it outside of constructors, and
 * neither copies others nor has the constants of an enumeration as its keys.
 */
public final class GrowingFields {
  private static final Pattern COLLECTION =
      Pattern.compile(
          "L(java/util|java/io|org/opensearch)/.*"
              + "(Map|Set|List|Queue|Deque|Collection|Cache|OutputStream|StreamOutput);");

  private static final Pattern CLASS = Pattern.compile("L([\\w/$]+)");

  private static final Pattern KEYED =
      Pattern.compile("L[\\w/$]+(?:Map|Set)<L([\\w/$]+);(?:L[\\w/$]+;)?>;");

  private static final Pattern COPYING =
      Pattern.compile("of|copyOf|toList|empty\\w*|unmodifiable\\w*|singleton\\w*");

  private final Map<String, ClassModel> classes = new HashMap<>();
  private final Map<String, Set<String>> subclasses = new HashMap<>();
  private final Set<String> living = new HashSet<>();

  private GrowingFields(List<ClassModel> models) {
    for (ClassModel type : models) {
      String name = type.thisClass().asInternalName();
      classes.put(name, type);
      type.superclass().ifPresent(parent -> addSubclass(parent.asInternalName(), name));
      type.interfaces().forEach(parent -> addSubclass(parent.asInternalName(), name));
    }
  }

  private void addSubclass(String parent, String name) {
    subclasses.computeIfAbsent(parent, key -> new HashSet<>()).add(name);
  }

  /** Returns the growing fields in the module of a root, as "Class.field" without the package. */
  public static Set<String> inModuleOf(Class<?> root) throws Exception {
    GrowingFields rule = new GrowingFields(CallGraph.moduleOf(root));
    rule.follow(root.getName().replace('.', '/'));
    Set<String> found = new TreeSet<>();
    rule.classes.values().forEach(type -> rule.addGrowing(type, found));
    return found;
  }

  private void follow(String root) {
    Deque<String> open = new ArrayDeque<>(List.of(root));
    classes.get(root).methods().forEach(method -> open.addAll(made(method)));
    for (ClassModel type : classes.values()) {
      if (type.methods().stream().anyMatch(method -> isInjected(method) || shares(method))) {
        open.add(type.thisClass().asInternalName());
      }
      type.fields().stream()
          .filter(field -> field.flags().has(AccessFlag.STATIC))
          .forEach(field -> open.addAll(types(field)));
    }
    while (!open.isEmpty()) {
      String name = open.pop();
      ClassModel type = classes.get(name);
      if (type != null && living.add(name)) {
        type.fields().forEach(field -> open.addAll(types(field)));
        type.superclass().ifPresent(parent -> open.add(parent.asInternalName()));
        open.addAll(subclasses.getOrDefault(name, Set.of()));
      }
    }
  }

  /** Returns the types of the objects that a method makes. */
  private static List<String> made(MethodModel method) {
    List<String> types = new ArrayList<>();
    for (CodeElement element : code(method)) {
      if (element instanceof NewObjectInstruction made) {
        types.add(made.className().asInternalName());
      }
    }
    return types;
  }

  private static boolean shares(MethodModel method) {
    return method.methodName().equalsString("<init>")
        && made(method).stream()
            .anyMatch(
                type -> type.startsWith("java/util/concurrent/") && isCollection("L" + type + ";"));
  }

  private static boolean isCollection(String descriptor) {
    return COLLECTION.matcher(descriptor).matches();
  }

  private static boolean isInjected(MethodModel method) {
    return method
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .map(
            all ->
                all.annotations().stream()
                    .map(Annotation::className)
                    .anyMatch(type -> type.stringValue().endsWith("/Inject;")))
        .orElse(false);
  }

  /** Returns the classes that the type of a field names. */
  private static List<String> types(FieldModel field) {
    return CLASS.matcher(signature(field)).results().map(found -> found.group(1)).toList();
  }

  private static String signature(FieldModel field) {
    return field
        .findAttribute(Attributes.signature())
        .map(all -> all.signature().stringValue())
        .orElse(field.fieldType().stringValue());
  }

  private static List<CodeElement> code(MethodModel method) {
    return method.code().map(all -> all.elementList()).orElse(List.of());
  }

  private void addGrowing(ClassModel type, Set<String> found) {
    String owner = type.thisClass().asInternalName();
    Map<String, FieldModel> fields = new HashMap<>();
    type.fields().stream()
        .filter(field -> living.contains(owner) || field.flags().has(AccessFlag.STATIC))
        .filter(field -> isCollection(field.fieldType().stringValue()))
        .filter(field -> !isBounded(signature(field)))
        .forEach(field -> fields.put(field.fieldName().stringValue(), field));
    for (MethodModel method : type.methods()) {
      boolean constructs = method.methodName().stringValue().startsWith("<");
      Instruction before = null;
      for (CodeElement element : code(method)) {
        if (element instanceof FieldInstruction put
            && (put.opcode() == Opcode.PUTFIELD || put.opcode() == Opcode.PUTSTATIC)
            && put.owner().asInternalName().equals(owner)
            && fields.containsKey(put.name().stringValue())
            && (!constructs || isMade(before))) {
          found.add(CallGraph.shown(owner + "." + put.name().stringValue()) + bounding(put));
        }
        if (element instanceof Instruction each && !(each instanceof TypeCheckInstruction)) {
          before = each;
        }
      }
    }
  }

  /** Returns the type of a field if it is not of the JDK, because only such a type has a bound. */
  private static String bounding(FieldInstruction field) {
    ClassDesc type = field.typeSymbol();
    return type.packageName().startsWith("java.") ? "" : ": " + type.displayName();
  }

  /** Returns whether an instruction makes the collection, and not as an immutable copy. */
  private static boolean isMade(@Nullable Instruction before) {
    return before instanceof InvokeInstruction call
        && !COPYING.matcher(call.name().stringValue()).matches();
  }

  /** Returns whether the keys of a collection are the constants of an enumeration. */
  private boolean isBounded(String signature) {
    Matcher keyed = KEYED.matcher(signature);
    return keyed.matches()
        && classes.containsKey(keyed.group(1))
        && classes.get(keyed.group(1)).flags().has(AccessFlag.ENUM);
  }
}
