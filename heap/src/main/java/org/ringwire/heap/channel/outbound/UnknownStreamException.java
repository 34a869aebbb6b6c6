package org.ringwire.heap.channel.outbound;

import org.ringwire.MessagingException;
import org.ringwire.heap.GraphLostException;

/**
 * The receiver knows nothing of a stream: it is another life of its node, or its channel was closed
 * there. No last block of the graph that is being written has been taken by anybody, so it is not
 * handed out, and may be written again.
 */
final class UnknownStreamException extends MessagingException {
  private static final long serialVersionUID = 1;

  UnknownStreamException(int peer) {
    super("a graph is lost: nodeId=" + peer + ": the stream has ended");
  }

  /** What is told of the graph if it is not written again. */
  GraphLostException lost() {
    return new GraphLostException(String.valueOf(getMessage()), this);
  }
}
