package org.ringwire.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.Tls;
import org.ringwire.TlsNames;
import org.ringwire.testing.ExpectedErrors;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.testing.TestCertificates;

/** New credentials for which no context can be made when a link first asks for it. */
@ExtendWith(NodeWatcher.class)
@ExpectedErrors("stay as they are")
class TlsRenewalTest {

  private static final String CLUSTER = "default";

  @TempDir private Path folder;

  private final TestCertificates authority = new TestCertificates("renewal");

  /** In the place of all that make contexts. */
  private static final class Failing extends Provider {
    private static final long serialVersionUID = 1;

    Failing(Supplier<? extends Throwable> failure) {
      super("Failing", "1", "fails to make contexts of TLS");
      putService(
          new Service(this, "SSLContext", TlsContexts.VERSION, "none", List.of(), null) {
            @Override
            public Object newInstance(Object parameter) {
              Throwable thrown = failure.get();
              if (thrown instanceof Error error) {
                throw error;
              }
              throw (RuntimeException) thrown;
            }
          });
    }
  }

  private static void insert(Supplier<? extends Throwable> failure) {
    Security.insertProviderAt(new Failing(failure), 1);
  }

  @BeforeEach
  @AfterEach
  void makeContextsAgain() {
    Security.removeProvider("Failing");
  }

  /** The credentials of a node, whose certificate is replaced by {@link #renew}. */
  private Tls credentials() {
    writeIdentity();
    Path trust = folder.resolve("trust.pem");
    TestCertificates.writePem(trust, authority.certificate());
    return Tls.load(folder.resolve("identity.pem"), trust, null);
  }

  private void writeIdentity() {
    TestCertificates.writePem(
        folder.resolve("identity.pem"), authority.issue("node 1", TlsNames.of(CLUSTER, 1)));
  }

  private void renew(Tls tls) {
    writeIdentity();
    tls.reload();
  }

  @Test
  void shouldUseNewCredentialsOnceThereIsHeapForThem() {
    Tls tls = credentials();
    TlsContexts contexts = new TlsContexts(tls, CLUSTER, 1);
    ClusterTrust before = contexts.server().trust();
    renew(tls);
    insert(() -> new OutOfMemoryError("as if"));
    assertThatThrownBy(contexts::server).isInstanceOf(OutOfMemoryError.class);
    makeContextsAgain();
    assertThat(contexts.server().trust()).isNotSameAs(before);
  }

  @Test
  void shouldStayWithTheOldOnesWhereTheNewOnesCannotBeUsed() {
    Tls tls = credentials();
    TlsContexts contexts = new TlsContexts(tls, CLUSTER, 1);
    ClusterTrust before = contexts.server().trust();
    renew(tls);
    insert(() -> new IllegalStateException("as if"));
    assertThat(contexts.server().trust()).isSameAs(before);
  }
}
