// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.Shares;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;

/** Points an alias at a model once every data node has compiled it, or back at the one before. */
public final class PutAliasAction {
  public static final LocalAction<Request, Response> INSTANCE =
      new LocalAction<>("cluster:admin/quickscorer/alias/put");

  private PutAliasAction() {}

  /**
   * Where to move which alias.
   *
   * @param target the models, or null to go back to the one before the last move
   * @param timeout how long to wait for nodes that load each model
   */
  public record Request(String name, @Nullable Shares target, TimeValue timeout) {}

  /**
   * The alias as it is now, and what that changed.
   *
   * @param acknowledged whether all nodes have it so; if not, those that are behind will
   */
  public record Response(ModelAlias alias, PutModelAction.Result result, boolean acknowledged)
      implements StatusToXContentObject {
    @Override
    public RestStatus status() {
      return result.status();
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      return alias
          .fields(builder.startObject())
          .field("result", result.name().toLowerCase(Locale.ROOT))
          .field("acknowledged", acknowledged)
          .endObject();
    }
  }
}
