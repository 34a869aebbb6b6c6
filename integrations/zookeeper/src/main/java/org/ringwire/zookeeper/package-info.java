/** A directory of nodes in Apache ZooKeeper. */
@NullMarked
package org.ringwire.zookeeper;

import org.jspecify.annotations.NullMarked;
