// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.window;

/**
 * The values of one feature, a part of an array: {@code values[start + i]} belongs to document i of
 * the window.
 */
@SuppressWarnings(
    "ArrayRecordComponent") // instances are never compared; callers write into the array
public record Column(float[] values, int start) {}
