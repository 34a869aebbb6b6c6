package org.ringwire.benchmarks.heap;

/**
 * What was measured of a class, in turns with the class that it is like.
 *
 * @param fields types of its fields, in their order
 * @param givenRatio Kryo over images of the class that it is like
 * @param ratio Kryo over images of this one
 * @param timeRatio time of its images over that of the class that it is like
 */
record GeneratedResult(String fields, double givenRatio, double ratio, double timeRatio) {

  /** How many times less this class has of what images win. */
  double ratioLoss() {
    return givenRatio / ratio;
  }
}
