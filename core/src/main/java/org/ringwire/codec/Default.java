package org.ringwire.codec;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a component of a record gets when the message comes from a node whose version of the record
 * does not have that component yet. Without it that is {@code Optional.empty()}, zero, false, or
 * null.
 *
 * <pre>
 * record Job(String command, &#64;Default("3") int attempts, &#64;Default("") List&lt;String&gt; tags) {}
 * </pre>
 *
 * <p>Changes nothing else: neither what is sent nor what other nodes see.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {

  /**
   * The value as text: a number, {@code true} or {@code false}, one character, a string, the name
   * of an enum constant, or the text of a {@code UUID}, {@code Instant} or {@code Duration}; for an
   * {@code Optional} the text of what it holds; for arrays, {@code List}, {@code Set} and {@code
   * Map} only the empty text, which is the empty one. Checked when the type is registered.
   */
  String value();
}
