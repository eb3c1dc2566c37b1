#include "CMarkGFM.h"

// The names of the files have the whole version, which is that of the headers.
#include <cmark-gfm_version.h>

LAZY_DEFINE(lazy_cmark, "libcmark-gfm.so." CMARK_GFM_VERSION_STRING, CMARK_FUNCTIONS)
LAZY_DEFINE(
    lazy_cmark_extensions, "libcmark-gfm-extensions.so." CMARK_GFM_VERSION_STRING, CMARK_EXTENSION_FUNCTIONS)
