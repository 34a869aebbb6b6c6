package org.ringwire.infiniband;

import java.nio.file.Path;

/** What programs of tests print of a diagnosis, for their test to compare. */
final class DiagnosisLines {

  private DiagnosisLines() {}

  /**
   * Prints a line for each finding.
   *
   * @param system the folder that the diagnosis takes for the system's
   */
  static void print(Path system) {
    for (Finding finding : Diagnosis.of(system)) {
      System.out.println(
          finding.name()
              + ": "
              + finding.status()
              + ": "
              + finding.found()
              + ": "
              + finding.advice());
    }
  }
}
