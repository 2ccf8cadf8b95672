// SPDX-License-Identifier: Apache-2.0
/** Reader for ONNX files with one tree operator. */
@NullMarked
package io.quickscorer.reader.onnx;

import org.jspecify.annotations.NullMarked;
