package org.ringwire.benchmarks.codec;

/** A point of {@link Points}. */
public record Point(int x, int y) {}
