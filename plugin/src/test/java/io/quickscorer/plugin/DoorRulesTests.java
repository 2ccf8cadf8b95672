// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.hamcrest.Matchers.containsString;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.testing.ArchitectureRules;
import io.quickscorer.testing.NumberFlow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.Strings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.test.OpenSearchTestCase;

/** Structures from outside are read through the door, which bounds and charges what they take. */
public class DoorRulesTests extends OpenSearchTestCase {
  private static final String DOOR = "io.quickscorer.plugin.door";

  /** What reads a structure, whole or in pieces. */
  private static final Set<String> READING =
      Set.of("map", "mapOrdered", "mapStrings", "list", "listOrderedMap", "nextToken");

  /** What takes memory from a breaker: a charge gives it back. */
  private static final Set<String> CHARGING =
      Set.of("addEstimateBytesAndMaybeBreak", "addWithoutBreaking");

  /** Who may do so outside the door, each with its reason. */
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "io.quickscorer.plugin.feature.VectorFieldMapper",
          "reads a document's vector for the mapping, which says how many numbers it has",
          "io.quickscorer.plugin.feature.QueryText",
          "lets the server parse a rendered query, whose depth is checked before",
          "io.quickscorer.plugin.rescore.DerivedFields",
          "lets the server parse the derived fields that it has parsed before",
          "io.quickscorer.plugin.rescore.SearchBody",
          "copies the pipeline in a search's body, which the server has parsed before");

  private static final ArchRule ONE_DOOR =
      classes()
          .should(
              new ArchCondition<JavaClass>("read structures through " + DOOR) {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                  if (type.getPackageName().equals(DOOR)
                      || EXCEPTIONS.containsKey(type.getName())) {
                    return;
                  }
                  for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                    if (passesTheDoor(access)) {
                      events.add(SimpleConditionEvent.violated(access, access.getDescription()));
                    }
                  }
                }
              });

  private static boolean passesTheDoor(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String name = access.getName();
    return owner.getPackageName().contains(".jackson.")
        || name.equals("sourceAsMap")
        || name.equals("getSourceAsMap")
        || (owner.isAssignableTo(XContentParser.class) && READING.contains(name))
        || (owner.isEquivalentTo(XContentHelper.class)
            && (name.startsWith("convertToMap") || name.startsWith("createParser")))
        || (name.equals("createParser")
            && (owner.isAssignableTo(XContent.class) || owner.isAssignableTo(MediaType.class)));
  }

  /** Each opens a writer whose bytes grow without a bound. */
  private static final ArchRule BOUNDED_WRITING =
      noClasses()
          .that()
          .resideOutsideOfPackage(DOOR)
          .should()
          .accessTargetWhere(
              DescribedPredicate.describe(
                  "open a writer of structures",
                  access ->
                      access.getTargetOwner().isEquivalentTo(XContentFactory.class)
                              && access.getName().endsWith("Builder")
                          || access.getTargetOwner().isEquivalentTo(XContentBuilder.class)
                              && Set.of("builder", "<init>").contains(access.getName())
                          || access.getTargetOwner().isAssignableTo(XContent.class)
                              && access.getName().equals("contentBuilder")
                          || access.getTargetOwner().isEquivalentTo(XContentHelper.class)
                              && access.getName().equals("toXContent")
                          || access.getTargetOwner().isEquivalentTo(Strings.class)
                              && access.getName().equals("toString")));

  /** The server's method leaves out the search pipeline that the body contains. */
  private static final ArchRule WHOLE_COPIES =
      noClasses()
          .that()
          .doNotHaveSimpleName("SearchBody")
          .should()
          .accessTargetWhere(
              DescribedPredicate.describe(
                  "copy a search's body",
                  access ->
                      access.getTargetOwner().isEquivalentTo(SearchSourceBuilder.class)
                          && access.getName().equals("shallowCopy")));

  private static final ArchRule NO_OTHER_METER =
      noClasses()
          .that()
          .resideOutsideOfPackage(MemoryCharge.class.getPackageName())
          .should()
          .accessTargetWhere(
              DescribedPredicate.describe(
                  "take memory from a breaker",
                  access ->
                      access.getTargetOwner().isAssignableTo(CircuitBreaker.class)
                          && CHARGING.contains(access.getName())));

  /** Classes that read or write a structure without a charge, by the reason. */
  private static final Map<String, List<String>> UNCHARGED =
      Map.of(
          "documents of the plugin's index, which are written within limits",
          List.of(
              "Catalogue",
              "FeatureSetWriter",
              "MetadataReader",
              "ModelDescription",
              "ModelIndex",
              "ModelStore",
              "StoredChunks",
              "UploadDocuments"),
          "a feature set or a part of it, which has a maximum size",
          List.of("FeatureGroups", "FeatureSet", "ModelVersion", "QueryTemplate", "StoredVectors"),
          "a part of a request, whose memory was charged before",
          List.of("DerivedFields", "QueryText", "TemplateOutput"),
          "a pipeline's definition, which has a maximum size",
          List.of("RankingOptionsReader", "SearchBody"),
          "one hit at a time",
          List.of("LogFormat", "WarmUpSearches"),
          "a line of a response, whose memory is charged",
          List.of("Export$Piece"));

  /**
   * Returns the classes of the plugin that read or write structures whose memory is not charged.
   */
  private static Set<String> uncharged(JavaClasses classes) {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : classes) {
      for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
        JavaClass owner = call.getTargetOwner();
        boolean charged =
            call.getTarget().getRawParameterTypes().stream()
                .anyMatch(each -> each.isEquivalentTo(MemoryCharge.class));
        if (!type.getPackageName().equals(DOOR)
            && !charged
            && (owner.isEquivalentTo(BoundedContent.class)
                || (owner.isEquivalentTo(Door.class)
                    && Set.of("own", "ownMap", "document").contains(call.getName())))) {
          found.add(
              type.getName()
                  .substring(type.getPackageName().length() + 1)
                  .replaceAll("[$]\\d+", ""));
        }
      }
    }
    return found;
  }

  public void testUnchargedStructuresAreTheNodesOwn() {
    assertEquals(
        NumberFlow.listed(UNCHARGED),
        uncharged(ArchitectureRules.mainClasses("io.quickscorer.plugin")));
    assertEquals(
        Set.of("DoorRulesTests$PlantedReading"),
        uncharged(new ClassFileImporter().importClasses(PlantedReading.class)));
  }

  public void testNothingPassesTheDoor() {
    JavaClasses plugin = ArchitectureRules.mainClasses("io.quickscorer.plugin");
    ONE_DOOR.check(plugin);
    EXCEPTIONS.keySet().forEach(name -> assertTrue(name, plugin.contain(name)));
  }

  public void testBodiesAreCopiedWhole() {
    WHOLE_COPIES.check(ArchitectureRules.mainClasses("io.quickscorer.plugin"));
    assertEachMethodViolates(WHOLE_COPIES, PlantedCopy.class);
  }

  public void testOnlyChargesTakeMemory() {
    NO_OTHER_METER.check(ArchitectureRules.mainClasses("io.quickscorer.plugin"));
  }

  /** Each method is a violation. */
  @SuppressWarnings({"unused", "deprecation"}) // read by the rule
  private abstract static class Planted {
    Object whole(XContentParser parser) throws IOException {
      return parser.map();
    }

    Object items(XContentParser parser) throws IOException {
      return parser.list();
    }

    Object reference(XContentParser parser) throws IOException {
      org.opensearch.common.CheckedSupplier<Object, IOException> read = parser::mapOrdered;
      return read.get();
    }

    Object converted(BytesReference bytes) {
      return XContentHelper.convertToMap(bytes, true, (MediaType) XContentType.JSON);
    }

    Object opened() throws IOException {
      return JsonXContent.jsonXContent.createParser(null, null, "{}");
    }

    Object pieces(XContentParser parser) throws IOException {
      return parser.nextToken();
    }

    Object source(SearchHit hit) {
      return hit.getSourceAsMap();
    }
  }

  @SuppressWarnings("unused") // read by the rule
  private static final class PlantedReading {
    Object uncharged(BytesReference bytes) {
      return Door.ownMap(XContentType.JSON, bytes);
    }
  }

  @SuppressWarnings("unused") // read by the rule
  private abstract static class PlantedCopy {
    Object copied(SearchSourceBuilder source) {
      return source.shallowCopy();
    }
  }

  @SuppressWarnings("unused") // read by the rule
  private abstract static class PlantedCharge {
    void taken(CircuitBreaker breaker) {
      breaker.addEstimateBytesAndMaybeBreak(1, "<planted>");
    }
  }

  public void testWritersAreBounded() {
    BOUNDED_WRITING.check(ArchitectureRules.mainClasses("io.quickscorer.plugin"));
  }

  /** Each method is a violation. */
  @SuppressWarnings("unused") // read by the rule
  private abstract static class PlantedWriting {
    Object json() throws IOException {
      return XContentFactory.jsonBuilder();
    }

    Object encoded() throws IOException {
      return XContentFactory.cborBuilder();
    }

    Object opened(XContent content) throws IOException {
      return XContentBuilder.builder(content);
    }

    Object made(XContent content) throws IOException {
      return new XContentBuilder(content, new ByteArrayOutputStream());
    }

    Object text(ToXContentObject object) {
      return Strings.toString(MediaTypeRegistry.JSON, object);
    }

    Object bytes(ToXContentObject object) throws IOException {
      return XContentHelper.toXContent(object, XContentType.JSON, false);
    }
  }

  public void testTheRuleOfWritersBites() {
    assertEachMethodViolates(BOUNDED_WRITING, PlantedWriting.class);
  }

  public void testTheRuleOfChargesBites() {
    JavaClasses planted = new ClassFileImporter().importClasses(PlantedCharge.class);
    expectThrows(AssertionError.class, () -> NO_OTHER_METER.check(planted));
  }

  public void testTheRuleBites() {
    assertEachMethodViolates(ONE_DOOR, Planted.class);
  }

  private static void assertEachMethodViolates(ArchRule rule, Class<?> type) {
    JavaClasses planted = new ClassFileImporter().importClasses(type);
    AssertionError violation = expectThrows(AssertionError.class, () -> rule.check(planted));
    for (var method : type.getDeclaredMethods()) {
      if (!method.isSynthetic()) {
        String name = type.getSimpleName() + "." + method.getName() + "(";
        assertThat(violation.getMessage(), containsString(name));
      }
    }
  }
}
