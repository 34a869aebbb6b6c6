/** What a link costs, below messages: the SPI of the transports against plain channels. */
@NullMarked
package org.ringwire.benchmarks.link;

import org.jspecify.annotations.NullMarked;
