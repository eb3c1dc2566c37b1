#include "include/CQRCode.h"
