#include "include/CSndfile.h"

#include <CLazy.h>
#include <sndfile.h>
#include <stdlib.h>

#define SNDFILE_FUNCTIONS(X)                                                                                           \
    X(sf_open)                                                                                                         \
    X(sf_readf_float)                                                                                                  \
    X(sf_writef_short)                                                                                                 \
    X(sf_get_string)                                                                                                   \
    X(sf_strerror)                                                                                                     \
    X(sf_close)

LAZY_DECLARE(lazy_sndfile, SNDFILE_FUNCTIONS)
LAZY_DEFINE(lazy_sndfile, "libsndfile.so.1", SNDFILE_FUNCTIONS)

struct csndfile {
    const struct lazy_sndfile *library;
    SNDFILE *file;
};

const char *csndfile_load(void) {
    const char *error = NULL;
    lazy_sndfile_load(&error);
    return error;
}

static struct csndfile *opened(const char *path, int mode, SF_INFO *info) {
    const struct lazy_sndfile *library = lazy_sndfile_load(NULL);
    struct csndfile *file = library ? calloc(1, sizeof *file) : NULL;
    if (!file) return NULL;
    file->library = library;
    file->file = library->sf_open(path, mode, info);
    if (file->file) return file;
    free(file);
    return NULL;
}

struct csndfile *csndfile_open(const char *path, csndfile_info *info) {
    SF_INFO found = {0};
    struct csndfile *file = opened(path, SFM_READ, &found);
    if (!file) return NULL;
    *info = (csndfile_info){found.frames, found.samplerate, found.channels};
    return file;
}

struct csndfile *csndfile_create(const char *path, csndfile_kind kind, int rate, int channels) {
    static const int formats[] = {
        SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_OGG | SF_FORMAT_OPUS};
    SF_INFO wanted = {.samplerate = rate, .channels = channels, .format = formats[kind]};
    return opened(path, SFM_WRITE, &wanted);
}

const char *csndfile_date(struct csndfile *file) { return file->library->sf_get_string(file->file, SF_STR_DATE); }

int64_t csndfile_read(struct csndfile *file, float *samples, int64_t frames) {
    return file->library->sf_readf_float(file->file, samples, frames);
}

int64_t csndfile_write(struct csndfile *file, const int16_t *samples, int64_t frames) {
    return file->library->sf_writef_short(file->file, samples, frames);
}

const char *csndfile_reason(struct csndfile *file) {
    const struct lazy_sndfile *library = lazy_sndfile_load(NULL);
    return library ? library->sf_strerror(file ? file->file : NULL) : "libsndfile is missing";
}

bool csndfile_close(struct csndfile *file) {
    bool good = file->library->sf_close(file->file) == 0;
    free(file);
    return good;
}
