#include <unicode/uvernum.h>

#define LAZY_SUFFIX LAZY_STRING(U_ICU_VERSION_SUFFIX)
#include "include/CICU.h"

#define CICU_SONAME "libicui18n.so." LAZY_STRING(U_ICU_VERSION_MAJOR_NUM)

LAZY_DEFINE(lazy_icu, CICU_SONAME, CICU_FUNCTIONS)
