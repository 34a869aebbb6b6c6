package org.ringwire.tools.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A daemon thread that hands on the lines of one stream of a child until the stream ends. {@link
 * #lastLine()} may be read by any thread.
 */
final class LineForwarder {

  private final InputStream stream;
  private final Consumer<String> sink;
  private final Runnable atEnd;
  private final Thread thread;
  private volatile String lastLine = "";

  LineForwarder(String name, InputStream stream, Consumer<String> sink, Runnable atEnd) {
    this.stream = stream;
    this.sink = sink;
    this.atEnd = atEnd;
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** The last line that was not blank so far; empty if there was none. */
  String lastLine() {
    return lastLine;
  }

  /** Waits until the stream has ended; an interrupt ends the wait and stays set. */
  void awaitEnd(Duration timeout) {
    try {
      thread.join(timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      String line = reader.readLine();
      while (line != null) {
        if (!line.isBlank()) {
          lastLine = line.strip();
        }
        sink.accept(line);
        line = reader.readLine();
      }
    } catch (IOException e) {
      // The stream of a process that was killed may fail instead of ending; either way it is over.
      lastLine = lastLine.isEmpty() ? String.valueOf(e.getMessage()) : lastLine;
    } finally {
      atEnd.run();
    }
  }
}
