#include "include/CICal.h"

#include <CLazy.h>
#include <libical/ical.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ICAL_FUNCTIONS(X)                                                                                              \
    X(icalerror_set_errors_are_fatal)                                                                                  \
    X(icalmemory_free_buffer)                                                                                          \
    X(icalrecur_iterator_free)                                                                                         \
    X(icalrecur_iterator_new)                                                                                          \
    X(icalrecur_iterator_next)                                                                                         \
    X(icalrecurrencetype_clear)                                                                                        \
    X(icalrecurrencetype_day_day_of_week)                                                                              \
    X(icalrecurrencetype_day_position)                                                                                 \
    X(icalrecurrencetype_from_string)                                                                                  \
    X(icalrecurrencetype_month_is_leap)                                                                                \
    X(icaltime_as_ical_string_r)                                                                                       \
    X(icaltime_compare_date_only)                                                                                      \
    X(icaltime_is_null_time)

LAZY_DECLARE(lazy_ical, ICAL_FUNCTIONS)
LAZY_DEFINE(lazy_ical, "libical.so.3", ICAL_FUNCTIONS)

static const struct lazy_ical *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialize(void) {
    library = lazy_ical_load(NULL);
    // A rule that is none is for the caller to report, not for the library to end the process over.
    if (library) library->icalerror_set_errors_are_fatal(0);
}

const char *cical_load(void) {
    const char *error = NULL;
    if (!lazy_ical_load(&error)) return error;
    pthread_once(&once, initialize);
    return NULL;
}

/// Writes the values that are there to a list, and returns their number.
static int copy(int16_t list[CICAL_LIST_SIZE], const short *values, size_t capacity) {
    int size = 0;
    for (size_t index = 0; index < capacity && values[index] != ICAL_RECURRENCE_ARRAY_MAX; index++) {
        if (size == CICAL_LIST_SIZE) break;
        list[size++] = values[index];
    }
    return size;
}

#define LIST(number) (lists + (number) * CICAL_LIST_SIZE)
#define COPY(number, values) rule->sizes[number] = copy(LIST(number), values, sizeof values / sizeof *values)

bool cical_read(const char *text, struct cical_rule *rule, int16_t lists[CICAL_LISTS * CICAL_LIST_SIZE]) {
    memset(rule, 0, sizeof *rule);
    struct icalrecurrencetype parsed = library->icalrecurrencetype_from_string(text);
    if (parsed.freq == ICAL_NO_RECURRENCE) return false;
    rule->frequency = (int)parsed.freq;
    rule->interval = parsed.interval;
    rule->count = parsed.count;
    rule->week_start = (int)parsed.week_start;
    if (!library->icaltime_is_null_time(parsed.until)) {
        char *until = library->icaltime_as_ical_string_r(parsed.until);
        if (until) strncpy(rule->until, until, sizeof rule->until - 1);
        library->icalmemory_free_buffer(until);
    }
    COPY(CICAL_SECONDS, parsed.by_second);
    COPY(CICAL_MINUTES, parsed.by_minute);
    COPY(CICAL_HOURS, parsed.by_hour);
    COPY(CICAL_DAYS, parsed.by_day);
    COPY(CICAL_MONTH_DAYS, parsed.by_month_day);
    COPY(CICAL_YEAR_DAYS, parsed.by_year_day);
    COPY(CICAL_WEEK_NUMBERS, parsed.by_week_no);
    COPY(CICAL_MONTHS, parsed.by_month);
    COPY(CICAL_POSITIONS, parsed.by_set_pos);
    rule->sizes[CICAL_ORDINALS] = rule->sizes[CICAL_DAYS];
    for (int index = 0; index < rule->sizes[CICAL_DAYS]; index++) {
        short day = LIST(CICAL_DAYS)[index];
        LIST(CICAL_DAYS)[index] = (int16_t)library->icalrecurrencetype_day_day_of_week(day);
        LIST(CICAL_ORDINALS)[index] = (int16_t)library->icalrecurrencetype_day_position(day);
    }
    rule->foreign = parsed.rscale != NULL;
    for (int index = 0; index < rule->sizes[CICAL_MONTHS]; index++) {
        if (library->icalrecurrencetype_month_is_leap(LIST(CICAL_MONTHS)[index])) rule->foreign = true;
    }
    library->icalrecurrencetype_clear(&parsed);
    return true;
}

static struct icaltimetype date(struct cical_day day) {
    struct icaltimetype time = {.year = day.year, .month = day.month, .day = day.day, .is_date = 1};
    return time;
}

int cical_expand(
    const char *text, struct cical_day start, struct cical_day last, struct cical_day *days, int capacity) {
    struct icalrecurrencetype rule = library->icalrecurrencetype_from_string(text);
    if (rule.freq == ICAL_NO_RECURRENCE) return -1;
    rule.by_hour[0] = rule.by_minute[0] = rule.by_second[0] = ICAL_RECURRENCE_ARRAY_MAX;
    // The library stops at its own end, but a rule that never holds would be searched for centuries.
    if (library->icaltime_is_null_time(rule.until) || library->icaltime_compare_date_only(rule.until, date(last)) > 0)
        rule.until = date(last);
    rule.until.is_date = 1;
    rule.until.hour = rule.until.minute = rule.until.second = 0;
    int count = 0;
    icalrecur_iterator *iterator = library->icalrecur_iterator_new(rule, date(start));
    while (iterator && count < capacity) {
        struct icaltimetype next = library->icalrecur_iterator_next(iterator);
        if (library->icaltime_is_null_time(next)) break;
        days[count++] = (struct cical_day){next.year, next.month, next.day};
    }
    if (!iterator) count = -1;
    library->icalrecur_iterator_free(iterator);
    library->icalrecurrencetype_clear(&rule);
    return count;
}
