/** Concurrency tests of requests, beside what they test. */
@NullMarked
package org.ringwire.engine.request;

import org.jspecify.annotations.NullMarked;
