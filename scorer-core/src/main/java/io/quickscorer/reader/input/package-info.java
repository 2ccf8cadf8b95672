// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes from outside, read with bounds: no read past the end, no allocation before a check, and
 * every message names the place. Tokens of JSON, UBJSON and XML, fields of protocol buffers and
 * FlatBuffers, numbers as the trainers' libraries parse them. Knows no model format.
 */
@NullMarked
package io.quickscorer.reader.input;

import org.jspecify.annotations.NullMarked;
