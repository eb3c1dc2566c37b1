#define _GNU_SOURCE
#include "include/CMicroHTTPD.h"

#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>

LAZY_DEFINE(lazy_microhttpd, "libmicrohttpd.so.12", MICROHTTPD_FUNCTIONS)

static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

// The same for all daemons: MHD hands a logger one pointer only.
static _Atomic(void (*)(void *)) refusal_callback;

static void look_for_refusal(void *context, const char *format, va_list values) {
    (void)values;
    static const char start[] = "Error processing request";
    if (strncmp(format, start, sizeof start - 1) == 0) refusal_callback(context);
}

struct MHD_Daemon *microhttpd_start(
    const struct lazy_microhttpd *mhd, const struct microhttpd_callbacks *callbacks, void *context,
    unsigned int connections, size_t memory, unsigned int timeout, const char *chain, const char *key) {
    struct MHD_OptionItem identity[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)chain},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
        {MHD_OPTION_END, 0, NULL},
    };
    const unsigned int flags =
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME |
        MHD_ALLOW_UPGRADE | MHD_USE_ERROR_LOG | (chain ? MHD_USE_TLS : 0);
    refusal_callback = callbacks->refusal;
    return mhd->MHD_start_daemon(
        flags, 0, NULL, NULL, callbacks->content, context,
        MHD_OPTION_EXTERNAL_LOGGER, look_for_refusal, context,
        MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, context,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks->request, context,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, context,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_CONNECTION_TIMEOUT, timeout,
        // Not 1: the answer of 0.9.75 to a request without Host then has two heads. ServerCore looks for Host.
        MHD_OPTION_STRICT_FOR_CLIENT, 0,
        MHD_OPTION_ARRAY, chain ? identity : identity + 2,
        MHD_OPTION_END);
}

int microhttpd_socket(const struct lazy_microhttpd *mhd, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        mhd->MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

void *microhttpd_context(const struct lazy_microhttpd *mhd, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        mhd->MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

bool microhttpd_has_head(const struct lazy_microhttpd *mhd, struct MHD_Connection *connection) {
    return mhd->MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) != NULL;
}

void microhttpd_headers(
    const struct lazy_microhttpd *mhd, struct MHD_Connection *connection, MHD_KeyValueIteratorN visit, void *context) {
    mhd->MHD_get_connection_values_n(connection, MHD_HEADER_KIND, visit, context);
}

struct MHD_Response *microhttpd_response(const struct lazy_microhttpd *mhd, const void *bytes, size_t size) {
    return mhd->MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct MHD_Response *microhttpd_stream(
    const struct lazy_microhttpd *mhd, uint64_t size, MHD_ContentReaderCallback read, void *context,
    MHD_ContentReaderFreeCallback release) {
    return mhd->MHD_create_response_from_callback(size, 16 * 1024, read, context, release);
}

struct MHD_Response *microhttpd_upgrade(const struct lazy_microhttpd *mhd, MHD_UpgradeHandler take) {
    return mhd->MHD_create_response_for_upgrade(take, NULL);
}

void microhttpd_end_upgrade(const struct lazy_microhttpd *mhd, struct MHD_UpgradeResponseHandle *handle) {
    mhd->MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

int microhttpd_accept(int listener, struct sockaddr *peer, socklen_t *length) {
    return accept4(listener, peer, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
