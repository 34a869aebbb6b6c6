package org.ringwire.engine.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.wire.TypeAnnouncement;

/** What the types take that a peer announces. */
@ExtendWith(NodeWatcher.class)
class LinkTypesTest {

  private static final int TYPES = 1000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Each link has all types of its peer, most of which never come by it. */
  @Test
  void shouldTakeNoMoreForATypeWhereMessagesAreHandledInManyPlaces() {
    long few = bytesPerType(3);
    long many = bytesPerType(1026);
    assertThat(many).isLessThan(few + 100);
  }

  private static long bytesPerType(int lanes) {
    List<TypeAnnouncement> announced = new ArrayList<>();
    for (int id = 0; id < TYPES; id++) {
      announced.add(new TypeAnnouncement(id, "type" + id, id, new byte[100]));
    }
    GenerationBudget budget = new GenerationBudget(new MessageCatalog());
    LinkTypes types = new LinkTypes(1, lanes, TYPES, budget);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    announced.forEach(types::add);
    return (THREADS.getCurrentThreadAllocatedBytes() - before) / TYPES;
  }
}
