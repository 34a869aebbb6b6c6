package org.ringwire.infiniband.link;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.ringwire.infiniband.device.RingRegions;
import org.ringwire.infiniband.device.VerbsCounters;
import org.ringwire.transport.Link;
import org.ringwire.transport.LinkAcceptor;
import org.ringwire.transport.LinkHandler;
import org.ringwire.transport.Transport;

/**
 * What the transports of both engines have in common: addresses are those of TCP, over which links
 * are set up, links are kept in a register, and rings are memory of the device.
 *
 * @param <L> the links of the engine
 */
public abstract class EngineTransport<L extends EngineLink> implements Transport {

  /** For an engine. */
  protected EngineTransport() {}

  /** Its links. */
  protected abstract LinkRegister<L> register();

  /** The memory that is sent from. */
  protected abstract RingRegions rings();

  /** What the verbs were called for since the transport was opened. */
  protected abstract VerbsCounters verbsCounters();

  @Override
  public final String listen(String address, LinkAcceptor acceptor) throws IOException {
    return register().listen(address, acceptor);
  }

  @Override
  public final void connect(String address, LinkHandler handler) {
    register().connect(address, handler);
  }

  @Override
  public final boolean mayLookUp(String address) {
    return register().mayLookUp(address);
  }

  @Override
  public final boolean isLocal(String address) {
    return register().isLocal(address);
  }

  @Override
  public final List<String> localNames(String address) {
    return register().localNames(address);
  }

  @Override
  public final MemorySegment allocateRing(Link link, Arena arena, long capacity) {
    return rings().allocate(arena, capacity);
  }

  @Override
  public final void trim() {
    register().trim();
  }

  @Override
  public final Map<String, Long> counters() {
    return verbsCounters().byName();
  }

  @Override
  public final void stopListening() {
    register().stopListening();
  }
}
