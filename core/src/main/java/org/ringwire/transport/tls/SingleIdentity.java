package org.ringwire.transport.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.ringwire.Tls.Credentials;

/**
 * Shows the one certificate of a node, whatever issuers the peer names: a peer that does not trust
 * it then says so, instead of missing a certificate. Immutable.
 */
final class SingleIdentity extends X509ExtendedKeyManager {

  private static final String ALIAS = "node";

  private final Credentials credentials;

  SingleIdentity(Credentials credentials) {
    this.credentials = credentials;
  }

  private @Nullable String choose(String... keyTypes) {
    String own = credentials.key().getAlgorithm();
    for (String type : keyTypes) {
      if (type.equals(own) || (own.equals("RSA") && type.equals("RSASSA-PSS"))) {
        return ALIAS;
      }
    }
    return null;
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return choose(keyTypes);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return choose(keyType);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return choose(keyTypes);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return choose(keyType);
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return choose(keyType) == null ? null : new String[] {ALIAS};
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return getClientAliases(keyType, issuers);
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return credentials.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return credentials.key();
  }
}
