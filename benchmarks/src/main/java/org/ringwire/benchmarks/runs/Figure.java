package org.ringwire.benchmarks.runs;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.ToDoubleFunction;

/** What a row of the table shows of a result. */
public enum Figure implements ToDoubleFunction<JsonNode> {
  MILLION_PER_SECOND("million/s", "/messagesPerSecond", 1e-6),
  THOUSAND_PER_SECOND("thousand/s", "/messagesPerSecond", 1e-3),
  GIGABYTES_PER_SECOND("GB/s", "/payloadBytesPerSecond", 1e-9),
  NANOS_PER_MESSAGE("ns per message", "/nanosPerMessage", 1),
  /** The median: the mean on a machine that does other things measures those. */
  ROUND_TRIP("us, p50", "/rttMicros/p50", 1),
  /** Of both processes. */
  CPU_SECONDS("cpu s per million", "/cpuSecondsPerMillionMessages", 1),
  ALLOCATED_SENDING("heap B per message sent", "/allocatedBytesPerMessage/sender", 1),
  ALLOCATED_RECEIVING("heap B per message received", "/allocatedBytesPerMessage/receiver", 1),
  /** Of both processes; 100 is a core. */
  IDLE("% of a core", "/cpuPercent", 1);

  private final String unit;
  private final String pointer;
  private final double scale;

  Figure(String unit, String pointer, double scale) {
    this.unit = unit;
    this.pointer = pointer;
    this.scale = scale;
  }

  public String unit() {
    return unit;
  }

  /** Where it is in a result. */
  public String pointer() {
    return pointer;
  }

  /** What a figure of the result is in this unit. */
  double scaled(double value) {
    return value * scale;
  }

  /** Whether less of it is better. */
  public boolean isLess() {
    return this != MILLION_PER_SECOND
        && this != THOUSAND_PER_SECOND
        && this != GIGABYTES_PER_SECOND;
  }

  @Override
  public double applyAsDouble(JsonNode result) {
    JsonNode value = result.at(pointer);
    if (!value.isNumber()) {
      throw new IllegalArgumentException("no number at " + pointer + " of the result");
    }
    return value.asDouble() * scale;
  }
}
