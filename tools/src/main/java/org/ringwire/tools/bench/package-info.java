/**
 * Measures a running system and checks every message that it delivers: {@code ./ringwire bench}.
 * Here are the commands, their options and what they print.
 */
@NullMarked
package org.ringwire.tools.bench;

import org.jspecify.annotations.NullMarked;
