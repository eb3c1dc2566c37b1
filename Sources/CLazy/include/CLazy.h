#pragma once

// Loads a shared library at its first use and fills a table of its functions, each with the type that the library's
// own header declares. A program that never calls the library never pays for mapping it.
//
//   #define FOO_FUNCTIONS(X) X(foo_open) X(foo_close)
//   LAZY_DECLARE(lazy_foo, FOO_FUNCTIONS)                      in the shim's header
//   LAZY_DEFINE(lazy_foo, "libfoo.so.1", FOO_FUNCTIONS)        in its .c file
//
// `lazy_foo_load(&error)` returns the table, or NULL and a text that names the library or the missing function.

#define LAZY_STRING_(x) #x
#define LAZY_STRING(x) LAZY_STRING_(x)

#define LAZY_MEMBER(function) __typeof__(function) *function;

#define LAZY_DECLARE(table, FUNCTIONS)                                                                                 \
    struct table {                                                                                                     \
        FUNCTIONS(LAZY_MEMBER)                                                                                         \
    };                                                                                                                 \
    const struct table *table##_load(const char **error);

// The suffix that a library appends to the name of every symbol; defined before this header by the shim of such a library.
#ifndef LAZY_SUFFIX
#define LAZY_SUFFIX ""
#endif

#define LAZY_RESOLVE(function)                                                                                         \
    if (!*(void **)&loaded.function) {                                                                                 \
        *(void **)&loaded.function = lazy_symbol(library, LAZY_STRING(function) LAZY_SUFFIX, &failure);                \
    }

#define LAZY_DEFINE(table, soname, FUNCTIONS)                                                                          \
    static struct table table##_functions;                                                                             \
    static const char *table##_failure;                                                                                \
    static pthread_once_t table##_once = PTHREAD_ONCE_INIT;                                                            \
    static void table##_fill(void) {                                                                                   \
        struct table loaded = {0};                                                                                     \
        const char *failure = 0;                                                                                       \
        void *library = lazy_open(soname, &failure);                                                                   \
        if (library) {                                                                                                 \
            FUNCTIONS(LAZY_RESOLVE)                                                                                    \
        }                                                                                                              \
        table##_functions = loaded;                                                                                    \
        table##_failure = failure;                                                                                     \
    }                                                                                                                  \
    const struct table *table##_load(const char **error) {                                                             \
        pthread_once(&table##_once, table##_fill);                                                                     \
        if (error) *error = table##_failure;                                                                           \
        return table##_failure ? 0 : &table##_functions;                                                               \
    }

#include <pthread.h>

/// Opens `soname`; on failure returns NULL and sets `*failure` to the loader's text, which lives as long as the process.
void *lazy_open(const char *soname, const char **failure);

/// The address of `name` in `library`; on failure returns NULL and sets `*failure`, keeping an earlier one.
void *lazy_symbol(void *library, const char *name, const char **failure);
