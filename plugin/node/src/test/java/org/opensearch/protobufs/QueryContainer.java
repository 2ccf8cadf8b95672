// SPDX-License-Identifier: Apache-2.0
package org.opensearch.protobufs;

/**
 * Stands in for a type that the server's module {@code transport-grpc} brings along, as its {@code
 * QueryBuilderProtoConverter} does.
 */
public final class QueryContainer {
  private QueryContainer() {}

  /** Kinds of queries. */
  public enum QueryContainerCase {
    KNN
  }
}
