package org.ringwire.heap.image.template;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names as classes what is looked up by name: tools that leave out of a jar what no class names
 * (minimizeJar of the shade plugin) would lose it otherwise. At run time it is not looked at, so
 * that it loads none of them.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@interface LoadedByName {

  /** The classes. */
  Class<?>[] value();
}
