package org.ringwire.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What the tests of a class make a node log; any other logged error fails the class. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ExpectedErrors {

  /** Parts of messages, or of the exceptions logged with them. */
  String[] value();
}
