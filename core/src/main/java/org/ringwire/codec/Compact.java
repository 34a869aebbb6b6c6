package org.ringwire.codec;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Encodes an {@code int} or {@code long} component of a record in as few bytes as its value needs
 * (1 to 5, or 1 to 10; small magnitudes of both signs are short) instead of 4 or 8. Smaller for
 * values that are mostly small, slower to read and write.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Compact {}
