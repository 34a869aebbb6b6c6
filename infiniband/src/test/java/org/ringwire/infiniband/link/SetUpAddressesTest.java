package org.ringwire.infiniband.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.infiniband.device.RingRegions;
import org.ringwire.infiniband.device.VerbsCounters;
import org.ringwire.testing.NodeWatcher;

/** Addresses are those of the transport over which links are set up. */
@ExtendWith(NodeWatcher.class)
class SetUpAddressesTest {
  private final Engineless engineless = new Engineless();
  private final EngineTransport<EndingLink> transport = new Deviceless();

  /** Only what needs no device. */
  private final class Deviceless extends EngineTransport<EndingLink> {
    @Override
    protected LinkRegister<EndingLink> register() {
      return engineless.register;
    }

    @Override
    protected RingRegions rings() {
      throw new UnsupportedOperationException();
    }

    @Override
    protected VerbsCounters verbsCounters() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  @AfterEach
  void close() {
    engineless.close();
  }

  @Test
  void shouldSayWhichAddressesMayBeLookedUp() {
    assertThat(transport.mayLookUp("host.example:7400")).isTrue();
    assertThat(transport.mayLookUp("192.0.2.1:7400")).isFalse();
    assertThat(transport.mayLookUp("[2001:db8::1]:7400")).isFalse();
    assertThat(transport.mayLookUp("no address")).isFalse();
  }

  @Test
  void shouldSayWhichAddressesAreOfThisMachine() {
    assertThat(transport.isLocal("127.0.0.1:7400")).isTrue();
    assertThat(transport.isLocal("192.0.2.1:7400")).isFalse();
    assertThat(transport.localNames("192.0.2.1:7400")).isEmpty();
  }
}
