// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.memory.MemoryCharge;
import io.quickscorer.plugin.model.node.ModelLookup.CompiledModel;
import org.opensearch.common.lease.Releasables;
import org.opensearch.common.util.concurrent.AbstractRefCounted;

/** A compiled model on this node. Its memory is charged until its last reference is released. */
final class LoadedModel extends AbstractRefCounted {
  private final CompiledModel model;
  private final MemoryCharge memory;
  private final long featureBytes;

  /**
   * Creates a model with one reference, which the caller must release.
   *
   * @param memory the charge at the circuit breaker for the compiled model and its feature set
   * @param featureBytes the part of this charge that is for the feature set, in bytes
   */
  LoadedModel(CompiledModel model, MemoryCharge memory, long featureBytes) {
    super(model.id().toString());
    this.model = model;
    this.memory = memory;
    this.featureBytes = featureBytes;
  }

  CompiledModel model() {
    return model;
  }

  public long bytes() {
    return memory.bytes();
  }

  long featureBytes() {
    return featureBytes;
  }

  /**
   * Adds a reference to the model. The reference is released when the returned object is closed.
   *
   * @throws IllegalStateException if the last reference was already released
   */
  ModelLookup.ModelUse use() {
    incRef();
    return new ModelLookup.ModelUse(model, Releasables.releaseOnce(this::decRef));
  }

  @Override
  protected void closeInternal() {
    model.scorer().close();
    memory.close();
  }
}
