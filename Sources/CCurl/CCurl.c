#define _GNU_SOURCE
#include "include/CCurl.h"

#include <string.h>

LAZY_DEFINE(lazy_curl, "libcurl.so.4", CURL_FUNCTIONS)

static CURLcode initialized;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialize(void) {
    const struct lazy_curl *curl = lazy_curl_load(NULL);
    initialized = curl ? curl->curl_global_init(CURL_GLOBAL_DEFAULT) : CURLE_FAILED_INIT;
}

const struct lazy_curl *ccurl_load(const char **error) {
    const struct lazy_curl *curl = lazy_curl_load(error);
    if (!curl) return NULL;
    pthread_once(&once, initialize);
    if (!initialized) return curl;
    *error = curl->curl_easy_strerror(initialized);
    return NULL;
}

CURLcode ccurl_set_long(const struct lazy_curl *curl, CURL *handle, CURLoption option, long value) {
    return curl->curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_text(const struct lazy_curl *curl, CURL *handle, CURLoption option, const char *value) {
    return curl->curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_pointer(const struct lazy_curl *curl, CURL *handle, CURLoption option, const void *value) {
    return curl->curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_size(const struct lazy_curl *curl, CURL *handle, CURLoption option, curl_off_t value) {
    return curl->curl_easy_setopt(handle, option, value);
}

CURLcode ccurl_set_callbacks(
    const struct lazy_curl *curl, CURL *handle, const struct ccurl_callbacks *callbacks, void *context) {
    CURLcode result = curl->curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, callbacks->body);
    if (!result) result = curl->curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    if (!result) result = curl->curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, callbacks->header);
    if (!result) result = curl->curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    if (!result) result = curl->curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callbacks->connected);
    if (!result) result = curl->curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
    return result;
}

long ccurl_get_long(const struct lazy_curl *curl, CURL *handle, CURLINFO info) {
    long value = -1;
    return curl->curl_easy_getinfo(handle, info, &value) ? -1 : value;
}

int ccurl_get_socket(const struct lazy_curl *curl, CURL *handle) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    return curl->curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket) ? -1 : socket;
}

const char *ccurl_get_certificate(const struct lazy_curl *curl, CURL *handle) {
    struct curl_certinfo *chain = NULL;
    if (curl->curl_easy_getinfo(handle, CURLINFO_CERTINFO, &chain) || !chain || chain->num_of_certs < 1) return NULL;
    for (const struct curl_slist *field = chain->certinfo[0]; field; field = field->next) {
        if (!strncmp(field->data, "Cert:", 5)) return field->data + 5;
    }
    return NULL;
}

CURLMcode ccurl_multi_set_long(const struct lazy_curl *curl, CURLM *multi, CURLMoption option, long value) {
    return curl->curl_multi_setopt(multi, option, value);
}

CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }
