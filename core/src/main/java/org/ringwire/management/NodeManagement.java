package org.ringwire.management;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.ringwire.Node;

/**
 * A node in the platform's MBean server, for as long as this is open. Nothing registers a node
 * unless it is asked for; the module {@code java.management} is needed only where it is.
 */
public final class NodeManagement implements AutoCloseable {

  /** Domain and type of the names; the id of the node follows. */
  public static final String NAME_PREFIX = "org.ringwire:type=Node,id=";

  private final ObjectName name;
  private final AtomicBoolean open = new AtomicBoolean(true);

  private NodeManagement(ObjectName name) {
    this.name = name;
  }

  /**
   * Registers a node as {@value #NAME_PREFIX}N.
   *
   * @throws IllegalStateException if a node with this id is registered already
   */
  public static NodeManagement register(Node node) {
    try {
      ObjectName name = new ObjectName(NAME_PREFIX + node.id());
      NodeMXBean bean = node::metrics;
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new StandardMBean(bean, NodeMXBean.class, true), name);
      return new NodeManagement(name);
    } catch (InstanceAlreadyExistsException e) {
      throw new IllegalStateException(
          "a node with this id is registered already: nodeId=" + node.id(), e);
    } catch (JMException e) {
      throw new IllegalStateException("cannot be registered: nodeId=" + node.id(), e);
    }
  }

  /** The name that the node has in the MBean server. */
  public String name() {
    return name.toString();
  }

  /** Takes the node out of the MBean server; a second call does nothing. */
  @Override
  public void close() {
    if (!open.getAndSet(false)) {
      return; // somebody else may have the name by now
    }
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      // somebody else has taken it out
    } catch (JMException e) {
      throw new IllegalStateException("cannot be unregistered: name=" + name, e);
    }
  }
}
