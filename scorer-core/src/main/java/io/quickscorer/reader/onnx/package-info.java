// SPDX-License-Identifier: Apache-2.0
/** ONNX files with one tree operator. */
@NullMarked
package io.quickscorer.reader.onnx;

import org.jspecify.annotations.NullMarked;
