/** Replaces X.509 certificates, by which authenticators of known makes could prove what they are: no passkey is asked to. */
class NoCertificate {
  constructor() {
    throw new Error('Certificates are not in the bundle');
  }
}

export {
  NoCertificate as AuthorityKeyIdentifierExtension,
  NoCertificate as CRLDistributionPointsExtension,
  NoCertificate as SubjectKeyIdentifierExtension,
  NoCertificate as X509Certificate,
  NoCertificate as X509ChainBuilder,
  NoCertificate as X509Crl,
};
