/** What a node counts, and the log of what goes wrong at its edges. */
@NullMarked
package org.ringwire.metrics;

import org.jspecify.annotations.NullMarked;
