package org.ringwire.benchmarks;

import java.io.PrintWriter;

/**
 * Says on the error output how far a comparison is, between what it measures: without a line for
 * minutes it looks like one that hangs.
 *
 * @param err the error output
 */
public record Progress(PrintWriter err) {

  /** Says something. */
  public void say(String text) {
    err.println(text);
    err.flush();
  }

  /** A round without figures begins, from 0. */
  public void warmingUp(int round, int of) {
    say("warming up, " + (round + 1) + " of " + of);
  }

  /** A round begins, from 0. */
  public void round(int round, int of) {
    say("round " + (round + 1) + " of " + of);
  }
}
