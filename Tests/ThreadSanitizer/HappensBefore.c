// Shows ThreadSanitizer the synchronization inside of the Swift runtime, which is not instrumented. `make test-tsan`
// links this file into every program; no other build has it. Names and layouts are those of Swift 6.3 on Linux; a
// program ends at its start if a name is missing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define ASYNC_CONTEXT __attribute__((swift_async_context))

void __tsan_acquire(void *address);
void __tsan_release(void *address);

static void *find(void *handle, const char *name) {
    void *address = dlsym(handle, name);
    if (address == NULL) {
        fprintf(stderr, "%s: the Swift runtime has no %s any more\n", __FILE__, name);
        abort();
    }
    return address;
}

// Mutex: ThreadSanitizer sees the uncontended path, which is inlined in the program. The contended one is functions of
// libswiftSynchronization that wait on a futex. The definitions below take their place.

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static SWIFT void (*next_lock)(uint32_t thread, SELF void *mutex);
static SWIFT bool (*next_try_lock)(SELF void *mutex);
static SWIFT void (*next_unlock)(SELF void *mutex);

SWIFT void lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT bool try_lock(SELF void *mutex) __asm__(TRY_LOCK);
SWIFT void unlock(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF void *mutex) {
    next_lock(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT bool try_lock(SELF void *mutex) {
    bool is_locked = next_try_lock(mutex);
    if (is_locked) __tsan_acquire(mutex);
    return is_locked;
}

SWIFT void unlock(SELF void *mutex) {
    __tsan_release(mutex);
    next_unlock(mutex);
}

// Continuations: a resume releases the task, and the executor that runs the task acquires it. But a task that reaches
// its await after the resume continues at once, without an acquire. Therefore each resume replaces the function with
// which such a task continues.

// `swift::ContinuationAsyncContext`.
struct continuation_context {
    void *parent;
    SWIFT_ASYNC void (*resume_parent)(ASYNC_CONTEXT struct continuation_context *);
    size_t flags;
};

// `swift::AsyncTask`.
struct task {
    void *job[7];
    SWIFT_ASYNC void (*resume_task)(ASYNC_CONTEXT struct continuation_context *);
    struct continuation_context *resume_context;
};

enum { FORCES_EXECUTOR_SWITCH = 2 };

static SWIFT struct task *(*current_task)(void);

static SWIFT_ASYNC void acquire_and_resume(ASYNC_CONTEXT struct continuation_context *context) {
    struct task *task = current_task();
    __tsan_acquire(task);
    // The runtime made it equal to `resume_parent` when it created the continuation.
    __attribute__((musttail)) return task->resume_task(context);
}

static const char *const resume_names[] = {
    "swift_continuation_resume", "swift_continuation_throwingResume", "swift_continuation_throwingResumeWithError"};
enum { RESUMES = sizeof resume_names / sizeof *resume_names };

static struct {
    uintptr_t start, end;
} resumes[RESUMES];

// Replaces the runtime's hook, which a resume calls before it publishes that it has resumed: the task does not read
// `resume_parent` until then.
static void release(void *object) {
    __tsan_release(object);
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    for (size_t i = 0; i < RESUMES; i++) {
        if (caller < resumes[i].start || caller >= resumes[i].end) continue;
        struct continuation_context *context = ((struct task *)object)->resume_context;
        // A task that switches its executor is acquired by the runtime.
        if ((context->flags & FORCES_EXECUTOR_SWITCH) == 0) context->resume_parent = acquire_and_resume;
    }
}

__attribute__((constructor)) static void start(void) {
    void *synchronization = dlopen("libswiftSynchronization.so", RTLD_NOW);
    *(void **)&next_lock = find(synchronization, LOCK);
    *(void **)&next_try_lock = find(synchronization, TRY_LOCK);
    *(void **)&next_unlock = find(synchronization, UNLOCK);
    *(void **)&current_task = find(RTLD_DEFAULT, "swift_task_getCurrent");
    for (size_t i = 0; i < RESUMES; i++) {
        void *address = find(RTLD_DEFAULT, resume_names[i]);
        Dl_info library;
        ElfW(Sym) *symbol;
        if (dladdr1(address, &library, (void **)&symbol, RTLD_DL_SYMENT) == 0) abort();
        resumes[i].start = (uintptr_t)address;
        resumes[i].end = resumes[i].start + symbol->st_size;
    }
    // Turns on the hooks of the runtime, which ThreadSanitizer does not do on Linux.
    ((void (*)(void))find(RTLD_DEFAULT, "__tsan_on_initialize"))();
    *(void (**)(void *))find(RTLD_DEFAULT, "_swift_tsan_release") = release;
}
