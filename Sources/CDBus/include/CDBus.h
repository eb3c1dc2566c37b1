#pragma once

// libdbus-1, loaded at its first use. The library's headers stay in the .c file: importers see opaque handles, and
// every function here is one call of the function it is named after. `cdbus_load` comes first.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct DBusConnection cdbus_connection;
typedef struct DBusMessage cdbus_message;
typedef struct DBusWatch cdbus_watch;

/// A place in a message that is being read or written; lives on the caller's stack.
typedef struct {
    uint64_t storage[10];
} cdbus_iter;

/// A basic value of any D-Bus type, as libdbus reads and writes it.
typedef union {
    uint8_t byte;
    uint32_t boolean;
    int16_t int16;
    uint16_t uint16;
    int32_t int32;
    uint32_t uint32;
    int64_t int64;
    uint64_t uint64;
    double number;
    const char *text;
    int descriptor;
} cdbus_basic;

/// Loads the library: NULL, or why it cannot be used.
const char *cdbus_load(void);

// Connections

/// Connects to `address`; on failure returns NULL and copies the reason to `reason`.
cdbus_connection *cdbus_open(const char *address, char *reason, size_t capacity);
/// Closes and releases the connection.
void cdbus_close(cdbus_connection *connection);
/// Bounds what a peer can make this process hold, in bytes.
void cdbus_set_limits(cdbus_connection *connection, long message, long received);
/// Names the functions that libdbus calls on each new, removed or switched watch.
bool cdbus_set_watch_functions(
    cdbus_connection *connection, uint32_t (*add)(cdbus_watch *, void *), void (*remove)(cdbus_watch *, void *),
    void (*toggled)(cdbus_watch *, void *), void *context);
int cdbus_watch_descriptor(cdbus_watch *watch);
/// The events for poll(2); 0 while the watch is disabled.
short cdbus_watch_events(cdbus_watch *watch);
/// Reads or writes what poll(2) reported; false without memory.
bool cdbus_watch_handle(cdbus_watch *watch, short events);
/// The next message received, to be released by the caller, or NULL.
cdbus_message *cdbus_pop(cdbus_connection *connection);
/// Queues the message and returns its serial number.
bool cdbus_send(cdbus_connection *connection, cdbus_message *message, uint32_t *serial);
bool cdbus_has_messages_to_send(cdbus_connection *connection);

// Messages

typedef enum {
    CDBUS_METHOD_CALL = 1,
    CDBUS_METHOD_RETURN = 2,
    CDBUS_ERROR = 3,
    CDBUS_SIGNAL = 4,
} cdbus_kind;

cdbus_message *cdbus_new_method_call(
    const char *destination, const char *path, const char *interface, const char *member);
cdbus_message *cdbus_new_signal(const char *path, const char *interface, const char *member);
cdbus_message *cdbus_new_method_return(cdbus_message *call);
cdbus_message *cdbus_new_error(cdbus_message *call, const char *name, const char *text);
void cdbus_release(cdbus_message *message);
cdbus_kind cdbus_message_kind(cdbus_message *message);
uint32_t cdbus_message_reply_serial(cdbus_message *message);
bool cdbus_message_no_reply(cdbus_message *message);
const char *cdbus_message_sender(cdbus_message *message);
const char *cdbus_message_path(cdbus_message *message);
const char *cdbus_message_interface(cdbus_message *message);
const char *cdbus_message_member(cdbus_message *message);
const char *cdbus_message_error_name(cdbus_message *message);

// Reading and writing bodies; `type` is a type code of the D-Bus specification, such as 's'.

bool cdbus_read(cdbus_message *message, cdbus_iter *iter);
int cdbus_iter_type(cdbus_iter *iter);
int cdbus_iter_element_type(cdbus_iter *iter);
void cdbus_iter_basic(cdbus_iter *iter, cdbus_basic *value);
void cdbus_iter_recurse(cdbus_iter *iter, cdbus_iter *inner);
void cdbus_iter_bytes(cdbus_iter *inner, const uint8_t **bytes, int *count);
bool cdbus_iter_next(cdbus_iter *iter);
/// The signature of the value at `iter`, to be freed by `cdbus_free`.
char *cdbus_iter_signature(cdbus_iter *iter);
void cdbus_free(void *memory);

void cdbus_write(cdbus_message *message, cdbus_iter *iter);
bool cdbus_append_basic(cdbus_iter *iter, int type, const cdbus_basic *value);
bool cdbus_append_bytes(cdbus_iter *iter, const uint8_t *bytes, int count);
bool cdbus_open_container(cdbus_iter *iter, int type, const char *signature, cdbus_iter *inner);
bool cdbus_close_container(cdbus_iter *iter, cdbus_iter *inner);
void cdbus_abandon_container(cdbus_iter *iter, cdbus_iter *inner);

// Syntax: libdbus ends the process when it is handed a malformed name, so each is checked first.

bool cdbus_is_path(const char *text);
bool cdbus_is_interface(const char *text);
bool cdbus_is_member(const char *text);
bool cdbus_is_error_name(const char *text);
bool cdbus_is_bus_name(const char *text);
bool cdbus_is_signature(const char *text);
