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
    X(X509_get0_notAfter)                                                                                              \
    X(ASN1_TIME_diff)                                                                                                  \
    X(X509_NAME_add_entry_by_txt)                                                                                      \
    X(X509_set_issuer_name)                                                                                            \
    X(X509V3_set_ctx)                                                                                                  \
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
    X(PEM_read_bio_PrivateKey)                                                                                         \
    X(PEM_write_bio_X509)                                                                                              \
    X(PEM_write_bio_PrivateKey)

LAZY_DECLARE(lazy_certificates, CERTIFICATE_FUNCTIONS)
LAZY_DEFINE(lazy_certificates, "libcrypto.so.3", CERTIFICATE_FUNCTIONS)

const int ccrypto_names = NID_subject_alt_name;
const int ccrypto_constraints = NID_basic_constraints;
const int ccrypto_name_constraints = NID_name_constraints;
const int ccrypto_key_usage = NID_key_usage;
const int ccrypto_extended_usage = NID_ext_key_usage;
const int ccrypto_subject_key = NID_subject_key_identifier;
const int ccrypto_authority_key = NID_authority_key_identifier;

const char *ccrypto_load_certificates(void) {
    const char *failure = NULL;
    return lazy_certificates_load(&failure) ? NULL : failure;
}

static bool add_extensions(const struct lazy_certificates *crypto, X509 *certificate, X509 *issuer,
                           const struct ccrypto_extension *extensions) {
    X509V3_CTX context;
    crypto->X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    context.db = NULL;
    for (const struct ccrypto_extension *next = extensions; next->value; next++) {
        X509_EXTENSION *extension = crypto->X509V3_EXT_conf_nid(NULL, &context, next->kind, next->value);
        const bool is_added = extension && crypto->X509_add_ext(certificate, extension, -1) == 1;
        crypto->X509_EXTENSION_free(extension);
        if (!is_added) return false;
    }
    return true;
}

// The certificate and the key of an issuer.
struct pair {
    X509 *certificate;
    EVP_PKEY *key;
};

// Without an issuer the certificate signs itself.
static bool fill(const struct lazy_certificates *crypto, struct pair made, struct pair issuer,
                 const struct ccrypto_request *request) {
    X509_NAME *name = crypto->X509_get_subject_name(made.certificate);
    const unsigned char *title = (const unsigned char *)request->title;
    return crypto->X509_set_version(made.certificate, 2) == 1 &&
           crypto->ASN1_INTEGER_set_uint64(crypto->X509_get_serialNumber(made.certificate), request->serial) == 1 &&
           crypto->X509_gmtime_adj(crypto->X509_getm_notBefore(made.certificate), -86400) &&
           crypto->X509_gmtime_adj(crypto->X509_getm_notAfter(made.certificate), (long)request->days * 86400) &&
           crypto->X509_set_pubkey(made.certificate, made.key) == 1 &&
           crypto->X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, title, -1, -1, 0) == 1 &&
           crypto->X509_set_issuer_name(made.certificate, crypto->X509_get_subject_name(issuer.certificate)) == 1 &&
           add_extensions(crypto, made.certificate, issuer.certificate, request->extensions) &&
           crypto->X509_sign(made.certificate, issuer.key, crypto->EVP_sha256()) > 0;
}

// Copies what was written, with a NUL; false when there is no room.
static bool take(const struct lazy_certificates *crypto, BIO *memory, char *text, size_t size) {
    const int count = crypto->BIO_read(memory, text, (int)size - 1);
    if (count <= 0 || count >= (int)size - 1) return false;
    text[count] = 0;
    return true;
}

// The issuer in a PEM text of its certificate and one of its key; without either both are NULL.
static struct pair read_pair(const struct lazy_certificates *crypto, const char *chain, const char *key) {
    struct pair pair = {NULL, NULL};
    BIO *chain_memory = chain ? crypto->BIO_new_mem_buf(chain, -1) : NULL;
    BIO *key_memory = key ? crypto->BIO_new_mem_buf(key, -1) : NULL;
    if (chain_memory) pair.certificate = crypto->PEM_read_bio_X509(chain_memory, NULL, NULL, NULL);
    if (key_memory) pair.key = crypto->PEM_read_bio_PrivateKey(key_memory, NULL, NULL, NULL);
    crypto->BIO_free(key_memory);
    crypto->BIO_free(chain_memory);
    return pair;
}

bool ccrypto_issue(const struct ccrypto_request *request, char *chain, size_t chain_size, char *key, size_t key_size) {
    const struct lazy_certificates *crypto = lazy_certificates_load(NULL);
    const struct pair issuer = read_pair(crypto, request->issuer, request->issuer_key);
    const struct pair made = {crypto->X509_new(), crypto->EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256")};
    BIO *chain_memory = crypto->BIO_new(crypto->BIO_s_mem()), *key_memory = crypto->BIO_new(crypto->BIO_s_mem());
    const bool has_issuer = issuer.certificate && issuer.key;
    const bool is_made = made.certificate && made.key && chain_memory && key_memory &&
                         (has_issuer || !request->issuer) &&
                         fill(crypto, made, has_issuer ? issuer : made, request) &&
                         crypto->PEM_write_bio_X509(chain_memory, made.certificate) == 1 &&
                         crypto->PEM_write_bio_PrivateKey(key_memory, made.key, NULL, NULL, 0, NULL, NULL) == 1 &&
                         take(crypto, chain_memory, chain, chain_size) && take(crypto, key_memory, key, key_size);
    crypto->BIO_free(key_memory);
    crypto->BIO_free(chain_memory);
    crypto->X509_free(made.certificate);
    crypto->EVP_PKEY_free(made.key);
    crypto->X509_free(issuer.certificate);
    crypto->EVP_PKEY_free(issuer.key);
    return is_made;
}

// The first certificate of a PEM text; NULL when there is none.
static X509 *first(const struct lazy_certificates *crypto, const char *chain, size_t size) {
    BIO *memory = crypto->BIO_new_mem_buf(chain, (int)size);
    X509 *certificate = memory ? crypto->PEM_read_bio_X509(memory, NULL, NULL, NULL) : NULL;
    crypto->BIO_free(memory);
    return certificate;
}

bool ccrypto_days_left(const char *chain, size_t size, int *days) {
    const struct lazy_certificates *crypto = lazy_certificates_load(NULL);
    X509 *certificate = first(crypto, chain, size);
    int seconds = 0;
    const bool is_known =
        certificate && crypto->ASN1_TIME_diff(days, &seconds, NULL, crypto->X509_get0_notAfter(certificate)) == 1;
    crypto->X509_free(certificate);
    return is_known;
}

bool ccrypto_fingerprint(const char *chain, size_t size, uint8_t *result) {
    const struct lazy_certificates *crypto = lazy_certificates_load(NULL);
    X509 *certificate = first(crypto, chain, size);
    unsigned int count = 0;
    const bool is_made = certificate && crypto->X509_digest(certificate, crypto->EVP_sha256(), result, &count) == 1;
    crypto->X509_free(certificate);
    return is_made && count == 32;
}
