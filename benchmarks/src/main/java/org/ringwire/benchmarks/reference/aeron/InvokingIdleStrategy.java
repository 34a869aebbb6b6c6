package org.ringwire.benchmarks.reference.aeron;

import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.IdleStrategy;

/**
 * Who has nothing to do does what a driver and a client without threads have to, and waits only if
 * that is nothing either. Used by one thread at a time, the only one of the node.
 */
final class InvokingIdleStrategy implements IdleStrategy {
  private final AgentInvoker driver;
  private final AgentInvoker client;
  private final IdleStrategy idle;

  InvokingIdleStrategy(AgentInvoker driver, AgentInvoker client, IdleStrategy idle) {
    this.driver = driver;
    this.client = client;
    this.idle = idle;
  }

  @Override
  public void idle(int workCount) {
    idle.idle(workCount + driver.invoke() + client.invoke());
  }

  @Override
  public void idle() {
    idle(0);
  }

  @Override
  public void reset() {
    idle.reset();
  }
}
