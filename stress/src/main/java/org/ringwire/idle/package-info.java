/** Stress tests of the load, in their package to reach what is not public. */
@NullMarked
package org.ringwire.idle;

import org.jspecify.annotations.NullMarked;
