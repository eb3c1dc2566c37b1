#pragma once

// libqrencode has no variadic functions and no macros that Swift cannot see: its header is all there is.
#include <qrencode.h>
