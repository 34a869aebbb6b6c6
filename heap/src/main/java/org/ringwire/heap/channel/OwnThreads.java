package org.ringwire.heap.channel;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs what threads that may not wait leave to others, each on a virtual thread: with the context
 * class loader of who opens the channels, and nothing of who happens to cause it, which may be any
 * thread that reads for the node, or writes for a carrier.
 */
public final class OwnThreads implements Executor {
  private final @Nullable ClassLoader context = Thread.currentThread().getContextClassLoader();

  /** For the channels that the caller opens. */
  public OwnThreads() {}

  @Override
  public void execute(Runnable task) {
    Thread thread = Thread.ofVirtual().inheritInheritableThreadLocals(false).unstarted(task);
    thread.setContextClassLoader(context);
    thread.start();
  }
}
