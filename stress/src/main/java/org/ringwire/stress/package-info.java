/** Tests of what threads may observe of each other, run by jcstress. */
@NullMarked
package org.ringwire.stress;

import org.jspecify.annotations.NullMarked;
