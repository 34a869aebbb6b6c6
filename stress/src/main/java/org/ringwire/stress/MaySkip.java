package org.ringwire.stress;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Allows a test to be left out on a machine with fewer cores than the test has actors. Without it
 * such a test fails the build.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface MaySkip {
  /**
   * What covers the case on a small machine.
   *
   * @return the name of a test, or a reason
   */
  String because();
}
