package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringwire.infiniband.verbs.library.EventVerbs;
import org.ringwire.infiniband.verbs.library.Posix;
import org.ringwire.infiniband.verbs.library.Verbs;
import org.ringwire.infiniband.verbs.library.VerbsLayout;

/**
 * Where events of completion queues arrive; an {@link EventPoll} waits for them. An event says that
 * something has come since {@link CompletionQueue#requestNotify}: arm, poll, and only then wait.
 */
public final class CompletionChannel extends VerbsObject {

  private final int descriptor;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment queue = arena.allocate(JAVA_LONG);
  private final MemorySegment context = arena.allocate(JAVA_LONG);

  CompletionChannel(Device device, long handle) {
    super(device, Verbs.Release.DESTROY_COMP_CHANNEL, handle);
    descriptor =
        Verbs.at(handle, VerbsLayout.COMP_CHANNEL.byteSize())
            .get(JAVA_INT, VerbsLayout.offset(VerbsLayout.COMP_CHANNEL, "fd"));
    Posix.setNonBlocking(descriptor);
  }

  /**
   * Takes all events that are there and acknowledges them; never waits, allocates nothing. One
   * thread at a time.
   *
   * @return how many there were
   */
  public int drain() {
    int events = 0;
    while (EventVerbs.getEvent(handle(), queue.address(), context.address()) == 0) {
      EventVerbs.acknowledge(queue.get(JAVA_LONG, 0), 1);
      events++;
    }
    return events;
  }

  int descriptor() {
    return descriptor;
  }

  @Override
  void released() {
    arena.close();
  }

  @Override
  public String toString() {
    return "completion channel";
  }
}
