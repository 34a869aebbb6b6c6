/** Objects and requests between JVMs, over lock-free rings in native memory. */
@SuppressWarnings("module") // one that uses internals is built after this
module org.ringwire {
  requires static org.jspecify;
  requires static java.naming; // SRV records alone need it
  requires static java.management; // NodeManagement alone needs it
  requires static jdk.jfr; // events are told where there is a recorder

  exports org.ringwire;
  exports org.ringwire.codec;
  exports org.ringwire.discovery;
  exports org.ringwire.management;
  exports org.ringwire.transport;
  exports org.ringwire.idle to
      org.ringwire.infiniband;
  exports org.ringwire.ring to
      org.ringwire.infiniband;
  exports org.ringwire.transport.providers to
      org.ringwire.infiniband;
  exports org.ringwire.transport.support to
      org.ringwire.infiniband;

  uses org.ringwire.transport.TransportProvider;

  provides org.ringwire.transport.TransportProvider with
      org.ringwire.transport.loopback.LoopbackTransportProvider,
      org.ringwire.transport.shm.ShmTransportProvider,
      org.ringwire.transport.tcp.TcpTransportProvider;
}
