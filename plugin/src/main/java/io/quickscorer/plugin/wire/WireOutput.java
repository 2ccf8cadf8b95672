// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.wire;

import java.io.IOException;
import org.opensearch.Version;
import org.opensearch.core.common.io.stream.StreamOutput;

/** A stream to nodes that are behind. */
final class WireOutput extends StreamOutput {
  private final StreamOutput delegate;
  private final WireLevel level;

  WireOutput(StreamOutput delegate, WireLevel level) {
    this.delegate = delegate;
    this.level = level;
  }

  WireLevel level() {
    return level;
  }

  @Override
  public Version getVersion() {
    return delegate.getVersion();
  }

  @Override
  public void setVersion(Version version) {
    delegate.setVersion(version);
  }

  @Override
  public boolean hasFeature(String feature) {
    return delegate.hasFeature(feature);
  }

  @Override
  public void writeByte(byte b) throws IOException {
    delegate.writeByte(b);
  }

  @Override
  public void writeBytes(byte[] bytes, int offset, int length) throws IOException {
    delegate.writeBytes(bytes, offset, length);
  }

  @Override
  public void flush() throws IOException {
    delegate.flush();
  }

  @Override
  public void close() throws IOException {
    delegate.close();
  }

  @Override
  public void reset() throws IOException {
    delegate.reset();
  }
}
