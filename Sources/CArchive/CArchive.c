#include "include/CArchive.h"

#include <CLazy.h>
#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>

#define ARCHIVE_FUNCTIONS(X)                                                                                           \
    X(archive_read_new)                                                                                                \
    X(archive_read_support_format_zip)                                                                                 \
    X(archive_read_open_memory)                                                                                        \
    X(archive_read_next_header)                                                                                        \
    X(archive_read_data)                                                                                               \
    X(archive_read_free)                                                                                               \
    X(archive_error_string)                                                                                            \
    X(archive_entry_pathname_utf8)                                                                                     \
    X(archive_entry_pathname)                                                                                          \
    X(archive_entry_filetype)                                                                                          \
    X(archive_entry_is_encrypted)                                                                                      \
    X(archive_write_new)                                                                                               \
    X(archive_write_set_format_zip)                                                                                    \
    X(archive_write_set_bytes_in_last_block)                                                                           \
    X(archive_write_open2)                                                                                             \
    X(archive_write_header)                                                                                            \
    X(archive_write_data)                                                                                              \
    X(archive_write_close)                                                                                             \
    X(archive_write_free)                                                                                              \
    X(archive_entry_new)                                                                                               \
    X(archive_entry_free)                                                                                              \
    X(archive_entry_set_pathname)                                                                                      \
    X(archive_entry_set_size)                                                                                          \
    X(archive_entry_set_filetype)                                                                                      \
    X(archive_entry_set_perm)

LAZY_DECLARE(lazy_archive, ARCHIVE_FUNCTIONS)
LAZY_DEFINE(lazy_archive, "libarchive.so.13", ARCHIVE_FUNCTIONS)

const char *carchive_load(void) {
    const char *error = NULL;
    lazy_archive_load(&error);
    return error;
}

struct carchive_reader {
    const struct lazy_archive *library;
    struct archive *archive;
};

struct carchive_reader *carchive_open(const uint8_t *bytes, size_t size) {
    const struct lazy_archive *library = lazy_archive_load(NULL);
    struct carchive_reader *reader = library ? calloc(1, sizeof *reader) : NULL;
    if (!reader) return NULL;
    reader->library = library;
    reader->archive = library->archive_read_new();
    if (!reader->archive) {
        free(reader);
        return NULL;
    }
    library->archive_read_support_format_zip(reader->archive);
    // An error in the bytes occurs again in the first step, which reports it.
    library->archive_read_open_memory(reader->archive, bytes, size);
    return reader;
}

carchive_kind carchive_next(struct carchive_reader *reader, const char **name) {
    const struct lazy_archive *library = reader->library;
    struct archive_entry *entry = NULL;
    int result = library->archive_read_next_header(reader->archive, &entry);
    if (result == ARCHIVE_EOF) return CARCHIVE_END;
    // A warning only says that the name cannot be shown in the locale, which is not needed.
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) return CARCHIVE_BROKEN;
    *name = library->archive_entry_pathname_utf8(entry);
    if (!*name) *name = library->archive_entry_pathname(entry);
    bool file = library->archive_entry_filetype(entry) == AE_IFREG && !library->archive_entry_is_encrypted(entry);
    return file ? CARCHIVE_FILE : CARCHIVE_OTHER;
}

ptrdiff_t carchive_read(struct carchive_reader *reader, uint8_t *buffer, size_t size) {
    la_ssize_t count = reader->library->archive_read_data(reader->archive, buffer, size);
    return count < 0 ? -1 : count;
}

const char *carchive_reason(struct carchive_reader *reader) {
    const char *reason = reader->library->archive_error_string(reader->archive);
    return reason ? reason : "the archive is broken";
}

void carchive_close(struct carchive_reader *reader) {
    reader->library->archive_read_free(reader->archive);
    free(reader);
}

struct carchive_writer {
    const struct lazy_archive *library;
    struct archive *archive;
    bool (*sink)(void *context, const uint8_t *bytes, size_t size);
    void *context;
};

static la_ssize_t take(struct archive *archive, void *data, const void *bytes, size_t size) {
    (void)archive;
    struct carchive_writer *writer = data;
    return writer->sink(writer->context, bytes, size) ? (la_ssize_t)size : -1;
}

struct carchive_writer *carchive_create(bool (*sink)(void *context, const uint8_t *bytes, size_t size), void *context) {
    const struct lazy_archive *library = lazy_archive_load(NULL);
    struct carchive_writer *writer = library ? calloc(1, sizeof *writer) : NULL;
    if (!writer) return NULL;
    *writer = (struct carchive_writer){library, library->archive_write_new(), sink, context};
    if (!writer->archive) {
        free(writer);
        return NULL;
    }
    library->archive_write_set_format_zip(writer->archive);
    library->archive_write_set_bytes_in_last_block(writer->archive, 1);
    if (library->archive_write_open2(writer->archive, writer, NULL, take, NULL, NULL) != ARCHIVE_OK) {
        carchive_free(writer);
        return NULL;
    }
    return writer;
}

bool carchive_add(struct carchive_writer *writer, const char *name, const uint8_t *bytes, size_t size) {
    const struct lazy_archive *library = writer->library;
    struct archive_entry *entry = library->archive_entry_new();
    if (!entry) return false;
    library->archive_entry_set_pathname(entry, name);
    library->archive_entry_set_size(entry, (la_int64_t)size);
    library->archive_entry_set_filetype(entry, AE_IFREG);
    library->archive_entry_set_perm(entry, 0644);
    bool good = library->archive_write_header(writer->archive, entry) == ARCHIVE_OK;
    if (good && size > 0) good = library->archive_write_data(writer->archive, bytes, size) == (la_ssize_t)size;
    library->archive_entry_free(entry);
    return good;
}

bool carchive_finish(struct carchive_writer *writer) {
    return writer->library->archive_write_close(writer->archive) == ARCHIVE_OK;
}

void carchive_free(struct carchive_writer *writer) {
    writer->library->archive_write_free(writer->archive);
    free(writer);
}
