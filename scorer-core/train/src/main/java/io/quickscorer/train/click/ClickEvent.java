// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

/**
 * An action, such as a click or a purchase, on a hit of an interleaved search.
 *
 * @param search the id of the search
 * @param client a hash of the client's id, which itself is not kept; 0 if the event has none
 * @param document the id of the hit
 * @param team the model that picked the hit
 * @param credit of the action, above 0
 * @param time milliseconds since 1970; {@link Long#MAX_VALUE} if the event has none
 * @param segment of the search; "" if there is none
 */
record ClickEvent(
    String search,
    long client,
    String document,
    String team,
    double credit,
    long time,
    String segment) {}
