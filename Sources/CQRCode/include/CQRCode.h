#pragma once

// libqrencode, loaded on first use.
#include <qrencode.h>

#include <CLazy.h>

#define QRCODE_FUNCTIONS(X)                                                                                            \
    X(QRinput_new2)                                                                                                    \
    X(QRinput_appendECIheader)                                                                                         \
    X(QRinput_append)                                                                                                  \
    X(QRinput_free)                                                                                                    \
    X(QRcode_encodeInput)                                                                                              \
    X(QRcode_free)

LAZY_DECLARE(lazy_qrcode, QRCODE_FUNCTIONS)
