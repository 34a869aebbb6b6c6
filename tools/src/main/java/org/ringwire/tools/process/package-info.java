/** Child JVMs of the command line: started, talked to in lines of text, and never left behind. */
@NullMarked
package org.ringwire.tools.process;

import org.jspecify.annotations.NullMarked;
