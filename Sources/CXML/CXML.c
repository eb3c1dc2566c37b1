#define _GNU_SOURCE
#include "include/CXML.h"

#include <CLazy.h>
#include <libxml/parser.h>
#include <pthread.h>
#include <string.h>

#define XML_FUNCTIONS(X)                                                                                               \
    X(xmlCreatePushParserCtxt)                                                                                         \
    X(xmlCtxtUseOptions)                                                                                               \
    X(xmlFreeParserCtxt)                                                                                               \
    X(xmlInitParser)                                                                                                   \
    X(xmlParseChunk)                                                                                                   \
    X(xmlStopParser)

LAZY_DECLARE(lazy_xml, XML_FUNCTIONS)
LAZY_DEFINE(lazy_xml, "libxml2.so.2", XML_FUNCTIONS)

static const struct lazy_xml *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialize(void) {
    library = lazy_xml_load(NULL);
    if (library) library->xmlInitParser();
}

const char *cxml_load(void) {
    const char *error = NULL;
    if (!lazy_xml_load(&error)) return error;
    pthread_once(&once, initialize);
    return NULL;
}

// One parsing.
struct state {
    xmlParserCtxtPtr parser;
    const struct cxml_events *events;
    void *context;
    int attributes;
    bool moved;
    struct cxml_result result;
};

static void stop(struct state *state, cxml_outcome outcome) {
    if (state->result.outcome == CXML_SOUND) state->result.outcome = outcome;
    library->xmlStopParser(state->parser);
}

static struct cxml_text whole(const xmlChar *text) {
    return (struct cxml_text){text, text ? strlen((const char *)text) : 0};
}

static void subset(void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system) {
    (void)name, (void)external, (void)system;
    stop(context, CXML_DECLARED);
}

static void start(
    void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space, int spaces,
    const xmlChar **declared, int count, int defaulted, const xmlChar **values) {
    (void)prefix, (void)spaces, (void)declared, (void)defaulted;
    struct state *state = context;
    state->moved = true;
    if (count > state->attributes) return stop(state, CXML_MARKUP_TOO_LONG);
    struct cxml_attribute attributes[count > 0 ? count : 1];
    for (int index = 0; index < count; index++, values += 5) {
        attributes[index] = (struct cxml_attribute){
            whole(values[2]), whole(values[0]), {values[3], (size_t)(values[4] - values[3])}};
    }
    if (!state->events->start(state->context, whole(space), whole(name), attributes, count)) stop(state, CXML_STOPPED);
}

static void end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space) {
    (void)name, (void)prefix, (void)space;
    struct state *state = context;
    state->moved = true;
    if (!state->events->end(state->context)) stop(state, CXML_STOPPED);
}

static void text(void *context, const xmlChar *bytes, int size) {
    struct state *state = context;
    state->moved = true;
    if (!state->events->text(state->context, (struct cxml_text){bytes, (size_t)size})) stop(state, CXML_STOPPED);
}

static void failed(void *context, xmlErrorPtr error) {
    struct state *state = context;
    // Warnings, such as a relative namespace name, break nothing; and the first error is the cause of the others.
    if (error->level < XML_ERR_ERROR || state->result.outcome != CXML_SOUND) return;
    if (error->domain == XML_FROM_NAMESPACE && error->level < XML_ERR_FATAL && error->code != XML_NS_ERR_UNDEFINED_NAMESPACE)
        return;
    state->result.outcome = error->code == XML_ERR_NO_MEMORY ? CXML_NO_MEMORY : CXML_BROKEN;
    state->result.line = error->line;
    const char *message = error->message ? error->message : "";
    size_t length = strcspn(message, "\n");
    if (length >= sizeof state->result.message) length = sizeof state->result.message - 1;
    memcpy(state->result.message, message, length);
    state->result.message[length] = 0;
    library->xmlStopParser(state->parser);
}

struct cxml_result cxml_parse(
    const uint8_t *bytes, size_t size, size_t markup, int attributes, const struct cxml_events *events, void *context) {
    enum { piece = 4096 };
    xmlSAXHandler handler = {
        .internalSubset = subset, .characters = text, .ignorableWhitespace = text, .cdataBlock = text,
        .startElementNs = start, .endElementNs = end, .serror = failed, .initialized = XML_SAX2_MAGIC,
    };
    struct state state = {.events = events, .context = context, .attributes = attributes};
    state.parser = library->xmlCreatePushParserCtxt(&handler, &state, NULL, 0, NULL);
    if (!state.parser) return (struct cxml_result){.outcome = CXML_NO_MEMORY};
    // Without NOENT the parser leaves &amp; in attributes as it is. It has no other entities than XML's own to put in.
    library->xmlCtxtUseOptions(state.parser, XML_PARSE_NONET | XML_PARSE_NOENT);
    size_t silent = 0;
    for (size_t offset = 0; offset < size && state.result.outcome == CXML_SOUND;) {
        size_t length = size - offset < piece ? size - offset : piece;
        state.moved = false;
        library->xmlParseChunk(state.parser, (const char *)bytes + offset, (int)length, 0);
        offset += length;
        silent = state.moved ? 0 : silent + length;
        if (silent > markup) stop(&state, CXML_MARKUP_TOO_LONG);
    }
    if (state.result.outcome == CXML_SOUND) {
        library->xmlParseChunk(state.parser, NULL, 0, 1);
        if (!state.parser->wellFormed && state.result.outcome == CXML_SOUND) state.result.outcome = CXML_BROKEN;
    }
    library->xmlFreeParserCtxt(state.parser);
    return state.result;
}
