#pragma once

// GMP's functions on natural numbers that are arrays of limbs, the lowest first. They allocate no result: the caller has the
// memory. The library spells them as macros, which Swift cannot see.

#include <gmp.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(sizeof(mp_limb_t) == 8 && GMP_NAIL_BITS == 0, "a limb is a word of 64 bits");

/// Writes a + b to the `a_size` limbs of `result` and returns the carry; a_size >= b_size >= 1.
static inline mp_limb_t cgmp_add(
    mp_limb_t *result, const mp_limb_t *a, size_t a_size, const mp_limb_t *b, size_t b_size) {
    return mpn_add(result, a, (mp_size_t)a_size, b, (mp_size_t)b_size);
}

/// Writes a - b to the `a_size` limbs of `result`; a >= b, a_size >= b_size >= 1.
static inline void cgmp_subtract(
    mp_limb_t *result, const mp_limb_t *a, size_t a_size, const mp_limb_t *b, size_t b_size) {
    mpn_sub(result, a, (mp_size_t)a_size, b, (mp_size_t)b_size);
}

/// Writes a * b to the `a_size + b_size` limbs of `result`; a_size >= b_size >= 1.
static inline void cgmp_multiply(
    mp_limb_t *result, const mp_limb_t *a, size_t a_size, const mp_limb_t *b, size_t b_size) {
    mpn_mul(result, a, (mp_size_t)a_size, b, (mp_size_t)b_size);
}

/// Writes a / b to the `a_size - b_size + 1` limbs of `quotient` and the rest to the `b_size` limbs of `remainder`;
/// a_size >= b_size >= 1, and the highest limb of b is not 0.
static inline void cgmp_divide(
    mp_limb_t *quotient, mp_limb_t *remainder, const mp_limb_t *a, size_t a_size, const mp_limb_t *b, size_t b_size) {
    mpn_tdiv_qr(quotient, remainder, 0, a, (mp_size_t)a_size, b, (mp_size_t)b_size);
}

/// Compares two numbers of `size` limbs.
static inline int cgmp_compare(const mp_limb_t *a, const mp_limb_t *b, size_t size) {
    return mpn_cmp(a, b, (mp_size_t)size);
}

/// Writes the digits of a number, the highest first, as bytes 0 to base - 1 and returns how many there are. The limbs are
/// overwritten; the highest one is not 0.
static inline size_t cgmp_digits(uint8_t *digits, int base, mp_limb_t *limbs, size_t size) {
    return mpn_get_str(digits, base, limbs, (mp_size_t)size);
}

/// Writes the number of `count` digits to `limbs`, and returns how many limbs it has; count >= 1.
static inline size_t cgmp_number(mp_limb_t *limbs, const uint8_t *digits, size_t count, int base) {
    return (size_t)mpn_set_str(limbs, digits, count, base);
}
