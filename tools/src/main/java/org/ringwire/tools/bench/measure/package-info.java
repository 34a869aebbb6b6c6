/** What a run cost, and where it ran: processor time, heap, system calls, times of round trips. */
@NullMarked
package org.ringwire.tools.bench.measure;

import org.jspecify.annotations.NullMarked;
