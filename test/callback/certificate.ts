/**
 * A certificate for `seller.test`, valid from 2020 to 2120, that only itself vouches for. Made by `openssl ca -selfsign`; the key
 * guards nothing.
 */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBZzCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtzZWxsZXIu
dGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFjEUMBIGA1UE
AwwLc2VsbGVyLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR9e5MS4Kkz
4yMs2a75ykXWoNGTjxjD9Kbh0ZXRLoVL7rqs/ercwX71wBBz3Ol1Sx7MB5iP5SmQ
oWQZlLeO5Jd8o0owSDAWBgNVHREEDzANggtzZWxsZXIudGVzdDAPBgNVHRMBAf8E
BTADAQH/MB0GA1UdDgQWBBTQ9dTf04yrrhYdca+olmD62nUDzzAKBggqhkjOPQQD
AgNIADBFAiEAiM3mVNvflME0myYtiFBa21FKI+jHRe3KHCH1lEIvjoICIFmm89tF
dbgnj7DwqQbsI4I+0+D3qmdzTgw1qJVZjTy+
-----END CERTIFICATE-----
`;

export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgynVkMjEZk1Leb5FF
l47zo7SaVqhRVpN7semmiZIEi02hRANCAAR9e5MS4Kkz4yMs2a75ykXWoNGTjxjD
9Kbh0ZXRLoVL7rqs/ercwX71wBBz3Ol1Sx7MB5iP5SmQoWQZlLeO5Jd8
-----END PRIVATE KEY-----
`;
