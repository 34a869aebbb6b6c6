/** gRPC: unary calls and streams. */
@NullMarked
package org.ringwire.benchmarks.reference.grpc;

import org.jspecify.annotations.NullMarked;
