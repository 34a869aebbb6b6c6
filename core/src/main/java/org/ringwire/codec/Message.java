package org.ringwire.codec;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Gives a message type a fixed id, so that it need not be agreed per connection. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Message {
  /**
   * The id of the type on the wire.
   *
   * @return the id, 0 to 65535
   */
  int id();
}
