#define _GNU_SOURCE
#include "FaultInjection.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum mode { OFF, LOG, KILL, TEAR, IO, FULL };
enum kind { WRITE = 1, TRUNCATE, SYNC, CREATE, RENAME, UNLINK, LINK, MKDIR, SYNC_ALL };

static enum mode mode = OFF;
static char root[PATH_MAX];
static size_t root_length;
static int log_descriptor = -1;
static long target;
static long calls;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

// One entry of the log: this head, then the two paths without their root, then the bytes of a write.
struct entry {
    uint32_t kind, first_length, second_length;
    uint32_t length;  // of the bytes
    uint64_t file;    // the inode
    int64_t offset;   // of a write; the new size of a truncation
};

// The wall-clock time in milliseconds that a test shares with all its processes; NULL for the real one.
static const volatile int64_t *shared_clock;

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

static void share_clock(void) {
    const char *path = getenv("HUB_FAULTS_CLOCK");
    if (!path) return;
    int opened = REAL(open)(path, O_RDONLY | O_CLOEXEC);
    void *mapped = opened < 0 ? MAP_FAILED : mmap(NULL, sizeof *shared_clock, PROT_READ, MAP_SHARED, opened, 0);
    if (mapped == MAP_FAILED) abort();
    close(opened);
    shared_clock = mapped;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    if (clock != CLOCK_REALTIME || !shared_clock) return REAL(clock_gettime)(clock, time);
    int64_t now = *shared_clock;
    time->tv_sec = now / 1000;
    time->tv_nsec = now % 1000 * 1000000;
    return 0;
}

__attribute__((constructor)) static void prepare(void) {
    share_clock();
    static const char *names[] = {"off", "log", "kill", "tear", "io", "full"};
    const char *folder = getenv("HUB_FAULTS_ROOT"), *word = getenv("HUB_FAULTS_MODE");
    const char *at = getenv("HUB_FAULTS_AT"), *path = getenv("HUB_FAULTS_LOG");
    unsetenv("LD_PRELOAD");
    if (!folder || !word || !realpath(folder, root)) return;
    root_length = strlen(root);
    target = at ? atol(at) : 0;
    if (path) {
        int opened = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        // Out of the way of the numbers that the program expects for its own files.
        log_descriptor = fcntl(opened, F_DUPFD_CLOEXEC, 200);
        close(opened);
    }
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (!strcmp(names[i], word)) mode = i;
}

// The path below the root, with its leading slash; null for a file elsewhere.
static const char *below(const char *path) {
    if (strncmp(path, root, root_length) || (path[root_length] != '/' && path[root_length])) return NULL;
    return path + root_length;
}

static const char *path_of(int descriptor, char *buffer) {
    char name[40];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(name, buffer, PATH_MAX - 1);
    if (length < 0) return NULL;
    buffer[length] = 0;
    static const char gone[] = " (deleted)";
    if ((size_t)length > sizeof gone && !strcmp(buffer + length - sizeof gone + 1, gone))
        buffer[length - sizeof gone + 1] = 0;
    return below(buffer);
}

// The path of an entry of a folder, links in the folder's own path resolved.
static const char *path_at(int folder, const char *path, char *buffer) {
    char joined[PATH_MAX], resolved[PATH_MAX];
    if (path[0] == '/' || folder == AT_FDCWD) {
        if (path[0] == '/') joined[0] = 0;
        else if (!getcwd(joined, sizeof joined)) return NULL;
    } else {
        char name[40];
        snprintf(name, sizeof name, "/proc/self/fd/%d", folder);
        ssize_t length = readlink(name, joined, sizeof joined - 1);
        if (length < 0) return NULL;
        joined[length] = 0;
    }
    size_t used = strlen(joined);
    if (snprintf(joined + used, sizeof joined - used, "/%s", path) >= (int)(sizeof joined - used)) return NULL;
    char *slash = strrchr(joined, '/');
    *slash = 0;
    if (!realpath(*joined ? joined : "/", resolved)) return NULL;
    if (snprintf(buffer, PATH_MAX, "%s/%s", resolved, slash + 1) >= PATH_MAX) return NULL;
    return below(buffer);
}

static void append(enum kind kind, uint64_t file, int64_t offset, const char *first, const char *second,
                   const void *bytes, size_t length) {
    if (mode != LOG) return;
    struct entry entry = {kind, first ? strlen(first) : 0, second ? strlen(second) : 0, length, file, offset};
    struct iovec parts[] = {{&entry, sizeof entry},
                            {(void *)first, entry.first_length},
                            {(void *)second, entry.second_length},
                            {(void *)bytes, length}};
    if (writev(log_descriptor, parts, 4) < 0) abort();
}

// Counts a call; true when it is to fail, with errno set. `grows`: it needs room on the disk.
static int fails(int grows) {
    long number = ++calls;
    if (mode == KILL && number == target) raise(SIGKILL);
    if (mode == IO && number == target) { errno = EIO; return 1; }
    if (mode == FULL && number >= target && grows) { errno = ENOSPC; return 1; }
    return 0;
}

static uint64_t inode(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) ? 0 : status.st_ino;
}

static uint64_t inode_at(int folder, const char *path) {
    struct stat status;
    return fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) ? 0 : status.st_ino;
}

static int64_t size_of(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) ? 0 : status.st_size;
}

static int is_tracked(int descriptor, char *buffer) {
    if (mode == OFF || descriptor == log_descriptor) return 0;
    struct stat status;
    if (fstat(descriptor, &status) || !(S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) return 0;
    return path_of(descriptor, buffer) != NULL;
}

static ssize_t write_at(int descriptor, const void *bytes, size_t count, int64_t offset, int is_positioned) {
    char buffer[PATH_MAX];
    if (!is_tracked(descriptor, buffer))
        return is_positioned ? REAL(pwrite)(descriptor, bytes, count, offset) : REAL(write)(descriptor, bytes, count);
    pthread_mutex_lock(&lock);
    if (!is_positioned)
        offset = fcntl(descriptor, F_GETFL) & O_APPEND ? size_of(descriptor) : lseek(descriptor, 0, SEEK_CUR);
    ssize_t done = -1;
    if (mode == TEAR && calls + 1 == target) {
        REAL(pwrite)(descriptor, bytes, count / 2, offset);
        raise(SIGKILL);
    }
    if (!fails(offset + (int64_t)count > size_of(descriptor))) {
        done = is_positioned ? REAL(pwrite)(descriptor, bytes, count, offset) : REAL(write)(descriptor, bytes, count);
        if (done > 0) append(WRITE, inode(descriptor), offset, below(buffer), NULL, bytes, done);
    }
    int code = errno;
    pthread_mutex_unlock(&lock);
    errno = code;
    return done;
}

ssize_t write(int descriptor, const void *bytes, size_t count) { return write_at(descriptor, bytes, count, 0, 0); }
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return write_at(descriptor, bytes, count, offset, 1);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    return write_at(descriptor, bytes, count, offset, 1);
}

#define GUARDED(expression, grows, entry)        \
    pthread_mutex_lock(&lock);                   \
    int done = -1;                               \
    if (!fails(grows)) {                         \
        done = expression;                       \
        if (done >= 0) { entry; }                \
    }                                            \
    int code = errno;                            \
    pthread_mutex_unlock(&lock);                 \
    errno = code;                                \
    return done

static int truncate_to(int descriptor, int64_t length) {
    char buffer[PATH_MAX];
    if (!is_tracked(descriptor, buffer)) return REAL(ftruncate)(descriptor, length);
    GUARDED(REAL(ftruncate)(descriptor, length), length > size_of(descriptor),
            append(TRUNCATE, inode(descriptor), length, below(buffer), NULL, NULL, 0));
}
int ftruncate(int descriptor, off_t length) { return truncate_to(descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { return truncate_to(descriptor, length); }

int fsync(int descriptor) {
    char buffer[PATH_MAX];
    if (!is_tracked(descriptor, buffer)) return REAL(fsync)(descriptor);
    GUARDED(REAL(fsync)(descriptor), 0, append(SYNC, inode(descriptor), 0, below(buffer), NULL, NULL, 0));
}
int fdatasync(int descriptor) {
    char buffer[PATH_MAX];
    if (!is_tracked(descriptor, buffer)) return REAL(fdatasync)(descriptor);
    GUARDED(REAL(fdatasync)(descriptor), 0, append(SYNC, inode(descriptor), 0, below(buffer), NULL, NULL, 0));
}
int syncfs(int descriptor) {
    char buffer[PATH_MAX];
    if (!is_tracked(descriptor, buffer)) return REAL(syncfs)(descriptor);
    GUARDED(REAL(syncfs)(descriptor), 0, append(SYNC_ALL, inode(descriptor), 0, below(buffer), NULL, NULL, 0));
}

static int open_at(int folder, const char *path, int flags, mode_t rights) {
    char buffer[PATH_MAX];
    const char *name = mode == OFF || !(flags & (O_CREAT | O_TRUNC)) ? NULL : path_at(folder, path, buffer);
    struct stat status;
    int is_there = name && !fstatat(folder, path, &status, 0);
    if (!name || (is_there && !(flags & O_TRUNC))) return REAL(openat)(folder, path, flags, rights);
    GUARDED(REAL(openat)(folder, path, flags, rights), !is_there,
            append(is_there ? TRUNCATE : CREATE, inode(done), 0, name, NULL, NULL, 0));
}

#define OPEN(name, first, folder)                                                     \
    int name(first const char *path, int flags, ...) {                                \
        va_list rest;                                                                 \
        va_start(rest, flags);                                                        \
        mode_t rights = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;   \
        va_end(rest);                                                                 \
        return open_at(folder, path, flags, rights);                                  \
    }
#define NOTHING
#define FOLDER int folder,
OPEN(open, NOTHING, AT_FDCWD)
OPEN(open64, NOTHING, AT_FDCWD)
OPEN(openat, FOLDER, folder)
OPEN(openat64, FOLDER, folder)

static int rename_at(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    char first[PATH_MAX], second[PATH_MAX];
    const char *name = mode == OFF ? NULL : path_at(from_folder, from, first);
    const char *target_name = mode == OFF ? NULL : path_at(to_folder, to, second);
    if (!name && !target_name) return REAL(renameat2)(from_folder, from, to_folder, to, flags);
    GUARDED(REAL(renameat2)(from_folder, from, to_folder, to, flags), 0,
            append(RENAME, inode_at(to_folder, to), flags, name, target_name, NULL, 0));
}
int rename(const char *from, const char *to) { return rename_at(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    return rename_at(from_folder, from, to_folder, to, 0);
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    return rename_at(from_folder, from, to_folder, to, flags);
}

int unlinkat(int folder, const char *path, int flags) {
    char buffer[PATH_MAX];
    const char *name = mode == OFF ? NULL : path_at(folder, path, buffer);
    struct stat status;
    // What is not there changes nothing.
    if (!name || fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW)) return REAL(unlinkat)(folder, path, flags);
    GUARDED(REAL(unlinkat)(folder, path, flags), 0, append(UNLINK, status.st_ino, 0, name, NULL, NULL, 0));
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    char first[PATH_MAX], second[PATH_MAX];
    const char *name = mode == OFF ? NULL : path_at(from_folder, from, first);
    const char *target_name = mode == OFF ? NULL : path_at(to_folder, to, second);
    if (!target_name) return REAL(linkat)(from_folder, from, to_folder, to, flags);
    GUARDED(REAL(linkat)(from_folder, from, to_folder, to, flags), 1,
            append(LINK, inode_at(to_folder, to), 0, name, target_name, NULL, 0));
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int mkdirat(int folder, const char *path, mode_t rights) {
    char buffer[PATH_MAX];
    const char *name = mode == OFF ? NULL : path_at(folder, path, buffer);
    struct stat status;
    if (!name || !fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW)) return REAL(mkdirat)(folder, path, rights);
    GUARDED(REAL(mkdirat)(folder, path, rights), 1, append(MKDIR, 0, 0, name, NULL, NULL, 0));
}
int mkdir(const char *path, mode_t rights) { return mkdirat(AT_FDCWD, path, rights); }
