// SPDX-License-Identifier: Apache-2.0
/**
 * Reads untrusted bytes safely: no read past the end, no allocation before a check, and the place
 * in the file in every error message. Reads JSON and Universal Binary JSON, and parses numbers as
 * the trainers' libraries do. This package does not depend on any model format.
 */
@NullMarked
package io.quickscorer.reader.input;

import org.jspecify.annotations.NullMarked;
