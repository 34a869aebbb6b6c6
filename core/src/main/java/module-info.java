/** Objects and requests between JVMs, over lock-free rings in native memory. */
module org.ringwire {
  requires static org.jspecify;

  exports org.ringwire;
  exports org.ringwire.codec;
  exports org.ringwire.transport;
}
