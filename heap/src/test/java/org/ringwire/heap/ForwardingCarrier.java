package org.ringwire.heap;

import java.lang.foreign.MemorySegment;

/** Does as another one does, but for what a test changes. */
interface ForwardingCarrier extends BlockCarrier {

  BlockCarrier carrier();

  @Override
  default String kind() {
    return carrier().kind();
  }

  @Override
  default Announcement announce(MemorySegment memory, Listener listener) {
    return carrier().announce(memory, listener);
  }
}
