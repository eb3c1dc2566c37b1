#pragma once

// cmark-gfm and its extensions, two libraries that are loaded on first use. An extension is found by its name.
#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>

#include <CLazy.h>

#define CMARK_FUNCTIONS(X)                                                                                             \
    X(cmark_parser_new)                                                                                                \
    X(cmark_parser_free)                                                                                               \
    X(cmark_parser_attach_syntax_extension)                                                                            \
    X(cmark_parser_feed)                                                                                               \
    X(cmark_parser_finish)                                                                                             \
    X(cmark_find_syntax_extension)                                                                                     \
    X(cmark_render_html)                                                                                               \
    X(cmark_iter_new)                                                                                                  \
    X(cmark_iter_next)                                                                                                 \
    X(cmark_iter_get_node)                                                                                             \
    X(cmark_iter_free)                                                                                                 \
    X(cmark_node_free)                                                                                                 \
    X(cmark_node_get_type)                                                                                             \
    X(cmark_node_get_type_string)                                                                                      \
    X(cmark_node_get_list_type)                                                                                        \
    X(cmark_node_get_list_start)                                                                                       \
    X(cmark_node_get_list_tight)                                                                                       \
    X(cmark_node_get_heading_level)                                                                                    \
    X(cmark_node_get_literal)                                                                                          \
    X(cmark_node_get_url)

#define CMARK_EXTENSION_FUNCTIONS(X)                                                                                   \
    X(cmark_gfm_core_extensions_ensure_registered)                                                                     \
    X(cmark_gfm_extensions_get_tasklist_item_checked)

LAZY_DECLARE(lazy_cmark, CMARK_FUNCTIONS)
LAZY_DECLARE(lazy_cmark_extensions, CMARK_EXTENSION_FUNCTIONS)
