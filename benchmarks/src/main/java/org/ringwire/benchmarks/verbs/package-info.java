/**
 * Ringwire over InfiniBand beside perftest, which is what the verbs allow. Start at {@link
 * org.ringwire.benchmarks.verbs.VerbsMain}.
 */
@NullMarked
package org.ringwire.benchmarks.verbs;

import org.jspecify.annotations.NullMarked;
