// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireLevel;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.Version;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.test.OpenSearchTestCase;

/** What nodes with different builds of the plugin tell each other. */
public class MixedClusterTests extends OpenSearchTestCase {
  private static DiscoveryNode node(String name, @Nullable String wire) {
    return new DiscoveryNode(
        name,
        name,
        buildNewFakeTransportAddress(),
        wire == null ? Map.of() : Map.of(Wire.ATTRIBUTE, wire),
        Set.of(),
        Version.CURRENT);
  }

  private static ClusterState cluster(DiscoveryNode... members) {
    DiscoveryNodes.Builder nodes = DiscoveryNodes.builder();
    for (DiscoveryNode member : members) {
      nodes.add(member);
    }
    return ClusterState.builder(ClusterName.DEFAULT).nodes(nodes).build();
  }

  private final DiscoveryNode current = node("new", Integer.toString(Wire.CURRENT));
  private final DiscoveryNode behind = node("behind", null);

  private static ModelsMetadata models() {
    ModelManifest manifest =
        new ModelManifest(
            new ModelId("m", "v"),
            "upload",
            "sha",
            1,
            2,
            1,
            4,
            5,
            new ModelManifest.Checksums("one", "two"));
    return ModelsMetadata.EMPTY.with(manifest).with(new ModelAlias("a", "m", null));
  }

  private static ModelsMetadata sent(ModelsMetadata metadata) throws IOException {
    BytesStreamOutput out = new BytesStreamOutput();
    metadata.writeTo(out);
    StreamInput in = out.bytes().streamInput();
    ModelsMetadata read = ModelsMetadata.read(in);
    assertEquals(-1, in.read());
    return read;
  }

  public void testALevelIsThatOfTheNodeFurthestBehind() {
    assertEquals(WireLevel.ALL_CURRENT, WireLevel.of(cluster().nodes()));
    assertEquals(WireLevel.ALL_CURRENT, WireLevel.of(cluster(current, node("next", "99")).nodes()));
    assertEquals(new WireLevel(0, "behind"), WireLevel.of(cluster(current, behind).nodes()));
    assertEquals(new WireLevel(0, "odd"), WireLevel.of(node("odd", "blue")));
    OpenSearchStatusException refused =
        expectThrows(
            OpenSearchStatusException.class,
            () -> WireLevel.of(cluster(behind).nodes()).requireCurrent("model [m]"));
    assertEquals(RestStatus.SERVICE_UNAVAILABLE, refused.status());
    assertThat(refused.getMessage(), containsString("model [m]: node [behind] has an older build"));
  }

  public void testTheClusterStateIsWrittenForAllNodes() throws IOException {
    ModelsMetadata all = ModelsMetadata.of(models().in(cluster(current)));
    assertEquals(Wire.CURRENT, all.wire());
    assertEquals(models(), sent(all));
    ModelsMetadata mixed = ModelsMetadata.of(models().in(cluster(current, behind)));
    assertEquals(0, mixed.wire());
    assertTrue("what a node knows it keeps", models().hasSame(mixed));
    assertNotEquals("or other nodes would never get the rest", all, mixed);
    assertEquals(mixed, sent(mixed));
  }

  public void testANodeThatCouldNotReadTheModelsMayNotJoin() {
    ClusterState mixed = models().in(cluster(current, behind));
    ModelsMetadata.checkJoin(behind, mixed);
    ModelsMetadata.checkJoin(behind, cluster(current));
    ClusterState upgraded = models().in(cluster(current));
    ModelsMetadata.checkJoin(current, upgraded);
    IllegalStateException refused =
        expectThrows(IllegalStateException.class, () -> ModelsMetadata.checkJoin(behind, upgraded));
    assertThat(refused.getMessage(), containsString("node [behind] has an older build"));
  }

  public void testForeignStreamsAreRefused() throws IOException {
    for (int head : new int[] {0, 7, -1, Wire.CURRENT + 1}) {
      BytesStreamOutput out = new BytesStreamOutput();
      out.writeVInt(head);
      expectThrows(OpenSearchStatusException.class, () -> Wire.head(out.bytes().streamInput()));
    }
  }
}
