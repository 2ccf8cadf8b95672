// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

/**
 * One thing that happens in a simulation.
 *
 * @param time simulated milliseconds after the cluster is ready
 * @param action what happens then
 */
record Step(long time, Action action) {
  /** What happens. */
  sealed interface Action permits Operation, Fault {}

  /** What a user can ask for. */
  enum Kind {
    UPLOAD,
    DELETE_MODEL,
    MOVE,
    ROLL_BACK,
    DELETE_ALIAS,
    PUT_SET,
    CREATE_SET,
    DELETE_SET,
    READ_MODELS,
    READ_ALIASES,
    READ_SET,
    /** A search whose hits a model scores. */
    SEARCH,
    /** The effect of a restore on one name. */
    RESTORE,
    /** An upload that must not replace a model. */
    CREATE_MODEL
  }

  /**
   * A request of a user.
   *
   * @param node the node that is asked; the next one if it does not run
   * @param name of a model, an alias or a feature set; empty for all; the key of a restored one
   * @param value the model's mark or the set's default
   * @param target the model to which an alias moves; the value in the snapshot
   */
  record Operation(Kind kind, int node, String name, int value, String target) implements Action {
    @Override
    public String toString() {
      return switch (kind) {
        case UPLOAD, CREATE_MODEL, PUT_SET, CREATE_SET -> kind + " " + name + " = " + value;
        case MOVE -> kind + " " + name + " to " + target;
        default -> (kind + " " + name).strip();
      };
    }

    /** The key under which the operation is checked; empty for a read that is checked otherwise. */
    String key() {
      return switch (kind) {
        case UPLOAD, CREATE_MODEL, DELETE_MODEL -> "model " + name;
        case MOVE, ROLL_BACK, DELETE_ALIAS -> "alias " + name;
        case PUT_SET, CREATE_SET, DELETE_SET -> "set " + name;
        case RESTORE -> name;
        case READ_MODELS, READ_ALIASES, READ_SET, SEARCH -> "";
      };
    }
  }

  /** What can go wrong. */
  enum Trouble {
    /** A process ends and its node starts again. */
    KILL,
    /** Ends a process and its host, so that no connection is closed. */
    KILL_HOST,
    /** A process does nothing for a while. */
    PAUSE,
    /** A process does everything later. */
    SLOW,
    /** Messages from and to some nodes are held up. */
    PARTITION,
    /** Messages to some nodes are held up, those from them arrive. */
    ONE_WAY,
    /** Connections from and to some nodes end, new ones fail. */
    DISCONNECT,
    /** Messages take long and connections break. */
    DISTURB,
    /** A node's wall clock is ahead, or behind, from its next start on. */
    SKEW,
    /** A process ends, and its node has no memory when it starts again, until all has healed. */
    FULL,
    /**
     * A host ends while it writes to its disk: when it writes a cluster state or a term, if the
     * amount is 1, otherwise when it writes a document. The writing is lost.
     */
    LOSE,
    /**
     * A node's disk is full, so that its copy of the index fails and it accepts no cluster state.
     * If the amount is 1, the index is blocked instead, as when a disk is nearly full.
     */
    DISK_FULL,
    /** Takes a snapshot of the index of models. */
    BACK_UP,
    /** Deletes the index of models, and restores the snapshot some time later. */
    RESTORE,
    /**
     * A node without the plugin ends and starts with the plugin; if the amount is 1, it does so
     * when all has healed.
     */
    UPGRADE
  }

  /**
   * Something that goes wrong for a while.
   *
   * @param nodes a bit for each node that is concerned, {@link #PRIMARY} for that with the primary
   *     of the index of models; 0 for the elected cluster manager
   * @param duration simulated milliseconds
   * @param amount how bad it is
   */
  record Fault(Trouble trouble, int nodes, long duration, int amount) implements Action {
    static final int PRIMARY = Integer.MIN_VALUE;

    @Override
    public String toString() {
      StringBuilder of = new StringBuilder(trouble.name());
      for (int node = 0; node < Integer.SIZE - 1; node++) {
        of.append((nodes >> node & 1) == 1 ? " n" + node : "");
      }
      of.append((nodes & PRIMARY) == 0 ? "" : " primary");
      return of.append(nodes == 0 ? " manager" : "")
          .append(" for ")
          .append(duration)
          .append(" ms, ")
          .append(amount)
          .toString();
    }
  }
}
