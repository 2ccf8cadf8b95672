// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import com.tngtech.archunit.core.domain.JavaClass;
import io.quickscorer.plugin.door.Input;
import io.quickscorer.testing.ArchitectureRules;
import io.quickscorer.testing.NumberFlow;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Sums and products of numbers that a request chooses are calculated in {@code long}, or by methods
 * that check them; in {@code int} they can overflow. {@link NumberFlow} follows such numbers from
 * the methods that return them. Other products of ints are listed with the reason why they fit,
 * unless they are multiples of a length.
 */
public class RequestNumbersTests extends OpenSearchTestCase {
  /** Methods that give a number of a request as an int, whatever their class. */
  private static final Set<String> GIVERS =
      Set.of("getFrom", "getSize", "windowSize", "getWindowSize", "paramAsInt", "keep");

  /** Whose {@code from()} and {@code size()} are such too: those of others are none. */
  private static final Set<String> SIZED =
      Set.of(
          "org/opensearch/search/builder/SearchSourceBuilder",
          "org/opensearch/search/internal/SearchContext",
          "org/opensearch/search/internal/ShardSearchContext");

  /** Whose whole numbers are a request's, if they are made ints. */
  private static final String INPUT = Input.class.getName().replace('.', '/');

  /** The records of requests: their accessors and fields give numbers of requests. */
  private static final Pattern REQUEST = Pattern.compile("io/quickscorer/.*Request");

  private static final Map<String, List<String>> PRODUCTS =
      Map.of(
          "a dimension, 16,000 at most",
          List.of("StoredVectors.binary", "StoredVectors.wrongLength"),
          "the size of an array in memory, or twice its size",
          List.of(
              "LoggedRows$Row.values",
              "LoggedRows.of",
              "LoggedRows.only",
              "Place.enter",
              "UploadDocuments.write"),
          "places in a window, of which a block is a part",
          List.of("ModelScores.score", "ModelScores.shared"),
          "bits of a floating-point number or a hash code",
          List.of("BinCounts.hashCode", "OutsideWindow.score", "ScorePlan$SameKey.hashCode"));

  private static boolean gives(CodeElement element) {
    return switch (element) {
      case FieldInstruction field ->
          field.typeSymbol().descriptorString().equals("I")
              && REQUEST.matcher(field.owner().asInternalName()).matches();
      case InvokeInstruction call -> gives(call);
      default -> false;
    };
  }

  private static boolean gives(InvokeInstruction call) {
    String name = call.name().stringValue();
    String owner = call.owner().asInternalName();
    return switch (call.typeSymbol().returnType().descriptorString()) {
      case "I" ->
          GIVERS.contains(name)
              || (Set.of("from", "size").contains(name) && SIZED.contains(owner))
              || (REQUEST.matcher(owner).matches() && call.typeSymbol().parameterCount() == 0);
      case "J" -> owner.equals(INPUT) && name.equals("whole");
      default -> false;
    };
  }

  private static ClassModel model(String className) throws IOException {
    String path = "/" + className.replace('.', '/') + ".class";
    try (InputStream in =
        Objects.requireNonNull(RequestNumbersTests.class.getResourceAsStream(path))) {
      return ClassFile.of().parse(in.readAllBytes());
    }
  }

  private static Set<String> methods(Class<?> type, NumberFlow.Finding finding) throws IOException {
    return NumberFlow.methods(model(type.getName()), RequestNumbersTests::gives, finding);
  }

  private static Set<String> inPlugin(NumberFlow.Finding finding) throws IOException {
    List<ClassModel> types = new ArrayList<>();
    for (JavaClass type : ArchitectureRules.mainClasses("io.quickscorer.plugin")) {
      types.add(model(type.getName()));
    }
    return methods(types, finding);
  }

  /** Returns the methods with a finding; numbers of requests are also followed through fields. */
  private static Set<String> methods(List<ClassModel> types, NumberFlow.Finding finding) {
    Set<String> fields = NumberFlow.chosenFields(types, RequestNumbersTests::gives);
    Set<String> found = new TreeSet<>();
    for (ClassModel type : types) {
      found.addAll(
          NumberFlow.methods(
              type, part -> gives(part) || NumberFlow.isRead(part, fields), finding));
    }
    return found;
  }

  public void testNumbersOfRequestsDoNotOverflow() throws IOException {
    assertEquals(Set.of(), inPlugin(NumberFlow.Finding.CHOSEN));
  }

  public void testProductsOfTwoNumbersFit() throws IOException {
    assertEquals(NumberFlow.listed(PRODUCTS), inPlugin(NumberFlow.Finding.INT_PRODUCT));
  }

  private record PlantedRequest(int rows) {
    int twice() {
      return rows + rows;
    }
  }

  /** Each method is a violation. */
  @SuppressWarnings("unused") // read by the rule
  private abstract static class Planted {
    abstract int windowSize();

    int sum(SearchSourceBuilder source) {
      return source.from() + source.size();
    }

    int throughLocals(SearchSourceBuilder source) {
      int from = Math.max(0, 1);
      int size = source.size();
      if (size < 0) {
        size = 10;
      }
      int chosen = source.from();
      return from * 2 + chosen;
    }

    long product(int features) {
      return windowSize() * features;
    }

    int choice(SearchSourceBuilder source, int from) {
      return from + (source.size() < 0 ? 10 : source.size());
    }

    int read(Input in) throws IOException {
      int rows = (int) in.whole(0, Integer.MAX_VALUE);
      return rows + 1;
    }

    int given(PlantedRequest request) {
      return request.rows() << 2;
    }
  }

  /** No method is one. */
  @SuppressWarnings("unused") // read by the rule
  private abstract static class Harmless {
    abstract int windowSize();

    long sum(SearchSourceBuilder source) {
      return (long) source.from() + source.size();
    }

    int exact(SearchSourceBuilder source) {
      return Math.addExact(source.from(), source.size());
    }

    int bounded(SearchSourceBuilder source, int most) {
      return Math.min(source.size(), most) + 1;
    }

    int list(List<String> items) {
      return items.size() + windowSizeless(items.size());
    }

    private int windowSizeless(int other) {
      return other + 1;
    }

    long read(Input in) throws IOException {
      return in.whole(0, Integer.MAX_VALUE) + 1;
    }

    int listed(int rows, int features) {
      return rows * features + 3 * rows;
    }

    long wide(int rows, int features) {
      return (long) rows * features;
    }
  }

  /** A part of a request, as a record of another package may be. */
  @SuppressWarnings("unused") // read by the rule
  private record PlantedPart(String name, long bytes, int from, int count) {
    static PlantedPart of(SearchSourceBuilder source, int count) {
      return new PlantedPart("part", 1, source.from(), count);
    }

    int foundEnd() {
      return from + count;
    }

    int countAndOne() {
      return count + 1;
    }
  }

  public void testNumbersAreFollowedThroughFields() throws IOException {
    assertEquals(
        Set.of("RequestNumbersTests$PlantedPart.foundEnd"),
        methods(List.of(model(PlantedPart.class.getName())), NumberFlow.Finding.CHOSEN));
  }

  public void testTheRuleBites() throws IOException {
    String planted = "RequestNumbersTests$Planted.";
    assertEquals(
        Set.of(planted + "product", planted + "given"),
        methods(Planted.class, NumberFlow.Finding.INT_PRODUCT));
    assertEquals(
        Set.of("RequestNumbersTests$Harmless.listed"),
        methods(Harmless.class, NumberFlow.Finding.INT_PRODUCT));
    assertEquals(
        Set.of(
            planted + "sum",
            planted + "throughLocals",
            planted + "product",
            planted + "choice",
            planted + "read",
            planted + "given"),
        methods(Planted.class, NumberFlow.Finding.CHOSEN));
    assertEquals(
        Set.of("RequestNumbersTests$PlantedRequest.twice"),
        methods(PlantedRequest.class, NumberFlow.Finding.CHOSEN));
    assertEquals(Set.of(), methods(Harmless.class, NumberFlow.Finding.CHOSEN));
  }
}
