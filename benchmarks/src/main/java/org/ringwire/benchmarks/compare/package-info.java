/**
 * Ringwire and what it is compared with in turns, as tables, lines and a page with plots; start at
 * {@link org.ringwire.benchmarks.compare.CompareMain}.
 */
@NullMarked
package org.ringwire.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
