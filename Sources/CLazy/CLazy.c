#define _GNU_SOURCE
#include "include/CLazy.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static const char *kept(const char *text) {
    char *copy = text ? strdup(text) : NULL;
    return copy ? copy : "the library could not be loaded";
}

void *lazy_open(const char *soname, const char **failure) {
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    if (!library) *failure = kept(dlerror());
    return library;
}

void *lazy_symbol(void *library, const char *name, const char **failure) {
    void *address = dlsym(library, name);
    if (!address && !*failure) *failure = kept(dlerror());
    return address;
}
