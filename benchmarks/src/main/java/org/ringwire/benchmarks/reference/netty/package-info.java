/** Netty 4.2: {@code netty-epoll}, {@code netty-nio}, {@code netty-io_uring}. */
@NullMarked
package org.ringwire.benchmarks.reference.netty;

import org.jspecify.annotations.NullMarked;
