#pragma once

// Without these two the header hides the session extension that the system library has.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>
#include <stdint.h>

// Functions that Swift cannot call or that must be fast: variadic functions, function-like macros, per-row callbacks.

/// Disables the library's memory statistics, which cost a lock with each allocation and are not used, and has savepoints
/// kept in memory. To be called once, before the first connection; returns a result code.
int csqlite_prepare(void);

/// Sets a boolean `sqlite3_db_config` option; returns a result code.
int csqlite_set_flag(sqlite3 *connection, int option, int isOn);

/// Binds `count` bytes of UTF-8, or a copy of them unless they are kept until the next binding; NULL bytes with count 0 are the
/// empty text.
int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *bytes, int count, int is_kept);

/// Binds `count` bytes, or a copy of them unless they are kept until the next binding; NULL bytes with count 0 are the empty blob.
int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count, int is_kept);

/// Waits for locks in steps of half a millisecond, about `milliseconds` in all; the library's own handler doubles its
/// sleeps up to 100 ms and so starves beside a process that writes all the time.
int csqlite_set_busy_limit(sqlite3 *connection, int milliseconds);

/// Records only the tables whose names are listed, sorted by byte. `tables` must outlive the session.
struct csqlite_tables {
    int count;
    const char *const *names;
};
void csqlite_record_only(sqlite3_session *session, const struct csqlite_tables *tables);
