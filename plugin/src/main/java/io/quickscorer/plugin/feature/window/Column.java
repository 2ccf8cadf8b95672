// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.window;

/**
 * The place of a feature's values: {@code values[start + i]} belongs to the window's document i.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared: the array is the point
public record Column(float[] values, int start) {}
