package org.ringwire.codec;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Fixes the name that peers know a message type by, and the id that this node sends; without it the
 * name is that of the class, and the id is assigned.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Message {

  /** The 16-bit type id, 0 to 32767; -1 lets each sender choose one and announce it. */
  int id() default -1;

  /** The name that peers know the type by; empty means the class name. */
  String name() default "";
}
