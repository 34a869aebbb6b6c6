package org.ringwire.engine.outbound;

import java.util.ArrayDeque;
import java.util.Queue;
import org.ringwire.ring.OutboundRing;

/**
 * What a processor may do with a release store: keep it to itself until a full fence. A mutant
 * whose commits go through here and whose fences flush shows in one run what hardware shows once in
 * a million. Empty in the library as it is, which does not know this class.
 */
public final class StoreBuffer {

  private static final ThreadLocal<StoreBuffer> ACTIVE = ThreadLocal.withInitial(StoreBuffer::new);

  private final Queue<Runnable> stores = new ArrayDeque<>();

  private StoreBuffer() {}

  /** The one of this thread. */
  public static StoreBuffer active() {
    return ACTIVE.get();
  }

  /** In place of {@link OutboundRing#commit}. */
  public static void commit(OutboundRing ring, long position, long header) {
    active().stores.add(() -> ring.commit(position, header));
  }

  /** In place of a full fence. */
  public static void fence() {
    active().flush();
  }

  void flush() {
    for (Runnable store = stores.poll(); store != null; store = stores.poll()) {
      store.run();
    }
  }

  void drop() {
    stores.clear();
  }
}
