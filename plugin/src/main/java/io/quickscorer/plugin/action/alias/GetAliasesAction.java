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
    private final int total;

    /** The only one that was asked for. */
    public Response(ModelAlias only) {
      this(List.of(only), 1);
    }

    /**
     * @param total how many there are, of which these are a page
     */
    public Response(List<ModelAlias> aliases, int total) {
      this.aliases = List.copyOf(aliases);
      this.total = total;
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      aliases = in.readList(ModelAlias::read);
      total = in.readVInt();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      out.writeList(aliases);
      out.writeVInt(total);
    }

    public List<ModelAlias> aliases() {
      return aliases;
    }

    /** How many there are, of which these are a page. */
    public int total() {
      return total;
    }
  }
}
