/** The soak command: nodes under chaos, and a ledger in files of what became of every message. */
@NullMarked
package org.ringwire.tools.soak;

import org.jspecify.annotations.NullMarked;
