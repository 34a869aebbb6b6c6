package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.testing.NodeWatcher;

@Tag("rdma")
@Tag("rdma-slice")
@ExtendWith(DeviceTraffic.class)
@ExtendWith(NodeWatcher.class)
final class UdQueuePairTest {

  private static final int QUEUE_KEY = 0x1234567;
  private static final int LENGTH = 1000;

  @Test
  void shouldSendDatagramsToManyFromOne() {
    try (Loopback base = new Loopback()) {
      QueuePairOptions options =
          new QueuePairOptions(base.sent, base.received, null, 16, 2, 16, 2, 0, true);
      UdQueuePair sender = ready(base, options);
      UdQueuePair[] receivers = {ready(base, options), ready(base, options)};
      AddressHandle handle = base.opened(base.domain.createAddressHandle(base.path, base.gid, 0));
      for (int i = 0; i < receivers.length; i++) {
        base.receives.clear();
        base.receives.add(i);
        // The route goes elsewhere, so that the content is aligned.
        base.receives.addRange(base.at(64L * i), UdQueuePair.ROUTE_BYTES, base.region.localKey());
        base.receives.addRange(base.at(4096 + 4096L * i), 4096, base.region.localKey());
        assertThat(receivers[i].postReceive(base.receives, 0)).isEqualTo(1);
      }
      base.memory().asSlice(65536, LENGTH).fill((byte) 'u');

      base.sends.clear();
      for (int i = 0; i < receivers.length; i++) {
        base.sends.add(SendOpcode.SEND_WITH_IMM, i, 0);
        base.range(65536, LENGTH - i);
        base.sends.immediate(7 + i);
        base.sends.destination(handle, receivers[i].number(), QUEUE_KEY);
      }
      assertThat(sender.post(base.sends, 0)).isEqualTo(2);

      for (int i = 0; i < receivers.length; i++) {
        base.nextGood(base.sent);
        WorkCompletions received = base.nextGood(base.received);
        int index = (int) received.id(0);
        assertThat(received.queuePair(0)).isEqualTo(receivers[index].number());
        assertThat(received.sourceQueuePair(0)).isEqualTo(sender.number());
        assertThat(received.immediate(0)).isEqualTo(7 + index);
        assertThat(received.length(0)).isEqualTo(UdQueuePair.ROUTE_BYTES + LENGTH - index);
        assertThat(received.hasGlobalRoute(0)).isTrue();
        long content = 4096 + 4096L * index;
        assertThat(base.memory().get(JAVA_BYTE, content + LENGTH - index - 1))
            .isEqualTo((byte) 'u');
        assertThat(base.memory().get(JAVA_BYTE, content + LENGTH - index)).isZero();
      }
    }
  }

  /** What a link has of a device may end because there is no heap. */
  @Test
  void shouldCloseWithoutHeap() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Loopback base = new Loopback()) {
      closeAll(partsOfALink(base)); // links the calls
      List<VerbsObject> parts = partsOfALink(base);
      long before = threads.getCurrentThreadAllocatedBytes();
      closeAll(parts);
      assertThat(threads.getCurrentThreadAllocatedBytes() - before).isZero();
    }
  }

  private static List<VerbsObject> partsOfALink(Loopback base) {
    QueuePairOptions options =
        new QueuePairOptions(base.sent, base.received, null, 16, 2, 16, 2, 0, true);
    List<VerbsObject> parts = new ArrayList<>();
    parts.add(base.domain.createAddressHandle(base.path, base.gid, 0));
    parts.add(base.domain.createRcQueuePair(options));
    parts.add(base.domain.createUdQueuePair(options));
    parts.add(base.domain.register(base.memory(), 0));
    return parts;
  }

  private static void closeAll(List<VerbsObject> parts) {
    for (int i = 0; i < parts.size(); i++) { // an iterator needs heap
      parts.get(i).close();
    }
  }

  private static UdQueuePair ready(Loopback base, QueuePairOptions options) {
    UdQueuePair pair = base.opened(base.domain.createUdQueuePair(options));
    pair.toInit(base.path, QUEUE_KEY);
    pair.toReadyToReceive();
    pair.toReadyToSend(0);
    return pair;
  }
}
