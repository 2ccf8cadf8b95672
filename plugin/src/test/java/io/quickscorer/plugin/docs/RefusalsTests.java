// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.docs;

import io.quickscorer.plugin.QuickScorerPlugin;
import io.quickscorer.reader.ModelReader;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opensearch.test.OpenSearchTestCase;

/**
 * The registry of all messages of exceptions that the plugin and the readers of models create, with
 * their types and statuses. A changed message shows in it, so that its wording is reviewed. {@code
 * -Dtests.refusals.write=true} writes it again.
 */
public class RefusalsTests extends OpenSearchTestCase {
  private static final Path REGISTRY = Path.of("src/test/resources/refusals.txt");
  private static final boolean WRITE = Boolean.getBoolean("tests.refusals.write");
  private static final String STATUS = "org/opensearch/core/rest/RestStatus";

  /** The places of values in the text of a concatenation. */
  private static final String VALUE = "\u0001";

  /** An exception whose creation has begun. */
  private record Begun(String type, List<String> texts) {}

  /** Returns one line per creation of an exception, without those that have no text. */
  private static List<String> refusals(ClassModel type) {
    List<String> lines = new ArrayList<>();
    for (MethodModel method : type.methods()) {
      Reading reading = new Reading(lines);
      method.code().ifPresent(code -> code.forEach(reading::read));
    }
    String file = type.thisClass().asInternalName().split("[$]", 2)[0];
    return lines.stream()
        .map(line -> file.replaceFirst("io/quickscorer/(plugin/)?", "") + line)
        .toList();
  }

  /** Reads one method: constructors of exceptions, and calls of methods that return one. */
  private static final class Reading {
    private final List<String> lines;
    private final Deque<Begun> open = new ArrayDeque<>();

    /** The texts of the statement so far that belong to no constructor. */
    private final List<String> texts = new ArrayList<>();

    Reading(List<String> lines) {
      this.lines = lines;
    }

    void read(CodeElement element) {
      switch (element) {
        case NewObjectInstruction created -> {
          String type = created.className().asInternalName();
          if (type.endsWith("Exception")) {
            open.push(new Begun(type, new ArrayList<>()));
          }
        }
        case ConstantInstruction constant when constant.constantValue() instanceof String text ->
            add(text);
        case InvokeDynamicInstruction dynamic
            when dynamic.name().equalsString("makeConcatWithConstants") ->
            add(String.valueOf(dynamic.bootstrapArgs().getFirst()).replace(VALUE, "{}"));
        case FieldInstruction field when field.owner().asInternalName().equals(STATUS) ->
            add("(" + field.name().stringValue() + ")");
        case InvokeInstruction call -> called(call);
        case ThrowInstruction thrown -> texts.clear();
        case ReturnInstruction returned -> texts.clear();
        case StoreInstruction stored -> texts.clear();
        case BranchInstruction branch -> texts.clear();
        default -> {}
      }
    }

    private void called(InvokeInstruction call) {
      String returned = call.typeSymbol().returnType().displayName();
      if (call.name().equalsString("<init>")) {
        if (!open.isEmpty() && open.peek().type.equals(call.owner().asInternalName())) {
          Begun done = open.pop();
          line(done.type.substring(done.type.lastIndexOf('/') + 1), done.texts);
        }
      } else if (returned.endsWith("Exception") && open.isEmpty()) {
        line(returned, texts);
        texts.clear();
      } else if (returned.equals("void")) {
        texts.clear();
      }
    }

    private void line(String type, List<String> of) {
      if (!of.isEmpty()) {
        lines.add(" " + type + ": " + String.join(" | ", of));
      }
    }

    private void add(String text) {
      (open.isEmpty() ? texts : open.peek().texts).add(text.replace("\n", "\\n"));
    }
  }

  /** Returns the refusals of a package and those below it. */
  private static List<String> refusalsOf(Class<?> one) throws Exception {
    Path place = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      return refusalsBelow(place, one);
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return refusalsBelow(jar.getPath("/"), one);
    }
  }

  private static List<String> refusalsBelow(Path root, Class<?> one) throws IOException {
    List<String> lines = new ArrayList<>();
    Path folder = root.resolve(one.getPackageName().replace('.', '/'));
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        lines.addAll(refusals(ClassFile.of().parse(Files.readAllBytes(file))));
      }
    }
    return lines;
  }

  public void testTheRegistryHasAllRefusals() throws Exception {
    Set<String> all = new TreeSet<>(refusalsOf(QuickScorerPlugin.class));
    all.addAll(refusalsOf(ModelReader.class));
    List<String> lines = List.copyOf(all);
    assertTrue(lines.size() + " refusals", lines.size() > 200);
    if (WRITE) {
      Files.write(REGISTRY, lines);
    }
    List<String> registry = Files.readAllLines(REGISTRY);
    assertEquals(
        "read each new message again, then run with -Dtests.refusals.write=true",
        "not in the registry:\n" + without(lines, registry) + "no longer thrown:\n",
        "not in the registry:\n" + "no longer thrown:\n" + without(registry, lines));
  }

  private static String without(List<String> lines, List<String> known) {
    return lines.stream()
        .filter(line -> !known.contains(line))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  public void testAPlantedRefusalIsFound() throws Exception {
    Path file =
        Path.of(
            Planted.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI()
                .resolve(Planted.class.getName().replace('.', '/') + ".class"));
    assertEquals(
        List.of(
            "docs/RefusalsTests IllegalArgumentException: field [{}] is unknown",
            "docs/RefusalsTests IllegalStateException: too late"),
        refusals(ClassFile.of().parse(file)));
  }

  @SuppressWarnings("unused") // read by the test
  private abstract static class Planted {
    void refuse(String field) {
      throw new IllegalArgumentException("field [" + field + "] is unknown");
    }

    abstract IllegalStateException made(String message);

    void refuseByMethod() {
      throw made("too late");
    }
  }
}
