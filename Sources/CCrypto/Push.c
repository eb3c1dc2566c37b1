#include "include/CCrypto.h"

#include <CLazy.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <string.h>

#define PUSH_FUNCTIONS(X)                                                                                              \
    X(EVP_PKEY_Q_keygen)                                                                                               \
    X(EVP_PKEY_free)                                                                                                   \
    X(EVP_PKEY_get1_encoded_public_key)                                                                                \
    X(EVP_PKEY_CTX_new)                                                                                                \
    X(EVP_PKEY_CTX_free)                                                                                               \
    X(EVP_PKEY_derive_init)                                                                                            \
    X(EVP_PKEY_derive_set_peer)                                                                                        \
    X(EVP_PKEY_derive)                                                                                                 \
    X(EVP_MD_CTX_new)                                                                                                  \
    X(EVP_MD_CTX_free)                                                                                                 \
    X(EVP_sha256)                                                                                                      \
    X(EVP_DigestSignInit)                                                                                              \
    X(EVP_DigestSign)                                                                                                  \
    X(EVP_CIPHER_CTX_new)                                                                                              \
    X(EVP_CIPHER_CTX_free)                                                                                             \
    X(EVP_CIPHER_CTX_ctrl)                                                                                             \
    X(EVP_aes_128_gcm)                                                                                                 \
    X(EVP_EncryptInit_ex)                                                                                              \
    X(EVP_EncryptUpdate)                                                                                               \
    X(EVP_EncryptFinal_ex)                                                                                             \
    X(HMAC)                                                                                                            \
    X(d2i_PUBKEY)                                                                                                      \
    X(d2i_ECDSA_SIG)                                                                                                   \
    X(ECDSA_SIG_free)                                                                                                  \
    X(ECDSA_SIG_get0_r)                                                                                                \
    X(ECDSA_SIG_get0_s)                                                                                                \
    X(BN_bn2binpad)                                                                                                    \
    X(CRYPTO_free)                                                                                                     \
    X(BIO_new)                                                                                                         \
    X(BIO_s_mem)                                                                                                       \
    X(BIO_free)                                                                                                        \
    X(BIO_read)                                                                                                        \
    X(BIO_new_mem_buf)                                                                                                 \
    X(PEM_read_bio_PrivateKey)                                                                                         \
    X(PEM_write_bio_PrivateKey)

LAZY_DECLARE(lazy_push, PUSH_FUNCTIONS)
LAZY_DEFINE(lazy_push, "libcrypto.so.3", PUSH_FUNCTIONS)

const char *ccrypto_load_push(void) {
    const char *failure = NULL;
    return lazy_push_load(&failure) ? NULL : failure;
}

static EVP_PKEY *read_key(const struct lazy_push *crypto, const char *key) {
    BIO *memory = crypto->BIO_new_mem_buf(key, -1);
    EVP_PKEY *result = memory ? crypto->PEM_read_bio_PrivateKey(memory, NULL, NULL, NULL) : NULL;
    crypto->BIO_free(memory);
    return result;
}

// The library reads a public key as a SubjectPublicKeyInfo (RFC 5480), and checks that the point is on the curve.
static EVP_PKEY *read_point(const struct lazy_push *crypto, const uint8_t *point) {
    static const uint8_t head[] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
                                   0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00};
    uint8_t info[sizeof head + ccrypto_point_size];
    memcpy(info, head, sizeof head);
    memcpy(info + sizeof head, point, ccrypto_point_size);
    const uint8_t *next = info;
    return point[0] == 4 ? crypto->d2i_PUBKEY(NULL, &next, sizeof info) : NULL;
}

bool ccrypto_make_key(char *key, size_t size) {
    const struct lazy_push *crypto = lazy_push_load(NULL);
    EVP_PKEY *made = crypto->EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
    BIO *memory = crypto->BIO_new(crypto->BIO_s_mem());
    const bool is_written =
        made && memory && crypto->PEM_write_bio_PrivateKey(memory, made, NULL, NULL, 0, NULL, NULL) == 1;
    const int count = is_written ? crypto->BIO_read(memory, key, (int)size - 1) : 0;
    const bool is_whole = count > 0 && count < (int)size - 1;
    if (is_whole) key[count] = 0;
    crypto->BIO_free(memory);
    crypto->EVP_PKEY_free(made);
    return is_whole;
}

bool ccrypto_public_point(const char *key, uint8_t *point) {
    const struct lazy_push *crypto = lazy_push_load(NULL);
    EVP_PKEY *read = read_key(crypto, key);
    unsigned char *bytes = NULL;
    const size_t count = read ? crypto->EVP_PKEY_get1_encoded_public_key(read, &bytes) : 0;
    const bool is_point = count == ccrypto_point_size && bytes[0] == 4;
    if (is_point) memcpy(point, bytes, count);
    crypto->CRYPTO_free(bytes, "", 0);
    crypto->EVP_PKEY_free(read);
    return is_point;
}

bool ccrypto_is_point(const uint8_t *point) {
    const struct lazy_push *crypto = lazy_push_load(NULL);
    EVP_PKEY *read = read_point(crypto, point);
    crypto->EVP_PKEY_free(read);
    return read != NULL;
}

bool ccrypto_share(const char *key, const uint8_t *point, uint8_t *secret) {
    const struct lazy_push *crypto = lazy_push_load(NULL);
    EVP_PKEY *own = read_key(crypto, key), *other = read_point(crypto, point);
    EVP_PKEY_CTX *context = own ? crypto->EVP_PKEY_CTX_new(own, NULL) : NULL;
    size_t size = ccrypto_secret_size;
    const bool is_shared = context && other && crypto->EVP_PKEY_derive_init(context) == 1 &&
                           crypto->EVP_PKEY_derive_set_peer(context, other) == 1 &&
                           crypto->EVP_PKEY_derive(context, secret, &size) == 1 && size == ccrypto_secret_size;
    crypto->EVP_PKEY_CTX_free(context);
    crypto->EVP_PKEY_free(other);
    crypto->EVP_PKEY_free(own);
    return is_shared;
}

// A signature of the library is DER; ES256 is both numbers with leading zeros.
static bool flatten(const struct lazy_push *crypto, const uint8_t *der, size_t size, uint8_t *signature) {
    ECDSA_SIG *numbers = crypto->d2i_ECDSA_SIG(NULL, &der, (long)size);
    const int half = ccrypto_signature_size / 2;
    const bool is_done =
        numbers && crypto->BN_bn2binpad(crypto->ECDSA_SIG_get0_r(numbers), signature, half) == half &&
        crypto->BN_bn2binpad(crypto->ECDSA_SIG_get0_s(numbers), signature + half, half) == half;
    crypto->ECDSA_SIG_free(numbers);
    return is_done;
}

bool ccrypto_sign(const char *key, const uint8_t *bytes, size_t size, uint8_t *signature) {
    const struct lazy_push *crypto = lazy_push_load(NULL);
    EVP_PKEY *own = read_key(crypto, key);
    EVP_MD_CTX *context = crypto->EVP_MD_CTX_new();
    uint8_t der[128];
    size_t count = sizeof der;
    const bool is_signed = own && context &&
                           crypto->EVP_DigestSignInit(context, NULL, crypto->EVP_sha256(), NULL, own) == 1 &&
                           crypto->EVP_DigestSign(context, der, &count, bytes, size) == 1 &&
                           flatten(crypto, der, count, signature);
    crypto->EVP_MD_CTX_free(context);
    crypto->EVP_PKEY_free(own);
    return is_signed;
}

bool ccrypto_hmac(const uint8_t *key, size_t key_size, const uint8_t *bytes, size_t size, uint8_t *result) {
    const struct lazy_push *crypto = lazy_push_load(NULL);
    return crypto->HMAC(crypto->EVP_sha256(), key, (int)key_size, bytes, size, result, NULL) != NULL;
}

bool ccrypto_seal(const uint8_t *key, const uint8_t *nonce, const uint8_t *bytes, size_t size, uint8_t *result) {
    const struct lazy_push *crypto = lazy_push_load(NULL);
    EVP_CIPHER_CTX *context = crypto->EVP_CIPHER_CTX_new();
    int count = 0, rest = 0;
    const bool is_sealed =
        context && crypto->EVP_EncryptInit_ex(context, crypto->EVP_aes_128_gcm(), NULL, key, nonce) == 1 &&
        crypto->EVP_EncryptUpdate(context, result, &count, bytes, (int)size) == 1 &&
        crypto->EVP_EncryptFinal_ex(context, result + count, &rest) == 1 && (size_t)(count + rest) == size &&
        crypto->EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, 16, result + size) == 1;
    crypto->EVP_CIPHER_CTX_free(context);
    return is_sealed;
}
