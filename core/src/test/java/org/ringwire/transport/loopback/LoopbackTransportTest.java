package org.ringwire.transport.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ringwire.transport.loopback.LoopbackTransports.awaitTasks;
import static org.ringwire.transport.loopback.LoopbackTransports.config;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.ProbeHandler;

/** The two sides of a link, with the turns of their threads in a fixed order. */
@ExtendWith(NodeWatcher.class)
class LoopbackTransportTest {

  /** The transport that connects is closed when it knows of the link, and the other not yet. */
  @Test
  void shouldKeepNoLinkThatHasEndedBeforeItIsAccepted() throws InterruptedException {
    ProbeHandler handler = new ProbeHandler();
    try (LoopbackTransport one = LoopbackTransport.open(config(1));
        LoopbackTransport two = LoopbackTransport.open(config(2))) {
      LoopbackLink link = LoopbackLink.pair(one, handler, two, "two");
      assertThat(one.add(link)).isTrue();
      link.close();
      awaitTasks(two);
      link.open(_ -> new ProbeHandler());
      awaitTasks(two);
      assertThat(two.hasLinks()).isFalse();
      awaitTasks(one);
      assertThat(handler.isClosed()).isTrue();
      assertThat(one.hasLinks()).isFalse();
    }
  }

  /** Two applications of a server may each have a library of their own, and nodes of one name. */
  @Test
  void shouldSayThatItKnowsOnlyNamesOfItsOwnCopy() {
    ProbeHandler handler = new ProbeHandler();
    try (LoopbackTransport one = LoopbackTransport.open(config(1))) {
      one.connect("elsewhere", handler);
      assertThat(handler.cause()).hasMessageContaining("uses this copy of the library");
    }
  }
}
