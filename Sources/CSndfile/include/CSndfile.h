#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The containers that are written.
typedef enum { CSNDFILE_WAV, CSNDFILE_FLAC, CSNDFILE_OPUS, CSNDFILE_MP3 } csndfile_kind;

/// The properties of an open file.
typedef struct {
    int64_t frames;
    int rate;
    int channels;
} csndfile_info;

struct csndfile;

/// Loads libsndfile; returns NULL, or why that is not possible.
const char *csndfile_load(void);

/// Opens a file for reading; NULL when the library does not know it as a sound file.
struct csndfile *csndfile_open(const char *path, csndfile_info *info);

/// The samples of a part whose header is not usable; `bits` is 0 where it is.
typedef struct {
    int bits;
    int rate;
    int channels;
    bool is_big_endian;
    bool is_unsigned;
} csndfile_samples;

/// Opens `size` bytes of a file from `offset` on, as a file of their own or as bare samples.
struct csndfile *csndfile_open_part(
    const char *path, int64_t offset, int64_t size, csndfile_samples samples, csndfile_info *info);

/// Creates a file of 16-bit samples, or of the nearest that the container has; NULL when that is not possible.
struct csndfile *csndfile_create(const char *path, csndfile_kind kind, int rate, int channels);

/// Whether the number of frames of an open file is that of its header, which the file must have: of FLAC.
bool csndfile_is_exact(struct csndfile *file);

/// The date inside the file as it is written there; NULL when there is none.
const char *csndfile_date(struct csndfile *file);

/// Reads up to `frames` frames into `samples`, full scale being 1; 0 at the end, and where the file is broken.
int64_t csndfile_read(struct csndfile *file, float *samples, int64_t frames);

/// Writes frames; returns how many were written.
int64_t csndfile_write(struct csndfile *file, const int16_t *samples, int64_t frames);

/// The library's text for the last error of an open file, or with NULL of the last opening.
const char *csndfile_reason(struct csndfile *file);

/// Closes the file; false when what was written could not be completed.
bool csndfile_close(struct csndfile *file);
