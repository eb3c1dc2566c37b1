#pragma once

// libmicrohttpd, loaded on first use, and what Swift cannot import of it: its variadic functions. Also epoll and accept4,
// which Swift's Glibc module does not show.
//
// The listening socket is not MHD's. `MHD_quiesce_daemon` (0.9.75) races with the daemon's own thread over removing that
// socket from the epoll set and aborts the process when it loses; a daemon without one is only given connections.

#include <microhttpd.h>
#include <stdbool.h>
#include <sys/epoll.h>

#include <CLazy.h>

#define MICROHTTPD_FUNCTIONS(X)                                                                                        \
    X(MHD_start_daemon)                                                                                                \
    X(MHD_stop_daemon)                                                                                                 \
    X(MHD_add_connection)                                                                                              \
    X(MHD_get_connection_info)                                                                                         \
    X(MHD_get_connection_values_n)                                                                                     \
    X(MHD_suspend_connection)                                                                                          \
    X(MHD_resume_connection)                                                                                           \
    X(MHD_create_response_from_buffer)                                                                                 \
    X(MHD_create_response_from_callback)                                                                               \
    X(MHD_create_response_for_upgrade)                                                                                 \
    X(MHD_upgrade_action)                                                                                              \
    X(MHD_add_response_header)                                                                                         \
    X(MHD_queue_response)                                                                                              \
    X(MHD_destroy_response)

LAZY_DECLARE(lazy_microhttpd, MICROHTTPD_FUNCTIONS)

/// The functions a daemon calls, all on its own thread, all with the same first argument.
struct microhttpd_callbacks {
    /// A connection begins or has ended.
    MHD_NotifyConnectionCallback connection;
    /// A request line has arrived; what it returns is the request's own pointer.
    void *(*request)(void *context, const char *target, struct MHD_Connection *connection);
    /// Headers have arrived, then each piece of the body, then its end.
    MHD_AccessHandlerCallback content;
    /// A request is over, whichever way.
    MHD_RequestCompletedCallback completed;
    /// The library is about to answer a request by itself, which one it does not say.
    void (*refusal)(void *context);
};

/// Starts a daemon with one epoll thread, no listening socket, suspend, resume and upgrade. It hands request targets on
/// as they came, without unescaping. Returns NULL when the thread or a descriptor cannot be had.
///
/// @param connections the most connections at once
/// @param memory bytes for one connection's request line, headers and buffers
/// @param timeout seconds without a byte after which a connection is closed
/// @param chain, key certificate and key as PEM for TLS, or NULL; they are read before this returns
struct MHD_Daemon *microhttpd_start(
    const struct lazy_microhttpd *mhd, const struct microhttpd_callbacks *callbacks, void *context,
    unsigned int connections, size_t memory, unsigned int timeout, const char *chain, const char *key);

/// The socket of a connection.
int microhttpd_socket(const struct lazy_microhttpd *mhd, struct MHD_Connection *connection);

/// The pointer that the connection callback left at the connection's start.
void *microhttpd_context(const struct lazy_microhttpd *mhd, struct MHD_Connection *connection);

/// Whether all headers of the connection's request have arrived. On the daemon's thread only.
bool microhttpd_has_head(const struct lazy_microhttpd *mhd, struct MHD_Connection *connection);

/// Calls `visit` with each header of the request.
void microhttpd_headers(
    const struct lazy_microhttpd *mhd, struct MHD_Connection *connection, MHD_KeyValueIteratorN visit, void *context);

/// A response of `size` bytes, which are copied; NULL without memory.
struct MHD_Response *microhttpd_response(const struct lazy_microhttpd *mhd, const void *bytes, size_t size);

/// A response of `size` bytes, or `MHD_SIZE_UNKNOWN`, whose bytes `read` gives; NULL without memory.
struct MHD_Response *microhttpd_stream(
    const struct lazy_microhttpd *mhd, uint64_t size, MHD_ContentReaderCallback read, void *context,
    MHD_ContentReaderFreeCallback release);

/// A response with which the connection leaves HTTP: `take` is called once with its socket; NULL without memory.
struct MHD_Response *microhttpd_upgrade(const struct lazy_microhttpd *mhd, MHD_UpgradeHandler take);

/// Gives a socket back that was handed over; the library closes it. Once, from any thread, before the daemon stops.
void microhttpd_end_upgrade(const struct lazy_microhttpd *mhd, struct MHD_UpgradeResponseHandle *handle);

/// accept4(2): a non-blocking socket that children do not inherit, or -1 and errno.
int microhttpd_accept(int listener, struct sockaddr *peer, socklen_t *length);
