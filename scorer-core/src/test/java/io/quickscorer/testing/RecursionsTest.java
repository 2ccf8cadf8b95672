// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quickscorer.reader.ModelReader;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A stack that overflows by a model file ends whoever reads it. */
final class RecursionsTest {
  /**
   * A document has one source, and a model one inner model: both refuse a second level. Of the
   * operators before ONNX trees as many are followed as {@code OnnxInputs} says.
   */
  private static final Set<String> BOUNDED =
      Set.of(
          "OnnxInputs.made",
          "OnnxInputs.value",
          "StoredModelReader.readDocument",
          "StoredModelReader.readModel");

  private static final Recursions.Handover HANDOVER =
      new Recursions.Handover(
          Set.of("java/util/concurrent/Executor.execute"),
          Set.of("java/util/Objects.requireNonNull"));

  @Test
  void readersDoNotRecurse() throws Exception {
    assertEquals(
        new TreeSet<>(BOUNDED),
        Recursions.inModuleOf(
            ModelReader.class,
            Recursions.Handover.NONE,
            "io/quickscorer/reader/",
            "io/quickscorer/ensemble/",
            "io/quickscorer/explain/"));
  }

  @Test
  void plantedOnesAreFound() throws Exception {
    List<ClassModel> planted = new ArrayList<>();
    for (Class<?> type : List.of(PlantedRecursions.class, PlantedRecursions.Node.class)) {
      String name = type.getName().substring(type.getPackageName().length() + 1) + ".class";
      try (InputStream in = type.getResourceAsStream(name)) {
        planted.add(ClassFile.of().parse(in.readAllBytes()));
      }
    }
    Set<String> uncounted =
        Set.of(
            "foundDirectly",
            "foundInALambda",
            "foundByReference",
            "foundEach",
            "foundByListener",
            "foundAnswer",
            "foundVirtually");
    assertEquals(uncounted, found(planted, true));
    Set<String> all = new TreeSet<>(uncounted);
    all.addAll(Set.of("foundByTwo", "foundTheOther"));
    assertEquals(all, found(planted, false));
  }

  private static Set<String> found(List<ClassModel> planted, boolean counted) {
    Set<String> found = new TreeSet<>();
    for (String method : Recursions.in(planted, HANDOVER, counted)) {
      String name = method.substring(method.indexOf('.') + 1);
      found.add(name.startsWith("lambda$") ? name.split("\\$")[1] : name);
    }
    return found;
  }
}
