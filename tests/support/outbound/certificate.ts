/**
 * The certificate of the hosts that tests serve, which is its own authority: `app.example.com`, `*.clients.example.com`,
 * 93.184.215.14 and 2606:2800:220:1:248:1893:25c8:1946, from 2020 to 2120.
 */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBnzCCAUagAwIBAgIBATAKBggqhkjOPQQDAjAZMRcwFQYDVQQDDA5Ib3N0cyBv
ZiB0ZXN0czAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowGTEXMBUG
A1UEAwwOSG9zdHMgb2YgdGVzdHMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASP
ElKbi5PkGCK4hj43oAeNT2MpxSRzmTOkOR/N1i9MHcJsKVUbui3r/cv2arjVwPao
2i5KMJwTBQCk52t05Ssro30wezBJBgNVHREEQjBAgg9hcHAuZXhhbXBsZS5jb22C
FSouY2xpZW50cy5leGFtcGxlLmNvbYcEXbjXDocQJgYoAAIgAAECSBiTJcgZRjAP
BgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBSwzNFefeYVutrp+3SSvaLyyCRNSzAK
BggqhkjOPQQDAgNHADBEAiBTkMIw7FujUPy55vrbT7vVgomN0kcbpc7ZRGABIG+h
GgIgQlO14Htx821aJNhpOuiF/pu6Q/muoocqKN7zqDN74bw=
-----END CERTIFICATE-----
`;

/** Its key, which guards nothing. */
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrcG6jaIplZ0moJ7c
oejooSRtz/7M1voHB3SXkMrR0ryhRANCAASPElKbi5PkGCK4hj43oAeNT2MpxSRz
mTOkOR/N1i9MHcJsKVUbui3r/cv2arjVwPao2i5KMJwTBQCk52t05Ssr
-----END PRIVATE KEY-----
`;
