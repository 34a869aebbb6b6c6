/** What all tests of the core share; not exported, so that it may name types of JUnit. */
@NullMarked
package org.ringwire.testing;

import org.jspecify.annotations.NullMarked;
