package org.ringwire.transport.selector;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.support.InterestQueue;
import org.ringwire.transport.support.TransportLog;

/** Ends what a loop watches; what one of them throws keeps nobody from ending the others. */
final class EntryEnds {

  private static final TransportLog LOG = TransportLog.of(EntryEnds.class);

  private EntryEnds() {}

  /** Ahead of the first end. */
  static void load() {}

  static void end(SelectorEntry entry, @Nullable Throwable cause) {
    try {
      entry.end(cause);
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.ERROR, "cannot end a link or a listener", e);
    }
  }

  static void endAll(List<SelectionKey> keys, @Nullable Throwable cause) {
    for (SelectionKey key : keys) {
      end((SelectorEntry) key.attachment(), cause);
    }
  }

  /** Ends what came after the loop had looked for the last time. */
  static void refuse(InterestQueue.@Nullable Node nodes) {
    InterestQueue.Node node = nodes;
    while (node != null) {
      InterestQueue.Node following = node.unlink();
      end((SelectorEntry) node, null);
      node = following;
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

  /** Ends them at once, whoever is inside. */
  static void force(List<SelectionKey> keys) {
    for (SelectionKey key : keys) {
      try {
        ((SelectorEntry) key.attachment()).forceEnd();
      } catch (Throwable e) {
        LOG.log(System.Logger.Level.ERROR, "cannot end " + key.attachment(), e);
      }
      SelectorEntry.closeQuietly(key.channel());
    }
  }
}
