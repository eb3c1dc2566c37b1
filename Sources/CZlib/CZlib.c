#include "include/CZlib.h"

LAZY_DEFINE(lazy_zlib, "libz.so.1", ZLIB_FUNCTIONS)
