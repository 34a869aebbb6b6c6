/** InfiniBand and RoCE, through the system's {@code libibverbs}: the transport {@code ib}. */
module org.ringwire.infiniband {
  requires static org.jspecify;
  requires transitive org.ringwire;
  requires static org.ringwire.heap;

  exports org.ringwire.infiniband;

  opens org.ringwire.infiniband to
      org.ringwire;
  opens org.ringwire.infiniband.memory to
      org.ringwire;

  provides org.ringwire.transport.TransportProvider with
      org.ringwire.infiniband.transport.InfinibandTransportProvider;
}
