/** Measures a running system and checks every message that it delivers. */
@NullMarked
package org.ringwire.tools.bench;

import org.jspecify.annotations.NullMarked;
