#include "include/CCrypto.h"

#include <CLazy.h>
#include <openssl/evp.h>

#define CRYPTO_FUNCTIONS(X)                                                                                            \
    X(EVP_MD_CTX_new)                                                                                                  \
    X(EVP_MD_CTX_free)                                                                                                 \
    X(EVP_sha256)                                                                                                      \
    X(EVP_md5)                                                                                                         \
    X(EVP_DigestInit_ex)                                                                                               \
    X(EVP_DigestUpdate)                                                                                                \
    X(EVP_DigestFinal_ex)

LAZY_DECLARE(lazy_crypto, CRYPTO_FUNCTIONS)
LAZY_DEFINE(lazy_crypto, "libcrypto.so.3", CRYPTO_FUNCTIONS)

const char *ccrypto_load(void) {
    const char *failure = NULL;
    return lazy_crypto_load(&failure) ? NULL : failure;
}

struct ccrypto_sha256 *ccrypto_sha256_new(void) {
    const struct lazy_crypto *crypto = lazy_crypto_load(NULL);
    EVP_MD_CTX *context = crypto ? crypto->EVP_MD_CTX_new() : NULL;
    if (context && crypto->EVP_DigestInit_ex(context, crypto->EVP_sha256(), NULL) != 1) {
        crypto->EVP_MD_CTX_free(context);
        context = NULL;
    }
    return (struct ccrypto_sha256 *)context;
}

bool ccrypto_sha256_add(struct ccrypto_sha256 *hash, const uint8_t *bytes, size_t size) {
    return lazy_crypto_load(NULL)->EVP_DigestUpdate((EVP_MD_CTX *)hash, bytes, size) == 1;
}

bool ccrypto_sha256_finish(struct ccrypto_sha256 *hash, uint8_t *result) {
    return lazy_crypto_load(NULL)->EVP_DigestFinal_ex((EVP_MD_CTX *)hash, result, NULL) == 1;
}

bool ccrypto_md5(const uint8_t *bytes, size_t size, uint8_t *result) {
    const struct lazy_crypto *crypto = lazy_crypto_load(NULL);
    EVP_MD_CTX *context = crypto ? crypto->EVP_MD_CTX_new() : NULL;
    if (!context) return false;
    bool is_done = crypto->EVP_DigestInit_ex(context, crypto->EVP_md5(), NULL) == 1 &&
                   crypto->EVP_DigestUpdate(context, bytes, size) == 1 &&
                   crypto->EVP_DigestFinal_ex(context, result, NULL) == 1;
    crypto->EVP_MD_CTX_free(context);
    return is_done;
}

void ccrypto_sha256_free(struct ccrypto_sha256 *hash) {
    lazy_crypto_load(NULL)->EVP_MD_CTX_free((EVP_MD_CTX *)hash);
}
