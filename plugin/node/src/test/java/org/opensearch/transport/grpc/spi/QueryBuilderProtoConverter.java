// SPDX-License-Identifier: Apache-2.0
package org.opensearch.transport.grpc.spi;

/**
 * Stands in for a type of the server's module {@code transport-grpc}, which the registry does not
 * have: the k-NN plugin has a class of this type, and would not start without it. Nothing calls it.
 */
public interface QueryBuilderProtoConverter {}
