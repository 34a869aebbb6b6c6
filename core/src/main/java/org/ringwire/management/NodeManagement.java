package org.ringwire.management;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ringwire.Node;

/**
 * A node in the platform's MBean server, for as long as this is open. Nothing registers a node
 * unless it is asked for; the module {@code java.management} is needed only where it is: a modular
 * application says {@code requires java.management}.
 */
public final class NodeManagement implements AutoCloseable {

  /** Domain and type of the names; the id of the node follows. */
  public static final String NAME_PREFIX = "org.ringwire:type=Node,id=";

  private static final String PRESENT = "javax.management.StandardMBean";

  private final String name;
  private final AtomicBoolean open = new AtomicBoolean(true);

  private NodeManagement(String name) {
    this.name = name;
  }

  /**
   * Registers a node as {@value #NAME_PREFIX}N.
   *
   * @throws IllegalStateException if a node with this id is registered already, or the JDK's module
   *     {@code java.management} is missing
   */
  public static NodeManagement register(Node node) {
    Objects.requireNonNull(node, "node must not be null");
    try {
      Class<?> _ = Class.forName(PRESENT, false, NodeManagement.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(
          "JMX needs the module java.management: add \"requires java.management;\" to the"
              + " application's module, or --add-modules java.management",
          e);
    }
    return new NodeManagement(PlatformBean.register(node));
  }

  /** The name that the node has in the MBean server. */
  public String name() {
    return name;
  }

  /** Takes the node out of the MBean server; a second call does nothing. */
  @Override
  public void close() {
    if (open.getAndSet(false)) { // else somebody else may have the name by now
      PlatformBean.unregister(name);
    }
  }
}
