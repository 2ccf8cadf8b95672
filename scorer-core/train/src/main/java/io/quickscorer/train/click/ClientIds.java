// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.click;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/** Hashes the ids of clients with a random salt, so that the ids themselves are not stored. */
final class ClientIds {
  private final byte[] salt = new byte[16];

  ClientIds() {
    new SecureRandom().nextBytes(salt);
  }

  /** Returns the hash of a client's id; 0 for an empty id. */
  long hash(String client) {
    if (client.isEmpty()) {
      return 0;
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(salt);
      return ByteBuffer.wrap(digest.digest(client.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
