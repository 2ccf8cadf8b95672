// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.rewrite;

import io.quickscorer.plugin.feature.BoundFeature;
import io.quickscorer.plugin.feature.FeatureDefinition;
import io.quickscorer.plugin.feature.FeatureSet;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.node.ModelLookup.ModelFeatures;
import io.quickscorer.plugin.rescore.TestCatalogue;
import io.quickscorer.plugin.rescore.clause.BoundClause;
import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.Scope;
import io.quickscorer.plugin.testing.FreeBudget;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.test.OpenSearchTestCase;

public class FeatureGroupsTests extends OpenSearchTestCase {
  private static final String X = "{\"name\":\"x\",\"type\":\"field\",\"field\":\"x\"}";
  private static final String Y = "{\"name\":\"y\",\"type\":\"first_pass_score\"}";
  private static final String OTHER_X =
      "{\"name\":\"x\",\"type\":\"field\",\"field\":\"x\",\"missing\":1}";

  private static FeatureSet set(String features) throws IOException {
    return set(features, "{}");
  }

  private static FeatureSet set(String features, String defaults) throws IOException {
    return TestCatalogue.featureSet(
        "{\"features\":[" + features + "],\"default_params\":" + defaults + "}");
  }

  private static List<String> names(FeatureSet set) {
    return set.features().stream().map(FeatureDefinition::name).toList();
  }

  public void testSetsThatAgreeAreOne() throws IOException {
    FeatureSet both = FeatureGroups.union(set(X), set(Y));
    assertEquals(List.of("x", "y"), names(both));
    assertEquals(List.of("x", "y"), names(FeatureGroups.union(both, set(Y + "," + X))));
    assertEquals(List.of("y", "x"), names(FeatureGroups.union(set(Y), set(X + "," + Y))));
  }

  public void testSetsThatDisagreeStayApart() throws IOException {
    assertNull(FeatureGroups.union(set(X), set(OTHER_X)));
    assertNull(FeatureGroups.union(set(X, "{\"p\":1}"), set(X, "{\"p\":2}")));
  }

  public void testGroupsServeTheirModelsAndLogTheFirst() throws IOException {
    FeatureGroups groups = new FeatureGroups();
    groups.add(new ModelId("a", "1"), "prod", new ModelFeatures(set(X), Set.of()), true);
    groups.add(new ModelId("b", "1"), "b", new ModelFeatures(set(OTHER_X), Set.of("x")), false);
    groups.add(new ModelId("c", "1"), "c", new ModelFeatures(set(X + "," + Y), Set.of()), false);
    BoundClause clause =
        groups.bind(
            ClauseOptions.logging("s", Map.of(), Scope.SHARD),
            NamedXContentRegistry.EMPTY,
            "n",
            FreeBudget.create());
    assertEquals(
        List.of(0, 1, 0), clause.models().stream().map(BoundClause.BoundModel::group).toList());
    assertEquals("prod", clause.models().getFirst().name());
    assertEquals(1, clause.logged());
    List<BoundFeature> first = clause.groups().get(0).features();
    assertEquals(2, first.size());
    assertFalse("logged", first.get(0) instanceof BoundFeature.Unused);
    assertTrue("no model uses it", first.get(1) instanceof BoundFeature.Unused);
    assertEquals(1, clause.groups().get(1).features().size());
  }
}
