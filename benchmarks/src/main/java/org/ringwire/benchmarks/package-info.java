/** JMH benchmarks of the hot paths. */
@NullMarked
package org.ringwire.benchmarks;

import org.jspecify.annotations.NullMarked;
