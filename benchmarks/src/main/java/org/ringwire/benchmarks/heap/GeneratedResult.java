package org.ringwire.benchmarks.heap;

/**
 * What was measured of a class, in turns with the class that it is like.
 *
 * @param fields types of its fields, in their order
 * @param givenRatio Kryo over images of the class that it is like
 * @param ratio Kryo over images of this one
 * @param timesOwn its images over those of the class that it is like
 */
record GeneratedResult(String fields, double givenRatio, double ratio, double timesOwn) {

  /** How many times less this class has of what images win. */
  double timesLess() {
    return givenRatio / ratio;
  }
}
