package org.ringwire.tools.demo.worker;

/** Sums that keep what rounding would lose (Neumaier's variant of Kahan's). For one thread. */
public final class CompensatedSums {

  private final double[] sums;
  private final double[] lost;

  public CompensatedSums(int count) {
    sums = new double[count];
    lost = new double[count];
  }

  public void add(int index, double value) {
    double sum = sums[index] + value;
    lost[index] +=
        Math.abs(sums[index]) >= Math.abs(value)
            ? (sums[index] - sum) + value
            : (value - sum) + sums[index];
    sums[index] = sum;
  }

  public double sum(int index) {
    return sums[index] + lost[index];
  }
}
