package org.ringwire.engine;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeClosedException;
import org.ringwire.NodeListener;

/**
 * Closes a node in a pooled handler near the end of its stack, while the thread that closes it for
 * the handler is kept from its work until the handler waits. Says whether the node was closing when
 * the close returned.
 */
final class DeepHandlerProgram {

  /** Of the interpreter: enough to start a thread and to wait, far too few to close. */
  private static final int FRAMES_LEFT = 600;

  private static final CountDownLatch HANDLED = new CountDownLatch(1);
  private static volatile @Nullable Thread handling;
  private static volatile boolean looked;
  private static int left = FRAMES_LEFT;

  record Go(int number) {}

  private DeepHandlerProgram() {}

  public static void main(String[] args) throws InterruptedException {
    try (TestNodes nodes = new TestNodes("loopback")) {
      MessagingNode node =
          (MessagingNode) nodes.open(1, settings -> settings.listener(new KeepsCloser()));
      node.handle(Go.class, (go, exchange) -> closeDeeply(node));
      nodes.open(2).send(1, new Go(1));
      if (!HANDLED.await(TestNodes.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        System.out.println("the handler does not end");
      }
    }
    System.exit(0); // whatever a stack that has ended somewhere has left behind
  }

  private static final class KeepsCloser implements NodeListener {
    @Override
    public void threadStarted(Thread thread) {
      Thread waits = handling;
      if (thread.getName().endsWith("-close") && waits != null) {
        while (!looked && waits.getState() != Thread.State.TIMED_WAITING) {
          Thread.onSpinWait();
        }
      }
    }
  }

  private static void closeDeeply(MessagingNode node) {
    handling = Thread.currentThread();
    try {
      int _ = deeper(node, 0);
    } catch (StackOverflowError e) {
      // as it should
    }
    System.out.println("closing: " + isClosing(node));
    looked = true;
    HANDLED.countDown();
  }

  private static boolean isClosing(MessagingNode node) {
    try {
      node.requireOpen();
      return false;
    } catch (NodeClosedException e) {
      return true;
    }
  }

  private static int deeper(MessagingNode node, int depth) {
    try {
      return depth == Integer.MAX_VALUE ? 0 : deeper(node, depth + 1) + 1; // never so deep
    } catch (StackOverflowError e) {
      if (left-- == 0) {
        node.close(Duration.ofSeconds(1));
      }
      throw e;
    }
  }
}
