package org.ringwire.transport.support;

import org.jspecify.annotations.Nullable;

/**
 * What a transport's threads log with. They must survive everything, and logging itself may fail:
 * the JDK's loads classes and opens files when it is used first, which a process without memory or
 * file descriptors cannot do.
 */
public final class TransportLog {

  private final System.Logger logger;

  private TransportLog(System.Logger logger) {
    this.logger = logger;
  }

  /** A log, ready to be used. */
  public static TransportLog of(Class<?> owner) {
    TransportLog log = new TransportLog(System.getLogger(owner.getName()));
    log.prepare();
    return log;
  }

  private void prepare() {
    try {
      logger.isLoggable(System.Logger.Level.WARNING); // loads what it needs, while that is possible
    } catch (Throwable e) {
      // no log; log() says nothing either
    }
  }

  /** Logs; never throws. */
  public void log(System.Logger.Level level, String message, @Nullable Throwable cause) {
    try {
      if (cause == null) {
        logger.log(level, message);
      } else {
        logger.log(level, message, cause);
      }
    } catch (Throwable e) {
      // the message is lost, the thread is not
    }
  }
}
