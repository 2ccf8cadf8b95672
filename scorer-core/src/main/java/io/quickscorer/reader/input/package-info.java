// SPDX-License-Identifier: Apache-2.0
/**
 * Reads untrusted bytes with bounds: no read past the end, no allocation before a check, and every
 * message names the place. Has tokens of JSON, and numbers as the trainers' libraries parse them.
 * Does not depend on any model format.
 */
@NullMarked
package io.quickscorer.reader.input;

import org.jspecify.annotations.NullMarked;
