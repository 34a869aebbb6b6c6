/**
 * Where the processor time of a benchmark goes: async-profiler in the JVMs that are measured, for
 * as long as they are measured.
 *
 * <p>{@link org.ringwire.tools.bench.profile.ProfilerAgent} belongs to who starts them, {@link
 * org.ringwire.tools.bench.profile.Profiler} to them, and {@link
 * org.ringwire.tools.bench.profile.ProfilePart} is what both have found.
 */
@NullMarked
package org.ringwire.tools.bench.profile;

import org.jspecify.annotations.NullMarked;
