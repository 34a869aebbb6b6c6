/**
 * What all contenders share: the object, the checks, the clock, and the start of two processes.
 * Knows no contender.
 */
@NullMarked
package org.ringwire.benchmarks.reference.harness;

import org.jspecify.annotations.NullMarked;
