#pragma once

// libical's recurrence rules, loaded at their first use. The library's headers stay in the .c file.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The lists of a rule, in the order of their names in RFC 5545.
enum {
    CICAL_SECONDS,
    CICAL_MINUTES,
    CICAL_HOURS,
    /// Days of the week, 1 for Sunday to 7; `CICAL_ORDINALS` has as many entries, 0 where the day has no ordinal.
    CICAL_DAYS,
    CICAL_ORDINALS,
    CICAL_MONTH_DAYS,
    CICAL_YEAR_DAYS,
    CICAL_WEEK_NUMBERS,
    CICAL_MONTHS,
    CICAL_POSITIONS,
    CICAL_LISTS,
};

enum { CICAL_LIST_SIZE = 386 };

struct cical_rule {
    /// 0 for secondly, 3 for daily, 6 for yearly.
    int frequency;
    int interval;
    /// 0 when the rule has none.
    int count;
    /// 1 for Sunday to 7.
    int week_start;
    /// Whether the rule is of a calendar other than the Gregorian one, or has leap months (RFC 7529).
    bool foreign;
    /// As RFC 5545 writes a date or a time; empty when the rule has none.
    char until[24];
    int sizes[CICAL_LISTS];
};

struct cical_day {
    int year, month, day;
};

/// Loads the library: NULL, or why it cannot be used.
const char *cical_load(void);

/// Reads the value of an RRULE and its lists, each of which begins at a multiple of `CICAL_LIST_SIZE`. Returns whether it is one.
/// The lists are not in the struct, which Swift would see as a tuple of thousands of numbers and compile for most of a minute.
bool cical_read(const char *text, struct cical_rule *rule, int16_t lists[CICAL_LISTS * CICAL_LIST_SIZE]);

/// Writes the days of a rule from `start` to `last`, both included, and returns how many there are, at most `capacity`;
/// -1 when the library refuses the rule. Hours, minutes and seconds of the rule are left out.
int cical_expand(
    const char *text, struct cical_day start, struct cical_day last, struct cical_day *days, int capacity);
