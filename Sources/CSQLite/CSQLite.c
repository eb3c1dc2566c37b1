#include "include/CSQLite.h"

#include <stdint.h>
#include <string.h>
#include <time.h>

// What a savepoint can take back is kept in memory up to this size, not in a file: writes that share a commit have one each.
static const int savepoint_memory = 4 << 20;

int csqlite_prepare(void) {
    int code = sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, savepoint_memory);
    return code == SQLITE_OK ? sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) : code;
}

int csqlite_set_flag(sqlite3 *connection, int option, int isOn) {
    return sqlite3_db_config(connection, option, isOn, (int *)0);
}

int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *bytes, int count, int is_kept) {
    return sqlite3_bind_text(statement, index, bytes ? bytes : "", count, is_kept ? SQLITE_STATIC : SQLITE_TRANSIENT);
}

int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count, int is_kept) {
    return bytes ? sqlite3_bind_blob(statement, index, bytes, count, is_kept ? SQLITE_STATIC : SQLITE_TRANSIENT)
                 : sqlite3_bind_zeroblob(statement, index, 0);
}

static int wait_for_lock(void *limit, int attempts) {
    if (attempts >= 2 * (intptr_t)limit) return 0;
    struct timespec half_a_millisecond = {0, 500000};
    nanosleep(&half_a_millisecond, NULL);
    return 1;
}

int csqlite_set_busy_limit(sqlite3 *connection, int milliseconds) {
    return sqlite3_busy_handler(connection, wait_for_lock, (void *)(intptr_t)milliseconds);
}

// Asked again for every row of a table it refused, hence C and a binary search.
static int is_recorded(void *context, const char *table) {
    const struct csqlite_tables *tables = context;
    int low = 0, high = tables->count;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = strcmp(table, tables->names[middle]);
        if (order == 0) return 1;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return 0;
}

void csqlite_record_only(sqlite3_session *session, const struct csqlite_tables *tables) {
    sqlite3session_table_filter(session, is_recorded, (void *)tables);
}
