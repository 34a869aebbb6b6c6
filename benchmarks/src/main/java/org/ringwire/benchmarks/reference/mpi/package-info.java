/** Open MPI, in C, over TCP and over shared memory. */
@NullMarked
package org.ringwire.benchmarks.reference.mpi;

import org.jspecify.annotations.NullMarked;
