/** Sends graphs of its own objects. */
module org.example.graphs {
  requires org.ringwire.heap;
}
