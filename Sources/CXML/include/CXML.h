#pragma once

// libxml2's event parser, loaded at its first use. The library's headers stay in the .c file. No tree is built, no entity
// is ever declared, nothing is fetched: a document type declaration ends the parsing.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Text of the parser, in UTF-8; lives during the callback.
struct cxml_text {
    const uint8_t *bytes;
    size_t size;
};

struct cxml_attribute {
    struct cxml_text space, name, value;
};

/// The callbacks of the parser; every function returns whether to continue.
struct cxml_events {
    bool (*start)(
        void *context, struct cxml_text space, struct cxml_text name, const struct cxml_attribute *attributes,
        int count);
    bool (*end)(void *context);
    bool (*text)(void *context, struct cxml_text text);
};

typedef enum {
    CXML_SOUND,
    /// The document breaks a rule of XML; `message` and `line` describe it.
    CXML_BROKEN,
    /// It has a document type declaration.
    CXML_DECLARED,
    /// A tag, comment or instruction is longer than `markup` bytes, or has too many attributes.
    CXML_MARKUP_TOO_LONG,
    /// A callback ended the parsing.
    CXML_STOPPED,
    CXML_NO_MEMORY,
} cxml_outcome;

struct cxml_result {
    cxml_outcome outcome;
    int line;
    char message[160];
};

/// Loads the library: NULL, or why it cannot be used.
const char *cxml_load(void);

/// Parses one document. `markup` bounds how many bytes may pass without an event, `attributes` how many attributes a tag
/// may have: what libxml2 does inside one tag takes time quadratic in its length.
struct cxml_result cxml_parse(
    const uint8_t *bytes, size_t size, size_t markup, int attributes, const struct cxml_events *events, void *context);
