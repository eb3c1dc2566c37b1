#pragma once

// The hash functions, certificates and ciphers of libcrypto, each loaded at their first use.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads the library: NULL, or why it cannot be used.
const char *ccrypto_load(void);

/// A hash of SHA-256 in the making.
struct ccrypto_sha256;

/// Begins a hash; NULL when there is no memory or the library refuses.
struct ccrypto_sha256 *ccrypto_sha256_new(void);

/// Adds bytes; false when the library refuses.
bool ccrypto_sha256_add(struct ccrypto_sha256 *hash, const uint8_t *bytes, size_t size);

/// Writes the 32 bytes of the hash; nothing may be added afterwards.
bool ccrypto_sha256_finish(struct ccrypto_sha256 *hash, uint8_t *result);

void ccrypto_sha256_free(struct ccrypto_sha256 *hash);

/// Writes the 16 bytes of the MD5 of `bytes`; false when the library refuses.
bool ccrypto_md5(const uint8_t *bytes, size_t size, uint8_t *result);

/// Loads what certificates need: NULL, or why it cannot be used.
const char *ccrypto_load_certificates(void);

/// The kinds of extensions of a certificate (RFC 5280 §4.2.1).
extern const int ccrypto_names, ccrypto_constraints, ccrypto_name_constraints, ccrypto_key_usage, ccrypto_extended_usage,
    ccrypto_subject_key, ccrypto_authority_key;

/// An extension of a certificate, its value in the words of OpenSSL's config files.
struct ccrypto_extension {
    int kind;
    const char *value;
};

/// What a certificate is made from.
struct ccrypto_request {
    /// The common name.
    const char *title;
    int days;
    uint64_t serial;
    /// The extensions, ended by one without a value.
    const struct ccrypto_extension *extensions;
    /// The certificate of the issuer and its key, as PEM; NULL for a certificate that signs itself.
    const char *issuer, *issuer_key;
};

/// Makes a key on the curve P-256 and a certificate for it (RFC 5280), both as PEM with a NUL; false when there is no room or the
/// library refuses.
bool ccrypto_issue(const struct ccrypto_request *request, char *chain, size_t chain_size, char *key, size_t key_size);

/// Tells in how many days the first certificate of a PEM text ends, none or fewer if it has; false when there is none.
bool ccrypto_days_left(const char *chain, size_t size, int *days);

/// Writes the 32 bytes of the SHA-256 of the first certificate in a PEM text; false when there is none.
bool ccrypto_fingerprint(const char *chain, size_t size, uint8_t *result);

/// Loads what messages to browsers need: NULL, or why it cannot be used.
const char *ccrypto_load_push(void);

/// The bytes of a point on the curve P-256, uncompressed (SEC 1 §2.3.3), of a secret shared by two keys, and of a signature.
enum { ccrypto_point_size = 65, ccrypto_secret_size = 32, ccrypto_signature_size = 64 };

/// Makes a key on the curve P-256, as PEM with a NUL; false when there is no room or the library refuses.
bool ccrypto_make_key(char *key, size_t size);

/// Writes the public point of a key in PEM; false when it is none on the curve P-256.
bool ccrypto_public_point(const char *key, uint8_t *point);

/// Whether the bytes are a point on the curve P-256.
bool ccrypto_is_point(const uint8_t *point);

/// Writes the secret that a key in PEM shares with another's public point (ECDH); false when either is none.
bool ccrypto_share(const char *key, const uint8_t *point, uint8_t *secret);

/// Writes the signature ES256 of `bytes` (RFC 7518 §3.4); false when the key is none.
bool ccrypto_sign(const char *key, const uint8_t *bytes, size_t size, uint8_t *signature);

/// Writes the 32 bytes of the HMAC of `bytes` with SHA-256; false when the library refuses.
bool ccrypto_hmac(const uint8_t *key, size_t key_size, const uint8_t *bytes, size_t size, uint8_t *result);

/// Encrypts `bytes` by AES-128 in GCM with a key of 16 and a nonce of 12 bytes, and writes them with their tag of 16 bytes.
bool ccrypto_seal(const uint8_t *key, const uint8_t *nonce, const uint8_t *bytes, size_t size, uint8_t *result);
