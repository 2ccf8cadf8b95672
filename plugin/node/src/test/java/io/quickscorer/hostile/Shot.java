package io.quickscorer.hostile;

/**
 * One request.
 *
 * @param attack what it is part of, for the report
 * @param body JSON, or whatever is sent as JSON; empty for none
 */
record Shot(String attack, String method, String path, String body) {
  @Override
  public String toString() {
    String start = body.length() > 2_000 ? body.substring(0, 2_000) + "…" : body;
    return attack + ": " + method + " " + path + " " + start;
  }
}
