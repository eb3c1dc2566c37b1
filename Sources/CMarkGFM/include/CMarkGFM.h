#pragma once

// cmark-gfm has no variadic functions. Its extensions are found by name once they are registered.
#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
