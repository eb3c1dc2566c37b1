#pragma once

// libcurl, loaded on first use, and what Swift cannot import of it: its variadic functions. `ccurl_load` comes first.

#include <curl/curl.h>

#include <CLazy.h>

#define CURL_FUNCTIONS(X)                                                                                              \
    X(curl_easy_cleanup)                                                                                               \
    X(curl_easy_getinfo)                                                                                               \
    X(curl_easy_init)                                                                                                  \
    X(curl_easy_perform)                                                                                               \
    X(curl_easy_recv)                                                                                                  \
    X(curl_easy_send)                                                                                                  \
    X(curl_easy_setopt)                                                                                                \
    X(curl_easy_strerror)                                                                                              \
    X(curl_global_init)                                                                                                \
    X(curl_multi_add_handle)                                                                                           \
    X(curl_multi_cleanup)                                                                                              \
    X(curl_multi_info_read)                                                                                            \
    X(curl_multi_init)                                                                                                 \
    X(curl_multi_perform)                                                                                              \
    X(curl_multi_poll)                                                                                                 \
    X(curl_multi_remove_handle)                                                                                        \
    X(curl_multi_setopt)                                                                                               \
    X(curl_multi_wakeup)                                                                                               \
    X(curl_slist_append)                                                                                               \
    X(curl_slist_free_all)

// The header's macros of the same names check arguments at compile time and would hide the functions.
#undef curl_easy_getinfo
#undef curl_easy_setopt
#undef curl_multi_setopt

LAZY_DECLARE(lazy_curl, CURL_FUNCTIONS)

/// Loads and initializes the library once; NULL and a text that lives as long as the process when it cannot be used.
const struct lazy_curl *ccurl_load(const char **error);

// curl_easy_setopt by the type of its value.

CURLcode ccurl_set_long(const struct lazy_curl *curl, CURL *handle, CURLoption option, long value);
CURLcode ccurl_set_text(const struct lazy_curl *curl, CURL *handle, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(const struct lazy_curl *curl, CURL *handle, CURLoption option, const void *value);
CURLcode ccurl_set_size(const struct lazy_curl *curl, CURL *handle, CURLoption option, curl_off_t value);

/// The functions that a transfer calls, all with the same last argument.
struct ccurl_callbacks {
    /// A piece of the body; what it returns other than `size * count` ends the transfer.
    size_t (*body)(char *bytes, size_t size, size_t count, void *context);
    /// One line of the head, with its end.
    size_t (*header)(char *bytes, size_t size, size_t count, void *context);
    /// The connection is established and the request is about to be sent; returns 0 to go on.
    int (*connected)(void *context, char *address, char *own_address, int port, int own_port);
};

/// Names the functions that the transfer calls and their argument.
CURLcode ccurl_set_callbacks(
    const struct lazy_curl *curl, CURL *handle, const struct ccurl_callbacks *callbacks, void *context);

/// A number that libcurl knows of a transfer, -1 when it does not.
long ccurl_get_long(const struct lazy_curl *curl, CURL *handle, CURLINFO info);

/// The socket of a transfer with CURLOPT_CONNECT_ONLY that is connected; -1 when it is not.
int ccurl_get_socket(const struct lazy_curl *curl, CURL *handle);

/// The server's own certificate in PEM, of a transfer with CURLOPT_CERTINFO that made a connection; NULL when it is not known.
/// Valid until the handle is used again.
const char *ccurl_get_certificate(const struct lazy_curl *curl, CURL *handle);

CURLMcode ccurl_multi_set_long(const struct lazy_curl *curl, CURLM *multi, CURLMoption option, long value);

/// The result of the transfer that `message` reports.
CURLcode ccurl_message_result(const CURLMsg *message);
