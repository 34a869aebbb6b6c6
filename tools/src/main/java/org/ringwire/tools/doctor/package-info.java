/** Looks at the machine and says what works on it. */
@NullMarked
package org.ringwire.tools.doctor;

import org.jspecify.annotations.NullMarked;
