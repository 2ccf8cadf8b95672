// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.alias;

import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.List;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Reads one alias or all. */
public final class GetAliasesAction extends ActionType<GetAliasesAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/alias/get";
  public static final GetAliasesAction INSTANCE = new GetAliasesAction();

  private GetAliasesAction() {
    super(NAME, Response::new);
  }

  /** The aliases asked for, by name. */
  public static final class Response extends ActionResponse {
    private final List<ModelAlias> aliases;

    public Response(List<ModelAlias> aliases) {
      this.aliases = List.copyOf(aliases);
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      aliases = in.readList(ModelAlias::read);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      out.writeList(aliases);
    }

    public List<ModelAlias> aliases() {
      return aliases;
    }
  }
}
