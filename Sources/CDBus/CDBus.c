#include "include/CDBus.h"

#include <CLazy.h>
#include <dbus/dbus.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>

#define DBUS_FUNCTIONS(X)                                                                                              \
    X(dbus_connection_close)                                                                                           \
    X(dbus_connection_has_messages_to_send)                                                                            \
    X(dbus_connection_open_private)                                                                                    \
    X(dbus_connection_pop_message)                                                                                     \
    X(dbus_connection_send)                                                                                            \
    X(dbus_connection_set_max_message_size)                                                                            \
    X(dbus_connection_set_max_received_size)                                                                           \
    X(dbus_connection_set_watch_functions)                                                                             \
    X(dbus_connection_unref)                                                                                           \
    X(dbus_error_free)                                                                                                 \
    X(dbus_error_init)                                                                                                 \
    X(dbus_free)                                                                                                       \
    X(dbus_message_get_error_name)                                                                                     \
    X(dbus_message_get_interface)                                                                                      \
    X(dbus_message_get_member)                                                                                         \
    X(dbus_message_get_no_reply)                                                                                       \
    X(dbus_message_get_path)                                                                                           \
    X(dbus_message_get_reply_serial)                                                                                   \
    X(dbus_message_get_sender)                                                                                         \
    X(dbus_message_get_type)                                                                                           \
    X(dbus_message_iter_abandon_container)                                                                             \
    X(dbus_message_iter_append_basic)                                                                                  \
    X(dbus_message_iter_append_fixed_array)                                                                            \
    X(dbus_message_iter_close_container)                                                                               \
    X(dbus_message_iter_get_arg_type)                                                                                  \
    X(dbus_message_iter_get_basic)                                                                                     \
    X(dbus_message_iter_get_element_type)                                                                              \
    X(dbus_message_iter_get_fixed_array)                                                                               \
    X(dbus_message_iter_get_signature)                                                                                 \
    X(dbus_message_iter_init)                                                                                          \
    X(dbus_message_iter_init_append)                                                                                   \
    X(dbus_message_iter_next)                                                                                          \
    X(dbus_message_iter_open_container)                                                                                \
    X(dbus_message_iter_recurse)                                                                                       \
    X(dbus_message_new_error)                                                                                          \
    X(dbus_message_new_method_call)                                                                                    \
    X(dbus_message_new_method_return)                                                                                  \
    X(dbus_message_new_signal)                                                                                         \
    X(dbus_message_unref)                                                                                              \
    X(dbus_signature_validate)                                                                                         \
    X(dbus_validate_bus_name)                                                                                          \
    X(dbus_validate_error_name)                                                                                        \
    X(dbus_validate_interface)                                                                                         \
    X(dbus_validate_member)                                                                                            \
    X(dbus_validate_path)                                                                                              \
    X(dbus_watch_get_enabled)                                                                                          \
    X(dbus_watch_get_flags)                                                                                            \
    X(dbus_watch_get_unix_fd)                                                                                          \
    X(dbus_watch_handle)

LAZY_DECLARE(lazy_dbus, DBUS_FUNCTIONS)
LAZY_DEFINE(lazy_dbus, "libdbus-1.so.3", DBUS_FUNCTIONS)

_Static_assert(sizeof(DBusMessageIter) <= sizeof(cdbus_iter), "an iterator fits its storage");
_Static_assert(sizeof(DBusBasicValue) == sizeof(cdbus_basic), "a basic value is what libdbus calls one");

static const struct lazy_dbus *library;
static const char *failure;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void load(void) { library = lazy_dbus_load(&failure); }

static DBusMessageIter *place(cdbus_iter *iter) { return (DBusMessageIter *)iter->storage; }

const char *cdbus_load(void) {
    pthread_once(&once, load);
    return failure;
}

cdbus_connection *cdbus_open(const char *address, char *reason, size_t capacity) {
    DBusError error;
    library->dbus_error_init(&error);
    DBusConnection *connection = library->dbus_connection_open_private(address, &error);
    if (!connection && capacity) {
        strncpy(reason, error.message ? error.message : "out of memory", capacity - 1);
        reason[capacity - 1] = 0;
    }
    library->dbus_error_free(&error);
    return connection;
}

void cdbus_close(cdbus_connection *connection) {
    library->dbus_connection_set_watch_functions(connection, NULL, NULL, NULL, NULL, NULL);
    library->dbus_connection_close(connection);
    library->dbus_connection_unref(connection);
}

void cdbus_set_limits(cdbus_connection *connection, long message, long received) {
    library->dbus_connection_set_max_message_size(connection, message);
    library->dbus_connection_set_max_received_size(connection, received);
}

bool cdbus_set_watch_functions(
    cdbus_connection *connection, uint32_t (*add)(cdbus_watch *, void *), void (*remove)(cdbus_watch *, void *),
    void (*toggled)(cdbus_watch *, void *), void *context) {
    return library->dbus_connection_set_watch_functions(connection, add, remove, toggled, context, NULL);
}

int cdbus_watch_descriptor(cdbus_watch *watch) { return library->dbus_watch_get_unix_fd(watch); }

short cdbus_watch_events(cdbus_watch *watch) {
    if (!library->dbus_watch_get_enabled(watch)) return 0;
    unsigned flags = library->dbus_watch_get_flags(watch);
    return (short)((flags & DBUS_WATCH_READABLE ? POLLIN : 0) | (flags & DBUS_WATCH_WRITABLE ? POLLOUT : 0));
}

bool cdbus_watch_handle(cdbus_watch *watch, short events) {
    unsigned flags = (events & POLLIN ? DBUS_WATCH_READABLE : 0) | (events & POLLOUT ? DBUS_WATCH_WRITABLE : 0) |
                     (events & POLLERR ? DBUS_WATCH_ERROR : 0) | (events & POLLHUP ? DBUS_WATCH_HANGUP : 0);
    return library->dbus_watch_handle(watch, flags);
}

cdbus_message *cdbus_pop(cdbus_connection *connection) { return library->dbus_connection_pop_message(connection); }

bool cdbus_send(cdbus_connection *connection, cdbus_message *message, uint32_t *serial) {
    return library->dbus_connection_send(connection, message, serial);
}

bool cdbus_has_messages_to_send(cdbus_connection *connection) {
    return library->dbus_connection_has_messages_to_send(connection);
}

cdbus_message *cdbus_new_method_call(
    const char *destination, const char *path, const char *interface, const char *member) {
    return library->dbus_message_new_method_call(destination, path, interface, member);
}

cdbus_message *cdbus_new_signal(const char *path, const char *interface, const char *member) {
    return library->dbus_message_new_signal(path, interface, member);
}

cdbus_message *cdbus_new_method_return(cdbus_message *call) { return library->dbus_message_new_method_return(call); }

cdbus_message *cdbus_new_error(cdbus_message *call, const char *name, const char *text) {
    return library->dbus_message_new_error(call, name, text);
}

void cdbus_release(cdbus_message *message) { library->dbus_message_unref(message); }
cdbus_kind cdbus_message_kind(cdbus_message *message) { return library->dbus_message_get_type(message); }
bool cdbus_message_no_reply(cdbus_message *message) { return library->dbus_message_get_no_reply(message); }
const char *cdbus_message_sender(cdbus_message *message) { return library->dbus_message_get_sender(message); }
const char *cdbus_message_path(cdbus_message *message) { return library->dbus_message_get_path(message); }
const char *cdbus_message_interface(cdbus_message *message) { return library->dbus_message_get_interface(message); }
const char *cdbus_message_member(cdbus_message *message) { return library->dbus_message_get_member(message); }
const char *cdbus_message_error_name(cdbus_message *message) { return library->dbus_message_get_error_name(message); }

uint32_t cdbus_message_reply_serial(cdbus_message *message) {
    return library->dbus_message_get_reply_serial(message);
}

bool cdbus_read(cdbus_message *message, cdbus_iter *iter) {
    return library->dbus_message_iter_init(message, place(iter));
}

int cdbus_iter_type(cdbus_iter *iter) { return library->dbus_message_iter_get_arg_type(place(iter)); }
int cdbus_iter_element_type(cdbus_iter *iter) { return library->dbus_message_iter_get_element_type(place(iter)); }

void cdbus_iter_basic(cdbus_iter *iter, cdbus_basic *value) {
    library->dbus_message_iter_get_basic(place(iter), value);
}

void cdbus_iter_recurse(cdbus_iter *iter, cdbus_iter *inner) {
    library->dbus_message_iter_recurse(place(iter), place(inner));
}

void cdbus_iter_bytes(cdbus_iter *inner, const uint8_t **bytes, int *count) {
    library->dbus_message_iter_get_fixed_array(place(inner), bytes, count);
}

bool cdbus_iter_next(cdbus_iter *iter) { return library->dbus_message_iter_next(place(iter)); }
char *cdbus_iter_signature(cdbus_iter *iter) { return library->dbus_message_iter_get_signature(place(iter)); }
void cdbus_free(void *memory) { library->dbus_free(memory); }

void cdbus_write(cdbus_message *message, cdbus_iter *iter) {
    library->dbus_message_iter_init_append(message, place(iter));
}

bool cdbus_append_basic(cdbus_iter *iter, int type, const cdbus_basic *value) {
    return library->dbus_message_iter_append_basic(place(iter), type, value);
}

bool cdbus_append_bytes(cdbus_iter *iter, const uint8_t *bytes, int count) {
    return library->dbus_message_iter_append_fixed_array(place(iter), DBUS_TYPE_BYTE, &bytes, count);
}

bool cdbus_open_container(cdbus_iter *iter, int type, const char *signature, cdbus_iter *inner) {
    return library->dbus_message_iter_open_container(place(iter), type, signature, place(inner));
}

bool cdbus_close_container(cdbus_iter *iter, cdbus_iter *inner) {
    return library->dbus_message_iter_close_container(place(iter), place(inner));
}

void cdbus_abandon_container(cdbus_iter *iter, cdbus_iter *inner) {
    library->dbus_message_iter_abandon_container(place(iter), place(inner));
}

bool cdbus_is_path(const char *text) { return library->dbus_validate_path(text, NULL); }
bool cdbus_is_interface(const char *text) { return library->dbus_validate_interface(text, NULL); }
bool cdbus_is_member(const char *text) { return library->dbus_validate_member(text, NULL); }
bool cdbus_is_error_name(const char *text) { return library->dbus_validate_error_name(text, NULL); }
bool cdbus_is_bus_name(const char *text) { return library->dbus_validate_bus_name(text, NULL); }
bool cdbus_is_signature(const char *text) { return library->dbus_signature_validate(text, NULL); }
