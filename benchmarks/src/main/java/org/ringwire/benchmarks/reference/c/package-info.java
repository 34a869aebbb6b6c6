/** What the kernel allows, in C, compiled where it runs. */
@NullMarked
package org.ringwire.benchmarks.reference.c;

import org.jspecify.annotations.NullMarked;
