// SPDX-License-Identifier: Apache-2.0
package org.opensearch.transport.grpc.spi;

/** As {@link QueryBuilderProtoConverter}. */
public interface QueryBuilderProtoConverterRegistry {}
