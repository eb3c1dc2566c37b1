#pragma once

// System calls and constants that the Glibc module of Swift leaves out: GNU extensions, macros and globals.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A descriptor that poll(2) sees as readable once `system_wakeup_signal` was called; close-on-exec. -1 on failure.
int system_wakeup_open(void);
void system_wakeup_signal(int descriptor);
/// Makes the descriptor unreadable again.
void system_wakeup_drain(int descriptor);

/// The commit that the program was built from, as HUB_COMMIT named it at build time; empty without.
const char *system_commit(void);

/// Makes a fatal signal such as SIGSEGV print one line to standard error before it ends the process as it always does.
/// Signals that have a handler already are left alone. Call it once, on the main thread.
void system_report_crashes(void);

/// Prepares the memory of a process that ends soon: it is asked for in large pieces, begins with a huge page where the kernel has
/// one, and is given back at the end. A fault for each 4 KB would take as long as a tenth of a short command. Call it once, on
/// the main thread, before there is another one.
void system_prepare_short_run(void);

/// Both ends close-on-exec. Returns 0 or an error number.
int system_pipe(int *read_end, int *write_end);

/// Starts a detached thread on which all signals are blocked: they are for the threads that expect them, and a write
/// to a closed pipe fails there without one. Returns 0 or an error number.
int system_start_thread(void *(*body)(void *), void *context);

/// Whether this thread works on the queue of libdispatch with this label. Swift's executors are such queues.
bool system_is_on_queue(const char *label);

/// The environment of this process, as `system_spawn` takes it.
char *const *system_environment(void);

/// The initial state of a child process. Its signals have their default actions and none is blocked.
struct system_spawn {
    /// The program: a path, or a name to look for in PATH.
    const char *program;
    char *const *arguments;
    char *const *environment;
    /// The working directory, or NULL for this process's own.
    const char *directory;
    /// Descriptors that become 0, 1 and 2; -1 means /dev/null. No other descriptor is open in the child.
    int input, output, error;
    /// Makes the child the leader of a new process group, so that it can be ended with all its children.
    bool own_group;
};

/// Starts a child. Returns 0, its id and a descriptor that is readable when it has ended; or an error number.
int system_spawn(const struct system_spawn *child, pid_t *process, int *descriptor);

/// Collects an ended child. Returns 0 while it runs, 1 when it exited with `*code`, 2 when the signal `*code` ended it.
int system_reap(int descriptor, int *code);

/// What tells a file from its copies on one machine: its number, and the time at which it was made, 0 where the file system does
/// not know it.
struct system_file_birth {
    uint64_t number;
    int64_t seconds;
    uint32_t nanoseconds;
};

/// Returns 0, or -1 with errno set (statx(2)).
int system_file_birth(const char *path, struct system_file_birth *birth);

/// The magic number of the file system that holds `path` (statfs(2)); -1 with errno set when it is unknown.
long system_file_system_type(const char *path);

/// Writes the absolute path of an entry of the folder open as `directory`, without links, to `path`, which has room for `size`
/// bytes, without a NUL. Returns its length; -1 if there is no such entry, or if the system does not tell.
ssize_t system_real_path(int directory, const char *name, char *path, size_t size);

/// Exchanges two files of the folder open as `directory` in one step. Returns 0 or an error number: EINVAL or ENOSYS
/// where the file system cannot.
int system_exchange_files(int directory, const char *first, const char *second);

/// Brings everything on the file system of `descriptor` to the disk. Returns 0, or -1 with `errno`.
int system_sync_file_system(int descriptor);

/// Renames a file of the folder open as `directory` unless `to` exists already. Returns 0 or an error number: EEXIST
/// when it does.
int system_rename_to_new(int directory, const char *from, const char *to);
