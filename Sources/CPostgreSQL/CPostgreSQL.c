#include "include/CPostgreSQL.h"

LAZY_DEFINE(lazy_postgresql, "libpq.so.5", POSTGRESQL_FUNCTIONS)
