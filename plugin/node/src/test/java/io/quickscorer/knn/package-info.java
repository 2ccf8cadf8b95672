// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of a node that has the real k-NN plugin too, over HTTP: {@code mvn -Pknn
 * -Dopensearch.version=3.4.0 clean verify}. What that plugin itself computes is the oracle.
 */
@NullMarked
package io.quickscorer.knn;

import org.jspecify.annotations.NullMarked;
