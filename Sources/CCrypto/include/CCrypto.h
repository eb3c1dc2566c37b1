#pragma once

// The hash functions of libcrypto, loaded at their first use.

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
