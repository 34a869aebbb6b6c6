package org.ringwire;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a certificate says which nodes it is for: by subject alternative names of type URI, {@code
 * ringwire://CLUSTER/node/ID}, one for each node. Characters of the cluster's name other than
 * letters, digits, {@code -}, {@code .} and {@code _} are percent-encoded, in UTF-8. Names of other
 * forms are ignored, and so is the subject. Any thread.
 */
public final class TlsNames {

  private static final String SCHEME = "ringwire://";
  private static final String NODE = "/node/";

  /** The type of a URI among subject alternative names (RFC 5280, section 4.2.1.6). */
  private static final int URI = 6;

  private TlsNames() {}

  /**
   * The name that a node's certificate carries.
   *
   * @param cluster name of the cluster, see {@link NodeConfig#cluster()}
   * @param nodeId 0 to 65535
   */
  public static String of(String cluster, int nodeId) {
    Objects.requireNonNull(cluster, "cluster must not be null");
    String encoded =
        URLEncoder.encode(cluster, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
    return SCHEME + encoded + NODE + NodeIds.check(nodeId);
  }

  /** The nodes of a cluster that a certificate is for, in order; empty if it is for none. */
  public static Set<Integer> nodeIds(X509Certificate certificate, String cluster) {
    Objects.requireNonNull(cluster, "cluster must not be null");
    Set<Integer> ids = new TreeSet<>();
    for (String name : all(certificate)) {
      int node = name.lastIndexOf(NODE);
      if (node >= SCHEME.length()
          && cluster.equals(decode(name.substring(SCHEME.length(), node)))) {
        String id = name.substring(node + NODE.length());
        if (id.matches("0|[1-9][0-9]{0,4}") && Integer.parseInt(id) <= Node.MAX_ID) {
          ids.add(Integer.valueOf(id));
        }
      }
    }
    return ids;
  }

  private static String decode(String encoded) {
    try {
      return URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return encoded; // not a name that we make; it equals no cluster that needs encoding
    }
  }

  /** Every name of a certificate that has the form of a node's, whatever its cluster. */
  public static List<String> all(X509Certificate certificate) {
    Objects.requireNonNull(certificate, "certificate must not be null");
    List<String> names = new ArrayList<>();
    try {
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      if (alternatives != null) {
        for (List<?> alternative : alternatives) {
          if (alternative.get(0).equals(URI)
              && alternative.get(1) instanceof String name
              && name.startsWith(SCHEME)) {
            names.add(name);
          }
        }
      }
    } catch (CertificateParsingException e) {
      return List.of(); // a certificate whose names cannot be read is for nobody
    }
    return names;
  }
}
