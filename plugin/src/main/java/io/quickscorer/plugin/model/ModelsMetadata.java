// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireLevel;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.Version;
import org.opensearch.cluster.AbstractNamedDiffable;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.NamedDiff;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ConstructingObjectParser;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.gateway.GatewayService;

/**
 * The models and aliases of the cluster by name, a part of the cluster state. A model exists
 * exactly as long as it is in this list. A model and an alias cannot have the same name. Immutable.
 *
 * <p>All nodes get the same bytes. The wire version (the version of the format of these bytes) is
 * the highest that all nodes supported at the last change. A node that supports only lower versions
 * cannot join.
 *
 * <p>This object is stored on disk, but not in snapshots of the global state; {@code GET
 * _cluster/state} does not show it.
 */
public final class ModelsMetadata extends AbstractNamedDiffable<Metadata.Custom>
    implements Metadata.Custom {
  /** The name under which the cluster state contains this object. */
  public static final String TYPE = "quickscorer_models";

  public static final ModelsMetadata EMPTY =
      new ModelsMetadata(Map.of(), Map.of(), RecentRequests.NONE, Wire.CURRENT);
  private static final String MODELS = "models";
  private static final String ALIASES = "aliases";
  private static final String WIRE = "wire";
  private static final String CHANGED = "changed";
  private static final ConstructingObjectParser<ModelsMetadata, Void> PARSER = parser();

  private final Map<String, ModelManifest> models;
  private final Map<String, ModelAlias> aliases;
  private final RecentRequests requests;

  private final int wire;

  private ModelsMetadata(
      Map<String, ModelManifest> models,
      Map<String, ModelAlias> aliases,
      RecentRequests requests,
      int wire) {
    this.models = Map.copyOf(models);
    this.aliases = Map.copyOf(aliases);
    this.requests = requests;
    this.wire = wire;
  }

  /** Returns a JSON parser that skips unknown fields, because a newer build may have added them. */
  @SuppressWarnings("unchecked")
  private static ConstructingObjectParser<ModelsMetadata, Void> parser() {
    ConstructingObjectParser<ModelsMetadata, Void> parser =
        new ConstructingObjectParser<>(
            TYPE,
            true,
            a ->
                new ModelsMetadata(
                    by(
                        model -> model.id().name(),
                        a[0] == null ? List.of() : (List<ModelManifest>) a[0]),
                    by(ModelAlias::name, a[1] == null ? List.of() : (List<ModelAlias>) a[1]),
                    RecentRequests.since((Long) a[3]),
                    a[2] == null ? 0 : Math.min((int) a[2], Wire.CURRENT)));
    parser.declareObjectArray(
        ConstructingObjectParser.optionalConstructorArg(),
        (json, nothing) -> ModelManifest.fromXContent(json),
        new ParseField(MODELS));
    parser.declareObjectArray(
        ConstructingObjectParser.optionalConstructorArg(),
        (json, nothing) -> ModelAlias.fromXContent(json),
        new ParseField(ALIASES));
    parser.declareInt(ConstructingObjectParser.optionalConstructorArg(), new ParseField(WIRE));
    parser.declareLong(ConstructingObjectParser.optionalConstructorArg(), new ParseField(CHANGED));
    return parser;
  }

  public static ModelsMetadata read(StreamInput in) throws IOException {
    Wire.head(in);
    return new ModelsMetadata(
        by(model -> model.id().name(), in.readList(WireRecord.reader(ModelManifest.class))),
        by(ModelAlias::name, in.readList(WireRecord.reader(ModelAlias.class))),
        WireRecord.read(in, RecentRequests.class),
        in.readVInt());
  }

  private static <T> Map<String, T> by(Function<T, String> name, List<T> list) {
    Map<String, T> all = new TreeMap<>();
    list.forEach(each -> all.put(name.apply(each), each));
    return all;
  }

  /**
   * Returns the models and aliases in a cluster state; empty if it has none.
   *
   * @throws ClusterBlockException (503) before the cluster state is recovered
   */
  public static ModelsMetadata of(ClusterState state) {
    checkRecovered(state);
    ModelsMetadata metadata = state.metadata().custom(TYPE);
    return metadata == null ? EMPTY : metadata;
  }

  /** Returns whether the cluster state is recovered from disk, so that it lists all models. */
  public static boolean isRecovered(ClusterState state) {
    return !state.blocks().hasGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK);
  }

  /** Throws a {@link ClusterBlockException} (503) before the cluster state is recovered. */
  public static void checkRecovered(ClusterState state) {
    if (!isRecovered(state)) {
      throw new ClusterBlockException(Set.of(GatewayService.STATE_NOT_RECOVERED_BLOCK));
    }
  }

  /**
   * Returns the version of the format in which nodes send this object; 0 if it was read from a
   * snapshot.
   */
  public int wire() {
    return wire;
  }

  /** Returns the manifests (this list's entries) of all models by name, in no order. */
  public Map<String, ModelManifest> models() {
    return models;
  }

  /** Returns the ids of the current versions of all models. */
  public Set<ModelId> ids() {
    return models.values().stream().map(ModelManifest::id).collect(Collectors.toSet());
  }

  /** Returns all aliases by name, in no order. */
  public Map<String, ModelAlias> aliases() {
    return aliases;
  }

  /**
   * Returns the model with a name, or the alias's model with the largest share.
   *
   * @throws ResourceNotFoundException (404) if there is no such model or alias
   */
  public ModelManifest resolve(String name) {
    ModelAlias alias = aliases.get(name);
    return found(name, models.get(alias == null ? name : alias.model()));
  }

  /**
   * Returns the model for a search that uses a name.
   *
   * @param key returns the text that selects one of an alias's models; called only if the alias has
   *     several
   * @throws ResourceNotFoundException (404) if there is no such model or alias
   */
  public ModelManifest resolve(String name, Supplier<String> key) {
    ModelAlias alias = aliases.get(name);
    if (alias == null || !alias.target().isShared()) {
      return resolve(name);
    }
    return found(name, models.get(alias.target().draw(name, key.get())));
  }

  /**
   * Returns the model with a name.
   *
   * @throws ResourceNotFoundException (404) if there is no such model
   */
  public ModelManifest model(String name) {
    return found(name, models.get(name));
  }

  private static ModelManifest found(String name, @Nullable ModelManifest manifest) {
    if (manifest == null) {
      throw missing(name);
    }
    return manifest;
  }

  /** Returns the exception (404) for a name that belongs to no model and no alias. */
  public static ResourceNotFoundException missing(String name) {
    return new ResourceNotFoundException("no model [" + FeatureBinding.shown(name) + "]");
  }

  /**
   * Returns the alias with a name.
   *
   * @throws ResourceNotFoundException (404) if there is no such alias
   */
  public ModelAlias alias(String name) {
    ModelAlias alias = aliases.get(name);
    if (alias == null) {
      throw new ResourceNotFoundException("no alias [" + FeatureBinding.shown(name) + "]");
    }
    return alias;
  }

  /** Returns the latest requests to change models or aliases, including the refused ones. */
  public RecentRequests requests() {
    return requests;
  }

  /** Returns the aliases that point to a model, sorted by name. */
  public List<ModelAlias> aliasesOf(String model) {
    return aliases.values().stream()
        .filter(alias -> alias.target().models().containsKey(model))
        .sorted(Comparator.comparing(ModelAlias::name))
        .toList();
  }

  /** Returns the manifest (this list's entry) of the model with a name; null if there is none. */
  public @Nullable ModelManifest get(String name) {
    return models.get(name);
  }

  /** Returns the manifest (this list's entry) of a version; null if the version is not current. */
  public @Nullable ModelManifest get(ModelId id) {
    ModelManifest manifest = models.get(id.name());
    return manifest != null && manifest.id().equals(id) ? manifest : null;
  }

  /** Returns a copy with one more model, which replaces a model with an equal name. */
  public ModelsMetadata with(ModelManifest manifest) {
    Map<String, ModelManifest> changed = new TreeMap<>(models);
    changed.put(manifest.id().name(), manifest);
    return new ModelsMetadata(changed, aliases, requests, wire);
  }

  /** Returns a copy without the model {@code name}. */
  public ModelsMetadata without(String name) {
    Map<String, ModelManifest> changed = new TreeMap<>(models);
    changed.remove(name);
    return new ModelsMetadata(changed, aliases, requests, wire);
  }

  /** Returns a copy with one more alias, which replaces an alias with an equal name. */
  public ModelsMetadata with(ModelAlias alias) {
    Map<String, ModelAlias> changed = new TreeMap<>(aliases);
    changed.put(alias.name(), alias);
    return new ModelsMetadata(models, changed, requests, wire);
  }

  /** Returns a copy without the alias {@code name}. */
  public ModelsMetadata withoutAlias(String name) {
    Map<String, ModelAlias> changed = new TreeMap<>(aliases);
    changed.remove(name);
    return new ModelsMetadata(models, changed, requests, wire);
  }

  /** Returns a cluster state that contains these models, in a format that all nodes can read. */
  public ClusterState in(ClusterState state) {
    int common = WireLevel.of(state.nodes()).version();
    return new ModelsMetadata(models, aliases, requests.after(state), common).put(state);
  }

  private ClusterState put(ClusterState state) {
    return ClusterState.builder(state)
        .metadata(Metadata.builder(state.metadata()).putCustom(TYPE, this))
        .build();
  }

  /** Returns a cluster state whose list of latest requests also contains {@code request}. */
  public static ClusterState record(RecentRequests.Entry request, ClusterState state) {
    ModelsMetadata now = of(state);
    return new ModelsMetadata(
            now.models, now.aliases, now.requests.after(state).with(request), now.wire)
        .put(state);
  }

  /**
   * Rejects a joining node that cannot read this metadata. The node logs the exception's message.
   *
   * @throws IllegalStateException if the node's wire version is too old; the message names the node
   */
  public static void checkJoin(DiscoveryNode node, ClusterState state) {
    ModelsMetadata metadata = state.metadata().custom(TYPE);
    WireLevel level = WireLevel.of(node);
    if (metadata != null && level.version() < metadata.wire) {
      throw new IllegalStateException(
          "node ["
              + node.getName()
              + "] has an older build of the quickscorer plugin, or none (wire version ["
              + level.version()
              + "]); the models of this cluster are written in version ["
              + metadata.wire
              + "]; install the build that the other nodes have");
    }
  }

  /**
   * Returns whether models and aliases may be written to the cluster state. All nodes must be able
   * to read these, unless the cluster state already contains models or aliases.
   */
  public static boolean isReadable(ClusterState state) {
    return state.metadata().custom(TYPE) != null
        || WireLevel.of(state.nodes()).version() == Wire.CURRENT;
  }

  public static NamedDiff<Metadata.Custom> readDiffFrom(StreamInput in) throws IOException {
    return readDiffFrom(Metadata.Custom.class, TYPE, in);
  }

  public static ModelsMetadata fromXContent(XContentParser parser) {
    return PARSER.apply(parser, null);
  }

  @Override
  public String getWriteableName() {
    return TYPE;
  }

  @Override
  public Version getMinimalSupportedVersion() {
    return Version.V_3_0_0;
  }

  // Not SNAPSHOT: a restored global state would replace models whose documents are newer.
  @Override
  public EnumSet<Metadata.XContentContext> context() {
    return EnumSet.of(Metadata.XContentContext.GATEWAY);
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    Wire.head(out);
    out.writeCollection(models.values());
    out.writeCollection(aliases.values());
    requests.writeTo(out);
    out.writeVInt(wire);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    if (!Metadata.CONTEXT_MODE_SNAPSHOT.equals(params.param(Metadata.CONTEXT_MODE_PARAM))) {
      // Not in the index: the restoring cluster has its own format and state versions.
      builder.field(WIRE, wire).field(CHANGED, requests.last());
    }
    return builder.field(MODELS, models.values()).field(ALIASES, aliases.values());
  }

  /**
   * Returns whether the models and aliases are equal to another object's; the lists of requests may
   * differ.
   */
  public boolean hasSame(ModelsMetadata other) {
    return models.equals(other.models) && aliases.equals(other.aliases);
  }

  /** Compares all data, because any difference must be sent to all nodes. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ModelsMetadata that
        && wire == that.wire
        && requests.equals(that.requests)
        && hasSame(that);
  }

  @Override
  public int hashCode() {
    return Objects.hash(models, aliases, requests, wire);
  }
}
