#define _GNU_SOURCE
#include "include/CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef HUB_COMMIT
#define HUB_COMMIT ""
#endif

const char *system_commit(void) { return HUB_COMMIT; }

// Before main, when nothing else has been opened: a file of the store must never become descriptor 0, 1 or 2, where
// results and messages would be written into it. Reading a closed standard input ends at once and messages go nowhere;
// results fail with EBADF, so that they are not mistaken for written.
__attribute__((constructor)) static void open_standard_descriptors(void) {
    static const int modes[3] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int target = 0; target < 3; target++) {
        // The lowest free descriptor is the one that is missing: those below it are open.
        if (fcntl(target, F_GETFD) < 0 && errno == EBADF) (void)!open("/dev/null", modes[target]);
    }
}

void system_prepare_short_run(void) {
    const size_t huge = 2 << 20;
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, (int)(3 * huge));
    // More than is left of the heap, so that it grows.
    const size_t more = huge / 8;
    char *first = malloc(more);
    if (!first) return;
    uintptr_t place = (uintptr_t)first, end = (uintptr_t)sbrk(0);
    // A page that has been touched cannot be part of a huge one: behind the first piece is the size of what is left.
    uintptr_t start = (place + more + 4096 + huge - 1) / huge * huge;
    free(first);
    // Another allocator, such as that of a sanitizer, has its memory elsewhere.
    if (end < start + huge || end > place + 5 * huge) return;
    madvise((void *)start, (end - start) / huge * huge, MADV_HUGEPAGE);
    // What lies before the huge page is never touched: only its addresses are lost.
    static void *volatile unused;
    unused = malloc(start - place - 64);
    (void)unused;
}

// Async-signal-safe: write(2) and raise(3) alone. SA_RESETHAND has put the default action back.
static void report_crash(int signal) {
    static const char head[] = "\nhub: internal error: killed by signal ";
    static const char tail[] =
        ". Unfinished changes were not saved.\n"
        "  hint: report it with the command line and the output of hub version --json\n";
    char number[] = {(char)('0' + signal / 10), (char)('0' + signal % 10)};
    int skipped = number[0] == '0';
    (void)!write(2, head, sizeof head - 1);
    (void)!write(2, number + skipped, sizeof number - (size_t)skipped);
    (void)!write(2, tail, sizeof tail - 1);
    raise(signal);
}

void system_report_crashes(void) {
    // A stack of its own, since an overflow of the usual one is a crash too.
    static char stack[64 << 10];
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) {
        struct sigaction before, action = {.sa_handler = report_crash};
        action.sa_flags = (int)(SA_RESETHAND | SA_ONSTACK);
        if (sigaction(signals[index], NULL, &before) || before.sa_handler != SIG_DFL) continue;
        sigaction(signals[index], &action, NULL);
    }
}

int system_wakeup_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void system_wakeup_signal(int descriptor) {
    // Fails only when the counter is full: the descriptor is readable already.
    (void)!write(descriptor, &(uint64_t){1}, sizeof(uint64_t));
}

void system_wakeup_drain(int descriptor) {
    uint64_t count;
    (void)!read(descriptor, &count, sizeof count);
}

int system_pipe(int *read_end, int *write_end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return errno;
    *read_end = ends[0];
    *write_end = ends[1];
    return 0;
}

int system_start_thread(void *(*body)(void *), void *context) {
    sigset_t all, before;
    sigfillset(&all);
    // A new thread has the mask of the one that starts it.
    int error = pthread_sigmask(SIG_SETMASK, &all, &before);
    if (error) return error;
    pthread_t thread;
    error = pthread_create(&thread, NULL, body, context);
    if (!error) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

// Of libdispatch, whose header is not in the compiler's path. NULL stands for the current queue.
extern const char *dispatch_queue_get_label(void *queue);

bool system_is_on_queue(const char *label) { return !strcmp(dispatch_queue_get_label(NULL), label); }

char *const *system_environment(void) { return environ; }

static int set_attributes(posix_spawnattr_t *attributes, const struct system_spawn *child) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    int error = posix_spawnattr_setsigdefault(attributes, &all);
    if (!error) error = posix_spawnattr_setsigmask(attributes, &none);
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (child->own_group ? POSIX_SPAWN_SETPGROUP : 0);
    return error ? error : posix_spawnattr_setflags(attributes, flags);
}

// The descriptors are moved above 2 first, so that none is overwritten before it is used.
static int set_descriptors(posix_spawn_file_actions_t *actions, const int moved[3]) {
    int error = 0;
    for (int target = 0; target < 3 && !error; target++) {
        error = moved[target] >= 0 ? posix_spawn_file_actions_adddup2(actions, moved[target], target)
                                   : posix_spawn_file_actions_addopen(actions, target, "/dev/null", O_RDWR, 0);
    }
    return error ? error : posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

static int spawn(const struct system_spawn *child, const int moved[3], pid_t *process) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int error = posix_spawnattr_init(&attributes);
    if (error) return error;
    error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        error = set_attributes(&attributes, child);
        if (!error && child->directory) error = posix_spawn_file_actions_addchdir_np(&actions, child->directory);
        if (!error) error = set_descriptors(&actions, moved);
        if (!error) {
            error = posix_spawnp(
                process, child->program, &actions, &attributes, child->arguments, child->environment);
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return error;
}

int system_spawn(const struct system_spawn *child, pid_t *process, int *descriptor) {
    const int given[3] = {child->input, child->output, child->error};
    int moved[3] = {-1, -1, -1};
    int error = 0;
    for (int index = 0; index < 3 && !error; index++) {
        if (given[index] < 0) continue;
        moved[index] = fcntl(given[index], F_DUPFD_CLOEXEC, 3);
        if (moved[index] < 0) error = errno;
    }
    if (!error) error = spawn(child, moved, process);
    for (int index = 0; index < 3; index++) {
        if (moved[index] >= 0) close(moved[index]);
    }
    if (error) return error;
    *descriptor = pidfd_open(*process, 0);
    if (*descriptor >= 0) return 0;
    // Its end could not be detected: it must not run.
    error = errno;
    kill(*process, SIGKILL);
    waitpid(*process, NULL, 0);
    return error;
}

int system_reap(int descriptor, int *code) {
    siginfo_t information = {0};
    if (waitid(P_PIDFD, descriptor, &information, WEXITED | WNOHANG) || !information.si_pid) return 0;
    *code = information.si_status;
    return information.si_code == CLD_EXITED ? 1 : 2;
}

int system_file_birth(const char *path, struct system_file_birth *birth) {
    struct statx status;
    if (statx(AT_FDCWD, path, 0, STATX_INO | STATX_BTIME, &status)) return -1;
    bool is_known = status.stx_mask & STATX_BTIME;
    *birth = (struct system_file_birth){
        .number = status.stx_ino,
        .seconds = is_known ? status.stx_btime.tv_sec : 0,
        .nanoseconds = is_known ? status.stx_btime.tv_nsec : 0,
    };
    return 0;
}

long system_file_system_type(const char *path) {
    struct statfs system;
    return statfs(path, &system) == 0 ? (long)system.f_type : -1;
}

ssize_t system_real_path(int directory, const char *name, char *path, size_t size) {
    int entry = openat(directory, name, O_PATH | O_CLOEXEC);
    if (entry < 0) return -1;
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", entry);
    ssize_t length = readlink(link, path, size);
    close(entry);
    return length > 0 && (size_t)length < size && path[0] == '/' ? length : -1;
}

int system_exchange_files(int directory, const char *first, const char *second) {
    return renameat2(directory, first, directory, second, RENAME_EXCHANGE) ? errno : 0;
}

int system_sync_file_system(int descriptor) { return syncfs(descriptor); }

int system_rename_to_new(int directory, const char *from, const char *to) {
    if (!renameat2(directory, from, directory, to, RENAME_NOREPLACE)) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    // A file system without it still refuses a second link of one name.
    if (linkat(directory, from, directory, to, 0)) return errno;
    return unlinkat(directory, from, 0) ? errno : 0;
}
