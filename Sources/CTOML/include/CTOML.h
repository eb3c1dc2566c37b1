#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A C view of toml++, which is C++ and header only. A document is parsed as a whole and flattened into one array in
// preorder: a table or an array is followed by its children. All pointers live as long as the document.

#ifdef __cplusplus
extern "C" {
#endif

/// A place in the text. Lines and columns count from 1; a column is one Unicode scalar.
typedef struct {
    uint32_t line, column;
} ctoml_position;

/// From `begin` up to, not including, `end`.
typedef struct {
    ctoml_position begin, end;
} ctoml_range;

typedef enum {
    CTOML_TABLE,
    CTOML_INLINE_TABLE,
    CTOML_ARRAY,
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOLEAN,
    CTOML_DATE_TIME,
} ctoml_kind;

/// A date, a time, or both, with an offset from UTC in minutes.
typedef struct {
    bool has_date, has_time, has_offset;
    uint16_t year;
    uint8_t month, day, hour, minute, second;
    uint32_t nanosecond;
    int16_t offset;
} ctoml_date_time;

typedef struct {
    ctoml_kind kind;
    /// The key in the table that holds this node; null in an array and for the root.
    const char *key;
    size_t key_length;
    ctoml_range key_range;
    ctoml_range range;
    /// The number of children that follow, of a table or an array.
    size_t count;
    /// A string's bytes in UTF-8, not terminated.
    const char *text;
    size_t text_length;
    int64_t integer;
    double real;
    bool boolean;
    ctoml_date_time date_time;
} ctoml_node;

typedef struct ctoml_document ctoml_document;

/// Parses `length` bytes. The result is never null and belongs to the caller, which passes it to `ctoml_free`.
/// Containers nested deeper than `max_depth` are an error. A single key with so many dots that the recursion of toml++
/// would exhaust the stack must be refused before.
ctoml_document *ctoml_parse(const char *text, size_t length, size_t max_depth);
void ctoml_free(ctoml_document *document);

/// Null when the text is well formed; else what is wrong, and at which position.
const char *ctoml_error(const ctoml_document *document);
ctoml_position ctoml_error_position(const ctoml_document *document);

/// The flattened nodes; the first is the root table. Empty after an error.
const ctoml_node *ctoml_nodes(const ctoml_document *document);
size_t ctoml_node_count(const ctoml_document *document);

#ifdef __cplusplus
}
#endif
