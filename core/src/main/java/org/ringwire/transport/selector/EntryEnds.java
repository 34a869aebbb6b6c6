package org.ringwire.transport.selector;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.idle.FirstUse;
import org.ringwire.transport.support.TransportLog;

/** Ends what a loop watches; what one of them throws keeps nobody from ending the others. */
final class EntryEnds {

  private static final TransportLog LOG = TransportLog.of(EntryEnds.class);

  private static final String CANNOT_END = "cannot end a link or a listener";

  private EntryEnds() {}

  /** Ahead of the first end. */
  static void load() {
    FirstUse.prepare(Forced.class);
  }

  static void end(SelectorEntry entry, @Nullable Throwable cause) {
    try {
      entry.end(cause);
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, CANNOT_END, e);
    }
  }

  static void endAll(List<SelectionKey> keys, @Nullable Throwable cause) {
    for (SelectionKey key : keys) {
      end((SelectorEntry) key.attachment(), cause);
    }
  }

  /**
   * Ends what came after the loop had looked for the last time; nobody would end it later.
   *
   * @throws OutOfMemoryError if there is no heap for that, and it is to be tried again
   */
  static void refuse(SelectorEntry entry) {
    try {
      entry.end(null);
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, CANNOT_END, e);
    }
  }

  /** Ends those that wait for a time, too: they may have no channel meanwhile. */
  static void endTimed(List<SelectorEntry> timed) {
    for (SelectorEntry entry : timed) {
      end(entry, null);
    }
  }

  /** Those that a selector watches, as of now. */
  static List<SelectionKey> keysOf(Selector selector) {
    return selector.isOpen() ? List.copyOf(selector.keys()) : List.of();
  }

  /** One that is ended whoever is inside, with its channel: it may hand its registration on. */
  record Forced(SelectorEntry entry, SelectableChannel channel) {}

  /** Those of some registrations, to be ended. */
  static List<Forced> forced(List<SelectionKey> keys) {
    List<Forced> all = new ArrayList<>(keys.size());
    for (SelectionKey key : keys) {
      all.add(new Forced((SelectorEntry) key.attachment(), key.channel()));
    }
    return all;
  }

  /**
   * Ends them at once, whoever is inside.
   *
   * @throws OutOfMemoryError if there was no heap for some, and it is to be tried again with all
   */
  static void force(List<Forced> all) {
    OutOfMemoryError starved = null;
    for (int i = 0; i < all.size(); i++) { // without an iterator, for which there may be no heap
      Forced each = all.get(i);
      try {
        each.entry().forceEnd();
      } catch (OutOfMemoryError e) {
        starved = e;
      } catch (Throwable e) {
        LOG.log(System.Logger.Level.ERROR, CANNOT_END, e);
      }
      SelectorEntry.closeQuietly(each.channel());
    }
    if (starved != null) {
      throw starved;
    }
  }
}
