#include "include/CQRCode.h"

LAZY_DEFINE(lazy_qrcode, "libqrencode.so.4", QRCODE_FUNCTIONS)
