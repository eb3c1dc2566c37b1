#pragma once

// The resolver of glibc, for records that getaddrinfo(3) does not ask for.

#include <stddef.h>
#include <stdint.h>

/// Asks for the records of `type` that `name` has, with the servers of resolv.conf(5), or with `server` (an IPv4 address)
/// alone when it is not NULL. Waits at most `tries` times `seconds` for each server.
///
/// Returns the size of the response, at most `capacity`, or a negative number: -1 no such name, -2 no response, -3 the
/// name exists and has no such record, -4 the servers refused.
int cdns_query(
    const char *name, uint16_t type, const char *server, uint16_t port, int seconds, int tries, uint8_t *answer,
    size_t capacity);
