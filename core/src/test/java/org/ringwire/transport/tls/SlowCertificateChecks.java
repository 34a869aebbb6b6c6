package org.ringwire.transport.tls;

import static org.ringwire.testing.Awaiting.await;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.Provider;
import java.security.Security;
import java.security.cert.CertPath;
import java.security.cert.CertPathParameters;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorResult;
import java.security.cert.CertPathValidatorSpi;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Lets all checks of certificates of this process take until the end: as those that ask somebody
 * who does not answer.
 */
final class SlowCertificateChecks implements AutoCloseable {

  private static final String NAME = "SlowCertificateChecks";

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);

  /** From now on. */
  SlowCertificateChecks() {
    Security.insertProviderAt(new Slow(begun, over), 1);
  }

  /** Until somebody is in one. */
  void awaitBegin() {
    await("a check of a certificate", () -> begun.getCount() == 0);
  }

  @Override
  public void close() {
    over.countDown();
    Security.removeProvider(NAME);
  }

  private static final class Slow extends Provider {
    private static final long serialVersionUID = 1;

    Slow(CountDownLatch begun, CountDownLatch over) {
      super(NAME, "1", "for a test");
      putService(
          new Service(
              this, "CertPathValidator", "PKIX", SlowValidator.class.getName(), null, null) {
            @Override
            public Object newInstance(@Nullable Object parameter) {
              return new SlowValidator(begun, over); // nobody else may enter this package
            }
          });
    }
  }

  private static final class SlowValidator extends CertPathValidatorSpi {
    private final CountDownLatch begun;
    private final CountDownLatch over;

    SlowValidator(CountDownLatch begun, CountDownLatch over) {
      this.begun = begun;
      this.over = over;
    }

    @Override
    public CertPathValidatorResult engineValidate(CertPath path, CertPathParameters parameters)
        throws CertPathValidatorException, InvalidAlgorithmParameterException {
      begun.countDown();
      await("the end of the test", () -> over.getCount() == 0);
      try {
        return CertPathValidator.getInstance("PKIX", "SUN").validate(path, parameters);
      } catch (CertPathValidatorException | InvalidAlgorithmParameterException e) {
        throw e;
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
