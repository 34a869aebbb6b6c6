/** The remote method invocation of the JDK. */
@NullMarked
package org.ringwire.benchmarks.reference.rmi;

import org.jspecify.annotations.NullMarked;
