/**
 * The targets of the project, and which of them are met; start at {@link
 * org.ringwire.benchmarks.targets.TargetsMain}.
 */
@NullMarked
package org.ringwire.benchmarks.targets;

import org.jspecify.annotations.NullMarked;
