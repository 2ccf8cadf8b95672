// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.hostile;

/**
 * One request.
 *
 * @param attack what it is part of, for the report
 * @param body JSON, or whatever is sent as JSON; empty for none
 * @param granted the actions that its user may use, with commas between them; empty for all
 */
record Shot(String attack, String method, String path, String body, String granted) {
  Shot(String attack, String method, String path, String body) {
    this(attack, method, path, body, "");
  }

  @Override
  public String toString() {
    String start = body.length() > 2_000 ? body.substring(0, 2_000) + "…" : body;
    String by = granted.isEmpty() ? "" : " granted [" + granted + "]";
    return attack + by + ": " + method + " " + path + " " + start;
  }
}
