// Runs a program and prints its seconds, its peak resident memory in kilobytes, and its wait status: measure PROGRAM ARGUMENT…
//
// A small program does this because the kernel counts the memory of the process that starts another as the other's, too.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count < 2) return 64;
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
    double start = now();
    pid_t child;
    if (posix_spawn(&child, arguments[1], &quiet, NULL, arguments + 1, environ) != 0) return 127;
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child) return 1;
    printf("%.9f %ld %d\n", now() - start, usage.ru_maxrss, status);
}
