// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.window;

/** A feature's values in an array: {@code values[start + i]} belongs to the window's document i. */
@SuppressWarnings(
    "ArrayRecordComponent") // instances are never compared; callers write into the array
public record Column(float[] values, int start) {}
