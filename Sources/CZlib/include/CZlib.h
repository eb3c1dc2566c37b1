#pragma once

// zlib, loaded on first use.
#include <zlib.h>

#include <CLazy.h>

#define ZLIB_FUNCTIONS(X)                                                                                              \
    X(inflateInit2_)                                                                                                   \
    X(inflate)                                                                                                         \
    X(inflateEnd)

LAZY_DECLARE(lazy_zlib, ZLIB_FUNCTIONS)
