package org.ringwire.tools.node;

import java.time.Duration;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeUnreachableException;
import org.ringwire.RemoteHandlerException;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.NoAnswer;

/** Connects to a node of which the address is known, and perhaps not the id. */
final class Introduction {

  private final Node node;
  private final String address;
  private final byte[] content;
  private final Duration timeout;

  /**
   * Prepares.
   *
   * @param content sent along, so that the pings that follow are nothing new to either side
   */
  Introduction(Node node, String address, byte[] content, Duration timeout) {
    this.node = node;
    this.address = address;
    this.content = content;
    this.timeout = timeout;
  }

  /**
   * Connects to the node with a given id.
   *
   * @throws CommandException if it does not answer
   */
  int to(int id) {
    try {
      return greet(id);
    } catch (MessagingException e) {
      throw silent(e);
    }
  }

  /**
   * Connects to whichever node it is.
   *
   * @return its id
   * @throws CommandException if it does not answer
   */
  int toAny() {
    try {
      return to(node.connect(address, timeout));
    } catch (NodeUnreachableException e) {
      throw silent(e);
    }
  }

  private int greet(int id) {
    node.request(id, new Echo(Echo.INTRODUCTION, content), Echo.class, timeout);
    return id;
  }

  private CommandException silent(MessagingException e) {
    if (e instanceof RemoteHandlerException) {
      return new CommandException(
          "the node at " + address + " does not answer pings: start it with ./ringwire node", e);
    }
    return NoAnswer.of(address, e, "that the node runs, its cluster, and its id");
  }
}
