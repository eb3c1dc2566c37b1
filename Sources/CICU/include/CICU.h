#pragma once

// ICU appends its version to every symbol (ucol_open_72) by macros; without them Swift sees the plain names.
#define U_DISABLE_RENAMING 1
#include <CLazy.h>
#include <unicode/ucnv.h>
#include <unicode/ucol.h>
#include <unicode/utrans.h>

// ICU's collation, transliteration and charset conversion. libicui18n brings libicuuc with it, so that one name loads
// both; the version in the symbols and in the soname comes from the header.

#define CICU_FUNCTIONS(X)                                                                                              \
    X(u_getVersion)                                                                                                    \
    X(u_errorName)                                                                                                     \
    X(ucol_open)                                                                                                       \
    X(ucol_close)                                                                                                      \
    X(ucol_getSortKey)                                                                                                 \
    X(ucol_getVersion)                                                                                                 \
    X(utrans_openU)                                                                                                    \
    X(utrans_close)                                                                                                    \
    X(utrans_transUChars)                                                                                              \
    X(ucnv_open)                                                                                                       \
    X(ucnv_close)                                                                                                      \
    X(ucnv_toUChars)

LAZY_DECLARE(lazy_icu, CICU_FUNCTIONS)
