/** A test for each defect of the system that Ringwire follows; docs/rules.md names them. */
@NullMarked
package org.ringwire.lessons;

import org.jspecify.annotations.NullMarked;
