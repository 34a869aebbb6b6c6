package org.ringwire.management;

import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.ringwire.Node;

/**
 * What of {@link NodeManagement} needs the module {@code java.management}: where that is not, this
 * class cannot be loaded, and the other one can.
 */
final class PlatformBean {

  private PlatformBean() {}

  /**
   * Registers a node.
   *
   * @return its name
   */
  static String register(Node node) {
    try {
      ObjectName name = new ObjectName(NodeManagement.NAME_PREFIX + node.id());
      NodeMXBean bean = node::metrics;
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new StandardMBean(bean, NodeMXBean.class, true), name);
      return name.toString();
    } catch (InstanceAlreadyExistsException e) {
      throw new IllegalStateException(
          "a node with this id is registered already: nodeId=" + node.id(), e);
    } catch (JMException e) {
      throw new IllegalStateException("cannot be registered: nodeId=" + node.id(), e);
    }
  }

  /** Takes a node out. */
  static void unregister(String name) {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(name));
    } catch (InstanceNotFoundException e) {
      // somebody else has taken it out
    } catch (JMException e) {
      throw new IllegalStateException("cannot be unregistered: name=" + name, e);
    }
  }
}
