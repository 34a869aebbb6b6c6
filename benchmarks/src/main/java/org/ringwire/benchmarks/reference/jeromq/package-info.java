/** ZeroMQ in Java. */
@NullMarked
package org.ringwire.benchmarks.reference.jeromq;

import org.jspecify.annotations.NullMarked;
