/** What one writes with nothing but the JDK: {@code reference} and {@code minimal-nio}. */
@NullMarked
package org.ringwire.benchmarks.reference.plain;

import org.jspecify.annotations.NullMarked;
