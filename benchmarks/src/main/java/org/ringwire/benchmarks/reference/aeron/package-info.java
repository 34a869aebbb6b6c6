/** Aeron, over shared memory and over UDP. */
@NullMarked
package org.ringwire.benchmarks.reference.aeron;

import org.jspecify.annotations.NullMarked;
