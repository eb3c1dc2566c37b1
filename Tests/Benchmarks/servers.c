// Many clients of notes servers, or of one document of Yjs, in one process: each writer inserts letters that no other edit has, so that a delivery
// is known by the letter in it.
//
//     servers hub|yjs RATE SECONDS PATIENCE <PLAN
//
// A line of PLAN is a client: port, token, note, agent, and 1 for one that writes. RATE is the edits a second of each writer, of which it has at most
// one in flight; with 0 it types the next one when the last is acknowledged. It prints an object of JSON.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LETTERS = 120000, FIRST = 0x20000, CONNECTING = 32, BUCKETS = 2400 };

typedef struct {
    char *bytes;
    size_t count, size;
} buffer;

typedef struct {
    int fd, port, writes, is_open, is_ready, is_waiting, is_refused, note;
    char token[128], name[64], agent[64];
    buffer in, out, base, last;
    long number, sequence;
    uint32_t id;
    uint64_t clock;
    uint8_t seen[LETTERS / 8];
} client;

static client *clients;
static int count, is_hub, poll_fd;
static double sent[LETTERS];
static int writer_of[LETTERS], followers[1 << 20];
static long letters, acknowledged, deliveries, refused, histogram[BUCKETS];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void add(buffer *to, const void *bytes, size_t size) {
    if (to->count + size > to->size) {
        to->size = 2 * (to->count + size);
        to->bytes = realloc(to->bytes, to->size);
        if (!to->bytes) fail("memory", "none");
    }
    memcpy(to->bytes + to->count, bytes, size);
    to->count += size;
}

static void flush(client *c) {
    size_t done = 0;
    while (done < c->out.count) {
        ssize_t size = send(c->fd, c->out.bytes + done, c->out.count - done, MSG_NOSIGNAL);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 && errno == EAGAIN) break;
        if (size <= 0) fail("a client was dropped", strerror(errno));
        done += size;
    }
    memmove(c->out.bytes, c->out.bytes + done, c->out.count - done);
    c->out.count -= done;
    struct epoll_event event = {.events = EPOLLIN | (c->out.count ? EPOLLOUT : 0), .data.ptr = c};
    if (done || c->out.count) epoll_ctl(poll_fd, EPOLL_CTL_MOD, c->fd, &event);
}

// A mask of zeros changes nothing.
static void send_frame(client *c, int kind, const void *bytes, size_t size) {
    uint8_t head[14] = {0x80 | kind, 0x80};
    int length = 2;
    if (size < 126) head[1] |= size;
    else if (size < 65536) head[1] |= 126, head[2] = size >> 8, head[3] = size, length = 4;
    else fail("a frame", "too large");
    length += 4;
    add(&c->out, head, length);
    add(&c->out, bytes, size);
    flush(c);
}

static size_t variable(uint8_t *to, uint64_t number) {
    size_t size = 0;
    do {
        to[size] = (number & 127) | (number > 127 ? 128 : 0);
        number >>= 7;
        size++;
    } while (number);
    return size;
}

// The letters are the supplementary planes without their last two scalars, which are none.
static uint32_t scalar(long letter) { return FIRST + letter + 2 * (letter / 65534); }

static void utf8(uint32_t scalar, char *to) {
    to[0] = 0xF0 | scalar >> 18;
    to[1] = 0x80 | (scalar >> 12 & 63);
    to[2] = 0x80 | (scalar >> 6 & 63);
    to[3] = 0x80 | (scalar & 63);
    to[4] = 0;
}

static void type(client *c) {
    if (c->is_refused) {
        // As clients do: the same again until it is stored.
        c->is_refused = 0;
        send_frame(c, 1, c->last.bytes, c->last.count);
        return;
    }
    if (letters == LETTERS) return;
    long letter = letters++;
    char text[5], frame[1 << 16];
    utf8(scalar(letter), text);
    sent[letter] = now();
    writer_of[letter] = c - clients;
    c->seen[letter / 8] |= 1 << letter % 8;
    if (is_hub) {
        c->is_waiting = 1;
        int size = snprintf(frame, sizeof frame,
            "{\"t\":\"edit\",\"n\":%ld,\"note\":\"%s\",\"field\":\"content\",\"seq\":%ld,\"base\":%.*s,\"edits\":[[0,0,\"%s\"]]}", ++c->number,
            c->name, c->sequence++, (int)c->base.count, c->base.bytes, text);
        if (size >= (int)sizeof frame) fail("a frame", "too large");
        c->last.count = 0;
        add(&c->last, frame, size);
        send_frame(c, 1, frame, size);
        return;
    }
    // An update of one item: it stands after the last one of this client, or else at the top of the text "t".
    uint8_t update[64], message[80];
    size_t size = 0;
    update[size++] = 1;
    update[size++] = 1;
    size += variable(update + size, c->id);
    size += variable(update + size, c->clock);
    if (c->clock) {
        update[size++] = 0x84;
        size += variable(update + size, c->id);
        size += variable(update + size, c->clock - 1);
    } else {
        memcpy(update + size, "\x04\x01\x01t", 4);
        size += 4;
    }
    update[size++] = 4;
    memcpy(update + size, text, 4);
    size += 4;
    update[size++] = 0;
    c->clock += 2;
    message[0] = 0;
    message[1] = 2;
    size_t head = 2 + variable(message + 2, size);
    memcpy(message + head, update, size);
    send_frame(c, 2, message, head + size);
    acknowledged++;
}

static void take_letters(client *c, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i + 3 < size; i++) {
        const uint8_t *at = memchr(bytes + i, 0xF0, size - i);
        if (!at) return;
        i = at - bytes;
        if (i + 3 >= size) return;
        if ((at[1] & 0xC0) != 0x80 || (at[2] & 0xC0) != 0x80 || (at[3] & 0xC0) != 0x80) continue;
        uint32_t value = (at[0] & 7) << 18 | (at[1] & 63) << 12 | (at[2] & 63) << 6 | (at[3] & 63);
        if (value < FIRST) continue;
        long letter = value - FIRST - 2 * ((value - FIRST) / 65536);
        i += 3;
        if (letter >= letters || c->seen[letter / 8] & 1 << letter % 8) continue;
        c->seen[letter / 8] |= 1 << letter % 8;
        deliveries++;
        double delay = now() - sent[letter];
        int bucket = delay < 1e-5 ? 0 : (int)(log(delay / 1e-5) / 0.01);
        histogram[bucket < BUCKETS ? bucket : BUCKETS - 1]++;
    }
}

// Copies the value of a member that is an array.
static void take_base(client *c, const char *frame, size_t size) {
    const char *at = memmem(frame, size, "\"to\":[", 6);
    if (!at) fail("a text", "has no version");
    at += 5;
    const char *end = at;
    int is_quoted = 0;
    for (; end < frame + size; end++) {
        if (*end == '"') is_quoted = !is_quoted;
        if (*end == ']' && !is_quoted) break;
    }
    c->base.count = 0;
    add(&c->base, at, end - at + 1);
}

static void take_text(client *c, const char *frame, size_t size) {
    if (size > 10 && !memcmp(frame, "{\"t\":\"text\"", 11)) {
        if (!memmem(frame, size, "\"field\":\"content\"", 17)) return;
        take_base(c, frame, size);
        take_letters(c, (const uint8_t *)frame, size);
        c->is_ready = 1;
    } else if (size > 9 && !memcmp(frame, "{\"t\":\"ack\"", 10)) {
        if (!c->is_waiting) return;
        c->is_waiting = 0;
        acknowledged++;
    } else if (size > 8 && !memcmp(frame, "{\"t\":\"no\"", 9)) {
        if (!memmem(frame, size, "\"unavailable\"", 13) || !c->is_waiting) fail("refused", strndup(frame, size));
        refused++;
        c->is_refused = 1;
    }
}

static void take_message(client *c, const uint8_t *bytes, size_t size) {
    if (size < 2 || bytes[0]) return;
    if (bytes[1] == 0) send_frame(c, 2, "\0\1\2\0\0", 5);
    else {
        if (bytes[1] == 1) c->is_ready = 1;
        take_letters(c, bytes, size);
    }
}

static void open_note(client *c) {
    char frame[512];
    c->is_open = 1;
    if (!is_hub) {
        send_frame(c, 2, "\0\0\1\0", 4);
        return;
    }
    int size = snprintf(frame, sizeof frame, "{\"t\":\"hello\",\"agent\":\"%s\",\"mode\":\"edits\"}", c->agent);
    send_frame(c, 1, frame, size);
    size = snprintf(frame, sizeof frame, "{\"t\":\"open\",\"n\":%ld,\"note\":\"%s\"}", ++c->number, c->name);
    send_frame(c, 1, frame, size);
}

static void take(client *c) {
    static char piece[1 << 18];
    while (1) {
        ssize_t size = recv(c->fd, piece, sizeof piece, 0);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 && errno == EAGAIN) break;
        if (size <= 0) fail("a client was dropped", size ? strerror(errno) : "end");
        add(&c->in, piece, size);
        if (size < (ssize_t)sizeof piece) break;
    }
    size_t start = 0;
    if (!c->is_open) {
        char *end = memmem(c->in.bytes, c->in.count, "\r\n\r\n", 4);
        if (!end) return;
        if (!memmem(c->in.bytes, c->in.count, " 101 ", 5)) fail("the WebSocket is refused", strndup(c->in.bytes, c->in.count));
        start = end + 4 - c->in.bytes;
        open_note(c);
    }
    while (c->in.count - start >= 2) {
        const uint8_t *frame = (const uint8_t *)c->in.bytes + start;
        size_t length = frame[1] & 127, head = 2, rest = c->in.count - start;
        if (length == 126) {
            if (rest < 4) break;
            length = frame[2] << 8 | frame[3], head = 4;
        } else if (length == 127) {
            if (rest < 10) break;
            length = 0, head = 10;
            for (int i = 2; i < 10; i++) length = length << 8 | frame[i];
        }
        if (rest < head + length) break;
        int kind = frame[0] & 15;
        const char *data = (const char *)frame + head;
        start += head + length;
        if (kind == 1) take_text(c, data, length);
        else if (kind == 2) take_message(c, (const uint8_t *)data, length);
        else if (kind == 9) send_frame(c, 10, data, length);
        else if (kind == 8) {
            char why[256];
            snprintf(why, sizeof why, "%d %.*s", length < 2 ? 0 : (uint8_t)data[0] << 8 | (uint8_t)data[1], length > 2 ? (int)length - 2 : 0, data + 2);
            fail("a client was closed", why);
        }
    }
    memmove(c->in.bytes, c->in.bytes + start, c->in.count - start);
    c->in.count -= start;
}

static void connect_client(client *c) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(c->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int one = 1;
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(c->fd, (struct sockaddr *)&address, sizeof address)) fail("connect", strerror(errno));
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(poll_fd, EPOLL_CTL_ADD, c->fd, &event);
    char head[1024];
    int size = snprintf(head, sizeof head,
        "GET /%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Version: 13\r\n%s%s%s\r\n", c->name, c->port,
        is_hub ? "Sec-WebSocket-Protocol: hub.notes.v1\r\nAuthorization: Bearer " : "", is_hub ? c->token : "", is_hub ? "\r\n" : "");
    add(&c->out, head, size);
    flush(c);
}

static void wait_for_events(double seconds) {
    struct epoll_event events[256];
    // To the nanosecond: a wait that is rounded down to no milliseconds takes the processor from the servers.
    struct timespec time = {.tv_sec = seconds > 0 ? (time_t)seconds : 0, .tv_nsec = seconds > 0 ? (long)(fmod(seconds, 1) * 1e9) : 0};
    int found = epoll_pwait2(poll_fd, events, 256, &time, NULL);
    for (int i = 0; i < found; i++) {
        client *c = events[i].data.ptr;
        if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) take(c);
        if (events[i].events & EPOLLOUT) flush(c);
    }
}

static double percentile(double part) {
    long total = 0, all = 0;
    for (int i = 0; i < BUCKETS; i++) all += histogram[i];
    for (int i = 0; i < BUCKETS; i++) {
        total += histogram[i];
        if (total >= part * all && all) return 1e-5 * exp((i + 1) * 0.01);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 5) fail("usage", "servers hub|yjs RATE SECONDS PATIENCE <PLAN");
    is_hub = !strcmp(argv[1], "hub");
    double rate = atof(argv[2]), seconds = atof(argv[3]), patience = atof(argv[4]);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    poll_fd = epoll_create1(EPOLL_CLOEXEC);
    clients = calloc(4096, sizeof *clients);
    if (!clients) fail("memory", "none");
    char line[512];
    while (fgets(line, sizeof line, stdin)) {
        if (count == 4096) fail("plan", "too many clients");
        client *c = &clients[count];
        if (sscanf(line, "%d %127s %63s %63s %d", &c->port, c->token, c->name, c->agent, &c->writes) != 5) fail("plan", line);
        c->id = 1000 + count++;
        // The clients of a note stand together or apart; its number is that of the first of them.
        for (c->note = 0; strcmp(clients[c->note].name, c->name); c->note++) {}
        followers[c->note]++;
    }
    double end = now() + patience;
    int connected = 0, ready = 0;
    while (ready < count) {
        // The first one alone: it makes the document.
        int most = ready ? ready + CONNECTING : 1;
        while (connected < count && connected < most) connect_client(&clients[connected++]);
        wait_for_events(0.1);
        ready = 0;
        for (int i = 0; i < connected; i++) ready += clients[i].is_ready;
        if (now() > end) {
            fprintf(stderr, "%d of %d clients are ready\n", ready, count);
            return 1;
        }
    }
    int *writers = calloc(count, sizeof *writers), writing = 0;
    for (int i = 0; i < count; i++) if (clients[i].writes) writers[writing++] = i;
    double start = now();
    long due = 0, late = 0;
    end = start + seconds;
    while (now() < end) {
        if (rate > 0) {
            double next = start + due / (rate * writing);
            if (next <= now()) {
                client *c = &clients[writers[due++ % writing]];
                if (c->is_waiting && !c->is_refused) late++;
                else type(c);
                if (due % 16) continue;
                next = now();
            }
            wait_for_events(next - now());
        } else {
            for (int i = 0; i < writing; i++)
                if (!clients[writers[i]].is_waiting || clients[writers[i]].is_refused) type(&clients[writers[i]]);
            wait_for_events(0.05);
        }
    }
    long during = deliveries, stored = acknowledged, expected = 0;
    double length = now() - start;
    for (long i = 0; i < letters; i++) expected += followers[clients[writer_of[i]].note] - 1;
    end = now() + patience;
    while (deliveries < expected && now() < end) {
        for (int i = 0; i < writing; i++) if (clients[writers[i]].is_refused) type(&clients[writers[i]]);
        wait_for_events(0.05);
    }
    printf("{\"clients\":%d,\"seconds\":%.3f,\"asked\":%ld,\"edits\":%ld,\"acknowledged\":%ld,\"deliveries\":%ld,\"missing\":%ld,\"refused\":%ld,\"after\":%.3f,"
        "\"p50\":%.6f,\"p99\":%.6f}\n", count, length, letters + late, letters, stored, during, expected - deliveries, refused, now() - start - length,
        percentile(0.5), percentile(0.99));
    return 0;
}
