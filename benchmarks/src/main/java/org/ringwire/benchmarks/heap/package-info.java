/** Object graphs, copied by Ringwire and by other serializers. */
@NullMarked
package org.ringwire.benchmarks.heap;

import org.jspecify.annotations.NullMarked;
