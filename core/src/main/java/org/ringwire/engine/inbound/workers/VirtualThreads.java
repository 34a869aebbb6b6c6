package org.ringwire.engine.inbound.workers;

import org.jspecify.annotations.Nullable;

/** Virtual threads of a node, for what may wait for long. */
public final class VirtualThreads {

  private VirtualThreads() {}

  /**
   * Starts one; any thread. It inherits nothing of the caller, who may be anybody that has read for
   * the node, or has left something to it.
   *
   * @param context class loader that the body finds the application's classes by: of who opened the
   *     node
   */
  public static void start(String name, @Nullable ClassLoader context, Runnable body) {
    Thread thread =
        Thread.ofVirtual().name(name).inheritInheritableThreadLocals(false).unstarted(body);
    thread.setContextClassLoader(context);
    thread.start();
  }
}
