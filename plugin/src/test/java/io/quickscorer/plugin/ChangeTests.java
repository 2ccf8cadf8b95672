// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.Shares;
import java.util.List;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.test.OpenSearchTestCase;

/** Changes as the cluster manager makes them. */
public class ChangeTests extends OpenSearchTestCase {
  @SuppressWarnings("NullAway") // a change of an alias that exists uses no service
  private static ModelsMetadata rolledBack(ModelAlias seen, ModelAlias now) {
    ClusterState state = ClusterState.builder(new ClusterName("c")).build();
    ModelsMetadata models = ModelsMetadata.EMPTY.with(now);
    Change.OfAlias back = new Change.OfAlias(Shares.all("o"), List.of(), seen);
    Activation.Published published = back.published(now.name(), models);
    return ModelsMetadata.of(back.change(now.name(), models.in(state), published, null));
  }

  public void testARollbackNeedsTheAliasThatItsSenderSaw() {
    ModelAlias seen = new ModelAlias("a", "m", "o");
    assertEquals("o", rolledBack(seen, seen).alias("a").model());
    // Deleted meanwhile, and created again with the same target.
    ModelAlias again = new ModelAlias("a", "m", null);
    OpenSearchStatusException late =
        expectThrows(OpenSearchStatusException.class, () -> rolledBack(seen, again));
    assertEquals(RestStatus.CONFLICT, late.status());
  }
}
