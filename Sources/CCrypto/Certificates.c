#include "include/CCrypto.h"

#include <CLazy.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#define CERTIFICATE_FUNCTIONS(X)                                                                                       \
    X(EVP_PKEY_Q_keygen)                                                                                               \
    X(EVP_PKEY_free)                                                                                                   \
    X(EVP_sha256)                                                                                                      \
    X(X509_new)                                                                                                        \
    X(X509_free)                                                                                                       \
    X(X509_set_version)                                                                                                \
    X(X509_get_serialNumber)                                                                                           \
    X(ASN1_INTEGER_set_uint64)                                                                                         \
    X(X509_getm_notBefore)                                                                                             \
    X(X509_getm_notAfter)                                                                                              \
    X(X509_gmtime_adj)                                                                                                 \
    X(X509_set_pubkey)                                                                                                 \
    X(X509_get_subject_name)                                                                                           \
    X(X509_NAME_add_entry_by_txt)                                                                                      \
    X(X509_set_issuer_name)                                                                                            \
    X(X509V3_EXT_conf_nid)                                                                                             \
    X(X509_EXTENSION_free)                                                                                             \
    X(X509_add_ext)                                                                                                    \
    X(X509_sign)                                                                                                       \
    X(X509_digest)                                                                                                     \
    X(BIO_new)                                                                                                         \
    X(BIO_s_mem)                                                                                                       \
    X(BIO_free)                                                                                                        \
    X(BIO_read)                                                                                                        \
    X(BIO_new_mem_buf)                                                                                                 \
    X(PEM_read_bio_X509)                                                                                               \
    X(PEM_write_bio_X509)                                                                                              \
    X(PEM_write_bio_PrivateKey)

LAZY_DECLARE(lazy_certificates, CERTIFICATE_FUNCTIONS)
LAZY_DEFINE(lazy_certificates, "libcrypto.so.3", CERTIFICATE_FUNCTIONS)

const char *ccrypto_load_certificates(void) {
    const char *failure = NULL;
    return lazy_certificates_load(&failure) ? NULL : failure;
}

static bool add_extension(const struct lazy_certificates *crypto, X509 *certificate, int kind, const char *value) {
    X509_EXTENSION *extension = crypto->X509V3_EXT_conf_nid(NULL, NULL, kind, value);
    const bool is_added = extension && crypto->X509_add_ext(certificate, extension, -1) == 1;
    crypto->X509_EXTENSION_free(extension);
    return is_added;
}

static bool fill(const struct lazy_certificates *crypto, X509 *certificate, EVP_PKEY *key, uint64_t serial,
                 const char *names, int days) {
    X509_NAME *name = crypto->X509_get_subject_name(certificate);
    return crypto->X509_set_version(certificate, 2) == 1 &&
           crypto->ASN1_INTEGER_set_uint64(crypto->X509_get_serialNumber(certificate), serial) == 1 &&
           crypto->X509_gmtime_adj(crypto->X509_getm_notBefore(certificate), -86400) &&
           crypto->X509_gmtime_adj(crypto->X509_getm_notAfter(certificate), (long)days * 86400) &&
           crypto->X509_set_pubkey(certificate, key) == 1 &&
           crypto->X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, (const unsigned char *)"hub", -1, -1, 0) == 1 &&
           crypto->X509_set_issuer_name(certificate, name) == 1 &&
           add_extension(crypto, certificate, NID_subject_alt_name, names) &&
           add_extension(crypto, certificate, NID_basic_constraints, "critical,CA:FALSE") &&
           add_extension(crypto, certificate, NID_ext_key_usage, "serverAuth") &&
           crypto->X509_sign(certificate, key, crypto->EVP_sha256()) > 0;
}

// Copies what was written, with a NUL; false when there is no room.
static bool take(const struct lazy_certificates *crypto, BIO *memory, char *text, size_t size) {
    const int count = crypto->BIO_read(memory, text, (int)size - 1);
    if (count <= 0 || count >= (int)size - 1) return false;
    text[count] = 0;
    return true;
}

bool ccrypto_self_signed(
    const char *names, int days, uint64_t serial, char *chain, size_t chain_size, char *key, size_t key_size) {
    const struct lazy_certificates *crypto = lazy_certificates_load(NULL);
    EVP_PKEY *pair = crypto->EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
    X509 *certificate = crypto->X509_new();
    BIO *chain_memory = crypto->BIO_new(crypto->BIO_s_mem()), *key_memory = crypto->BIO_new(crypto->BIO_s_mem());
    const bool is_made = pair && certificate && chain_memory && key_memory &&
                         fill(crypto, certificate, pair, serial, names, days) &&
                         crypto->PEM_write_bio_X509(chain_memory, certificate) == 1 &&
                         crypto->PEM_write_bio_PrivateKey(key_memory, pair, NULL, NULL, 0, NULL, NULL) == 1 &&
                         take(crypto, chain_memory, chain, chain_size) && take(crypto, key_memory, key, key_size);
    crypto->BIO_free(key_memory);
    crypto->BIO_free(chain_memory);
    crypto->X509_free(certificate);
    crypto->EVP_PKEY_free(pair);
    return is_made;
}

bool ccrypto_fingerprint(const char *chain, size_t size, uint8_t *result) {
    const struct lazy_certificates *crypto = lazy_certificates_load(NULL);
    BIO *memory = crypto->BIO_new_mem_buf(chain, (int)size);
    X509 *certificate = memory ? crypto->PEM_read_bio_X509(memory, NULL, NULL, NULL) : NULL;
    unsigned int count = 0;
    const bool is_made = certificate && crypto->X509_digest(certificate, crypto->EVP_sha256(), result, &count) == 1;
    crypto->X509_free(certificate);
    crypto->BIO_free(memory);
    return is_made && count == 32;
}
