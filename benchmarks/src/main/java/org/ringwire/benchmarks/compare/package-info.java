/**
 * Runs Ringwire and what it is compared with in turns, and says which of the project's targets are
 * met; start at {@link org.ringwire.benchmarks.compare.TargetsMain}.
 */
@NullMarked
package org.ringwire.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
