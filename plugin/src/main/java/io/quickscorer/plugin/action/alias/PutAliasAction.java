// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.alias;

import io.quickscorer.plugin.action.model.PutModelAction;
import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.Shares;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.StatusToXContentObject;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;

/** Points an alias at a model once every data node has compiled it, or back at the one before. */
public final class PutAliasAction extends ActionType<PutAliasAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/alias/put";
  public static final PutAliasAction INSTANCE = new PutAliasAction();

  private PutAliasAction() {
    super(NAME, Response::new);
  }

  /** Where to move which alias. */
  public static final class Request extends ActionRequest {
    private final String name;
    private final @Nullable Shares target;
    private final TimeValue timeout;

    /**
     * @param target the models, or null to go back to the one before the last move
     * @param timeout how long to wait for nodes that load each model
     */
    public Request(String name, @Nullable Shares target, TimeValue timeout) {
      this.name = name;
      this.target = target;
      this.timeout = timeout;
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      name = in.readString();
      target = in.readOptionalWriteable(Shares::new);
      timeout = in.readTimeValue();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      out.writeString(name);
      out.writeOptionalWriteable(target);
      out.writeTimeValue(timeout);
    }

    @Override
    public @Nullable ActionRequestValidationException validate() {
      return null;
    }

    String name() {
      return name;
    }

    @Nullable Shares target() {
      return target;
    }

    TimeValue timeout() {
      return timeout;
    }
  }

  /** The alias as it is now, what that changed, and whether all nodes have it so. */
  public static final class Response extends ActionResponse implements StatusToXContentObject {
    private final ModelAlias alias;
    private final PutModelAction.Result result;
    private final boolean acknowledged;

    public Response(ModelAlias alias, PutModelAction.Result result, boolean acknowledged) {
      this.alias = alias;
      this.result = result;
      this.acknowledged = acknowledged;
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      alias = ModelAlias.read(in);
      result = EnumNames.read(in, PutModelAction.Result.class);
      acknowledged = in.readBoolean();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      alias.writeTo(out);
      EnumNames.write(out, result);
      out.writeBoolean(acknowledged);
    }

    public PutModelAction.Result result() {
      return result;
    }

    /** Whether all nodes have it so; if not, those that are behind will. */
    public boolean isAcknowledged() {
      return acknowledged;
    }

    public ModelAlias alias() {
      return alias;
    }

    @Override
    public RestStatus status() {
      return result == PutModelAction.Result.CREATED ? RestStatus.CREATED : RestStatus.OK;
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
