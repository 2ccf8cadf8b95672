// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.window;

/** Where a feature's values go: {@code values[start + i]} is that of the window's document i. */
@SuppressWarnings("ArrayRecordComponent") // never compared: the array is the point
public record Column(float[] values, int start) {}
