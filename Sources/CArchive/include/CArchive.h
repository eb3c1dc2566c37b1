#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads the library: NULL, or why it cannot be used.
const char *carchive_load(void);

/// A zip archive in memory that is read.
struct carchive_reader;

typedef enum {
    CARCHIVE_FILE,
    /// A folder, a link or something else that holds no bytes of its own.
    CARCHIVE_OTHER,
    CARCHIVE_END,
    CARCHIVE_BROKEN,
} carchive_kind;

/// Opens an archive; the bytes must stay where they are until it is closed. NULL when out of memory.
struct carchive_reader *carchive_open(const uint8_t *bytes, size_t size);

/// Moves to the next entry. `*name` is its path, and lives until the next call; NULL when it cannot be read.
carchive_kind carchive_next(struct carchive_reader *reader, const char **name);

/// Reads bytes of the entry: how many, 0 at its end, or -1 when it is broken.
ptrdiff_t carchive_read(struct carchive_reader *reader, uint8_t *buffer, size_t size);

/// The error message of the library.
const char *carchive_reason(struct carchive_reader *reader);

void carchive_close(struct carchive_reader *reader);

/// A zip archive that is written. It holds no time, owner or mode of any file that could differ between two runs.
struct carchive_writer;

/// Begins an archive; `sink` gets its bytes and returns whether to go on. NULL when out of memory.
struct carchive_writer *carchive_create(bool (*sink)(void *context, const uint8_t *bytes, size_t size), void *context);

/// Adds a file under an ASCII path.
bool carchive_add(struct carchive_writer *writer, const char *name, const uint8_t *bytes, size_t size);

/// Writes the end of the archive.
bool carchive_finish(struct carchive_writer *writer);

void carchive_free(struct carchive_writer *writer);
