#define _GNU_SOURCE
#include "include/CDNS.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>

int cdns_query(
    const char *name, uint16_t type, const char *server, uint16_t port, int seconds, int tries, uint8_t *answer,
    size_t capacity) {
    struct __res_state state = {0};
    if (res_ninit(&state)) return -2;
    state.retrans = seconds;
    state.retry = tries;
    if (server) {
        state.nscount = 1;
        state.nsaddr_list[0] = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port)};
        if (inet_pton(AF_INET, server, &state.nsaddr_list[0].sin_addr) != 1) {
            res_nclose(&state);
            return -2;
        }
    }
    int size = res_nquery(&state, name, ns_c_in, type, answer, (int)capacity);
    int failure = state.res_h_errno;
    res_nclose(&state);
    if (size >= 0) return size > (int)capacity ? (int)capacity : size;
    switch (failure) {
    case HOST_NOT_FOUND: return -1;
    case NO_DATA: return -3;
    case NO_RECOVERY: return -4;
    default: return -2;
    }
}
