/** Object graphs from heap to heap: any graph of objects as a message, without schema or codec. */
module org.ringwire.heap {
  requires static org.jspecify;
  requires transitive org.ringwire;

  exports org.ringwire.heap;

  opens org.ringwire.heap.channel to
      org.ringwire;
}
