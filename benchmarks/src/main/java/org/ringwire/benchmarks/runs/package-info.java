/**
 * Runs systems in turns: what each is asked for, what others did on the machine meanwhile, and what
 * the rounds gave.
 */
@NullMarked
package org.ringwire.benchmarks.runs;

import org.jspecify.annotations.NullMarked;
