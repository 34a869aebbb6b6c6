/** Stress tests of the rings, in their package to reach what is not public. */
@NullMarked
package org.ringwire.ring;

import org.jspecify.annotations.NullMarked;
