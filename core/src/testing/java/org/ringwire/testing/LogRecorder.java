package org.ringwire.testing;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Remembers what is logged, from when it is made until it is closed. Any thread. */
public final class LogRecorder extends Handler implements AutoCloseable {

  private final Logger logger;
  private final Queue<LogRecord> records = new ConcurrentLinkedQueue<>();

  private LogRecorder(Logger logger) {
    this.logger = logger;
  }

  /**
   * Listens to a logger and those below it.
   *
   * @param least what is less than that is not remembered
   */
  @SuppressWarnings("exports") // of java.logging, to tests
  public static LogRecorder of(Logger logger, Level least) {
    LogRecorder recorder = new LogRecorder(logger);
    recorder.setLevel(least);
    logger.addHandler(recorder);
    return recorder;
  }

  /** What was logged so far, the oldest first; callers may take it out. */
  @SuppressWarnings("exports") // of java.logging, to tests
  public Queue<LogRecord> records() {
    return records;
  }

  @Override
  public void publish(LogRecord record) {
    if (isLoggable(record)) {
      records.add(record);
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
