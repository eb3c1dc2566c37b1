#pragma once

// The hash functions and the certificates of libcrypto, each loaded at their first use.

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

/// Makes a key on the curve P-256 and a certificate for it that it signs itself (RFC 5280), both as PEM with a NUL; false when
/// there is no room or the library refuses.
///
/// @param names the names of the server, such as `IP:192.168.1.20,DNS:box.lan`
bool ccrypto_self_signed(
    const char *names, int days, uint64_t serial, char *chain, size_t chain_size, char *key, size_t key_size);

/// Writes the 32 bytes of the SHA-256 of the first certificate in a PEM text; false when there is none.
bool ccrypto_fingerprint(const char *chain, size_t size, uint8_t *result);
