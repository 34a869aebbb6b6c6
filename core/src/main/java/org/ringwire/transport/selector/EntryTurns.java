package org.ringwire.transport.selector;

/**
 * The turns of entries, which their loop gives them. Whatever an entry throws in one, an {@link
 * Error} included, ends that entry with it as the cause; nothing of it comes to the loop. Called by
 * the loop of the entry only.
 */
final class EntryTurns {

  private EntryTurns() {}

  /**
   * Ahead of the first turn: what was taken from its entry is lost if there is no heap for that.
   * And ahead of the first that fails, most likely as there is none: a class whose initialisation
   * fails can never be used, and the loop would end with the next entry that fails.
   */
  static void load() {
    EntryEnds.load();
  }

  /**
   * Does what other threads have asked the loop for.
   *
   * @param interests of the constants of {@link SelectorEntry}
   * @param ending whether the loop ends, and nothing begins any more
   */
  static void apply(SelectorEntry entry, int interests, boolean ending) {
    try {
      if ((interests & SelectorEntry.CONNECT) != 0) {
        if (ending) {
          entry.end(null);
        } else {
          entry.begin();
        }
      }
      if ((interests & SelectorEntry.READ) != 0) {
        entry.watchRead();
      }
      if ((interests & SelectorEntry.ATTEND) != 0) {
        entry.attend();
      }
      if ((interests & SelectorEntry.WRITE) != 0) {
        entry.watchWrite();
      }
      if ((interests & SelectorEntry.ROOM) != 0) {
        entry.watchRoom();
      }
      if ((interests & SelectorEntry.CLOSE) != 0) {
        entry.tryEnd();
      }
    } catch (Throwable e) {
      EntryEnds.end(entry, e);
    }
  }

  /** The selector has told of it. */
  static void dispatch(SelectorEntry entry, int readyOps) {
    try {
      entry.ready(readyOps);
    } catch (Throwable e) {
      EntryEnds.end(entry, e);
    }
  }

  /** Looks for input, without the selector; whether there was some, as far as known. */
  static boolean look(SelectorEntry link, int times) {
    try {
      return link.look(times);
    } catch (Throwable e) {
      EntryEnds.end(link, e);
      return false;
    }
  }

  /** Nobody looks any more, but the selector. */
  static void deactivate(SelectorEntry link) {
    try {
      link.deactivated();
    } catch (Throwable e) {
      EntryEnds.end(link, e);
    }
  }
}
