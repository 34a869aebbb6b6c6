package org.ringwire.tools.top;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeMetrics;
import org.ringwire.management.NodeMXBean;
import org.ringwire.management.NodeManagement;
import org.ringwire.tools.console.CommandException;
import org.ringwire.tools.console.Problem;

/**
 * Looks into a JVM of the same user on this machine, through its management agent. One that stands
 * still is not waited for: what the JDK asks it has no bound of its own.
 */
final class ProcessSource implements MetricsSource {

  /** Twice what the JDK waits for a JVM that nobody has looked into before. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final String STANDS_STILL = "no answer in time, it may stand still";

  private final long pid;
  private final JMXConnector connector;
  private final NodeMXBean node;
  private boolean silent;

  private ProcessSource(long pid, JMXConnector connector, NodeMXBean node) {
    this.pid = pid;
    this.connector = connector;
    this.node = node;
  }

  /**
   * Attaches.
   *
   * @param nodeId which of several nodes, or null
   * @throws CommandException if there is no such process, or no such node in it
   */
  static ProcessSource attach(long pid, @Nullable Integer nodeId) {
    if (ProcessHandle.of(pid).isEmpty()) {
      throw new CommandException("there is no process " + pid);
    }
    try {
      return inTime(() -> look(pid, nodeId));
    } catch (TimeoutException e) {
      throw new CommandException(
          "cannot look into process " + pid + ": " + STANDS_STILL + " (a signal, or a debugger)",
          e);
    } catch (IOException e) {
      throw gone(pid, e);
    }
  }

  private static ProcessSource look(long pid, @Nullable Integer nodeId) {
    JMXConnector connector = connect(pid);
    try {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      ObjectName name = choose(pid, names(server), nodeId);
      return new ProcessSource(pid, connector, JMX.newMXBeanProxy(server, name, NodeMXBean.class));
    } catch (IOException | RuntimeException e) {
      closeQuietly(connector);
      throw e instanceof CommandException told ? told : gone(pid, e);
    }
  }

  /**
   * Asks on a thread of its own, which is left alone when the time is over.
   *
   * @throws TimeoutException if there is no answer in time
   * @throws IOException if this thread is interrupted
   */
  private static <T> T inTime(Supplier<T> question) throws TimeoutException, IOException {
    FutureTask<T> answer = new FutureTask<>(question::get);
    Thread.ofPlatform().daemon().name("top-process").start(answer);
    try {
      return answer.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw new IllegalStateException(e); // a supplier throws no other
      }
    }
  }

  @SuppressWarnings("BanJNDI") // the address is what a JVM of the same user says of itself
  private static JMXConnector connect(long pid) {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) { // what it says is not for people
      throw new CommandException(
          "cannot look into process " + pid + ": it is no JVM of this user, or does not answer", e);
    } catch (IOException e) {
      throw new CommandException(
          "cannot look into process "
              + pid
              + ": is it a JVM, and of the same user? "
              + Problem.describe(e),
          e);
    }
  }

  private static Set<ObjectName> names(MBeanServerConnection server) throws IOException {
    try {
      return new TreeSet<>(
          server.queryNames(new ObjectName(NodeManagement.NAME_PREFIX + "*"), null));
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectName choose(long pid, Set<ObjectName> names, @Nullable Integer nodeId) {
    if (names.isEmpty()) {
      throw new CommandException(
          "process "
              + pid
              + " shows no node: start it with ./ringwire node, or call"
              + " NodeManagement.register(node)");
    }
    if (nodeId == null && names.size() > 1) {
      throw new CommandException(
          "process " + pid + " has several nodes, say which with --id: " + ids(names));
    }
    return names.stream()
        .filter(name -> nodeId == null || name.getKeyProperty("id").equals(nodeId.toString()))
        .findFirst()
        .orElseThrow(() ->
            new CommandException(
                "process " + pid + " has no node " + nodeId + ", but " + ids(names)));
  }

  private static String ids(Set<ObjectName> names) {
    return String.join(", ", names.stream().map(name -> name.getKeyProperty("id")).toList());
  }

  private static CommandException gone(long pid, Exception e) {
    return new CommandException(
        "process " + pid + " does not answer any more: " + Problem.describe(e), e);
  }

  @Override
  public String name() {
    return "process " + pid;
  }

  @Override
  public NodeMetrics read() {
    try {
      return inTime(node::getMetrics);
    } catch (UndeclaredThrowableException e) {
      Throwable cause = e.getUndeclaredThrowable();
      throw gone(pid, cause instanceof Exception exception ? exception : e);
    } catch (IOException e) { // interrupted: whether it stands still is not known
      silent = true;
      throw gone(pid, e);
    } catch (TimeoutException e) {
      silent = true;
      throw new CommandException(
          "process " + pid + " does not answer any more: " + STANDS_STILL, e);
    }
  }

  @Override
  public void close() {
    if (!silent) { // the farewell would wait for it, too
      closeQuietly(connector);
    }
  }

  private static void closeQuietly(JMXConnector connector) {
    try {
      connector.close();
    } catch (IOException e) {
      // the process has gone
    }
  }
}
