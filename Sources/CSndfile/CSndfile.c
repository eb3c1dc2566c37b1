#include "include/CSndfile.h"

#include <CLazy.h>
#include <fcntl.h>
#include <sndfile.h>
#include <stdlib.h>
#include <unistd.h>

#define SNDFILE_FUNCTIONS(X)                                                                                           \
    X(sf_open)                                                                                                         \
    X(sf_open_virtual)                                                                                                 \
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
    struct part *part;
    bool is_exact;
};

// A part of a file, which the library reads by these functions.
struct part {
    int descriptor;
    sf_count_t offset;
    sf_count_t size;
    sf_count_t position;
};

static sf_count_t part_size(void *data) { return ((struct part *)data)->size; }

static sf_count_t part_position(void *data) { return ((struct part *)data)->position; }

static sf_count_t part_seek(sf_count_t offset, int whence, void *data) {
    struct part *part = data;
    sf_count_t base = whence == SEEK_CUR ? part->position : whence == SEEK_END ? part->size : 0;
    if (base + offset < 0 || base + offset > part->size) return -1;
    return part->position = base + offset;
}

static sf_count_t part_read(void *bytes, sf_count_t count, void *data) {
    struct part *part = data;
    sf_count_t done = 0;
    if (count > part->size - part->position) count = part->size - part->position;
    while (done < count) {
        ssize_t got = pread(
            part->descriptor, (char *)bytes + done, (size_t)(count - done), part->offset + part->position);
        if (got <= 0) break;
        done += got;
        part->position += got;
    }
    return done;
}

static sf_count_t part_write(const void *bytes, sf_count_t count, void *data) {
    (void)bytes, (void)count, (void)data;
    return 0;
}

static void part_close(struct part *part) {
    if (!part) return;
    close(part->descriptor);
    free(part);
}

static int samples_format(csndfile_samples samples) {
    static const int formats[] = {SF_FORMAT_PCM_S8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32};
    int format = samples.bits == 8 && samples.is_unsigned ? SF_FORMAT_PCM_U8 : formats[(samples.bits / 8 - 1) & 3];
    return SF_FORMAT_RAW | format | (samples.is_big_endian ? SF_ENDIAN_BIG : SF_ENDIAN_LITTLE);
}

static bool is_exact(const SF_INFO *info) { return (info->format & SF_FORMAT_TYPEMASK) == SF_FORMAT_FLAC; }

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
    file->is_exact = is_exact(&found);
    return file;
}

struct csndfile *csndfile_open_part(
    const char *path, int64_t offset, int64_t size, csndfile_samples samples, csndfile_info *info) {
    const struct lazy_sndfile *library = lazy_sndfile_load(NULL);
    if (!library) return NULL;
    SF_VIRTUAL_IO access = {part_size, part_seek, part_read, part_write, part_position};
    SF_INFO found = {0};
    if (samples.bits)
        found = (SF_INFO){.samplerate = samples.rate, .channels = samples.channels, .format = samples_format(samples)};
    struct csndfile *file = calloc(1, sizeof *file);
    struct part *part = calloc(1, sizeof *part);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (file && part && descriptor >= 0) {
        *part = (struct part){descriptor, offset, size, 0};
        *file = (struct csndfile){library, library->sf_open_virtual(&access, SFM_READ, &found, part), part, false};
        if (file->file) {
            *info = (csndfile_info){found.frames, found.samplerate, found.channels};
            file->is_exact = is_exact(&found);
            return file;
        }
    }
    if (descriptor >= 0) close(descriptor);
    free(part);
    free(file);
    return NULL;
}

struct csndfile *csndfile_create(const char *path, csndfile_kind kind, int rate, int channels) {
    static const int formats[] = {
        SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_OGG | SF_FORMAT_OPUS,
        SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III};
    SF_INFO wanted = {.samplerate = rate, .channels = channels, .format = formats[kind]};
    return opened(path, SFM_WRITE, &wanted);
}

bool csndfile_is_exact(struct csndfile *file) { return file->is_exact; }

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
    part_close(file->part);
    free(file);
    return good;
}
