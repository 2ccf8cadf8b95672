// SPDX-License-Identifier: Apache-2.0
/**
 * Scores in fresh JVMs under random settings of the JIT, with plain values for long and then the
 * first special one of each kind, and compares every score with the reference, bit by bit. {@link
 * io.quickscorer.papers.torture.Torture} is the campaign, {@link
 * io.quickscorer.papers.torture.Worker} one of its JVMs, {@link
 * io.quickscorer.papers.torture.Replay} what repeats a finding. How to run it is said in {@code
 * docs/torture.md}.
 */
@NullMarked
package io.quickscorer.papers.torture;

import org.jspecify.annotations.NullMarked;
