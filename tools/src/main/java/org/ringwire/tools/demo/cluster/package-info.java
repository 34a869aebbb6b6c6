/** The nodes of one run, in this process or in others, and the coordinator that leads them. */
@NullMarked
package org.ringwire.tools.demo.cluster;

import org.jspecify.annotations.NullMarked;
