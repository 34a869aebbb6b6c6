package org.ringwire.tools.doctor;

import java.util.List;
import org.ringwire.infiniband.Diagnosis;
import org.ringwire.infiniband.Finding;

/** What InfiniBand needs, and whether it is there. */
final class InfinibandChecks {

  private InfinibandChecks() {}

  static List<Check> all() {
    return Diagnosis.run().stream().map(InfinibandChecks::check).toList();
  }

  /** A machine without InfiniBand is as good as any: only one that has it can be limited. */
  static Check check(Finding finding) {
    Check.Status status =
        switch (finding.status()) {
          case GOOD, ABSENT -> Check.Status.GOOD;
          case WRONG -> Check.Status.LIMITED;
        };
    return new Check(finding.name(), status, finding.found(), finding.advice());
  }
}
