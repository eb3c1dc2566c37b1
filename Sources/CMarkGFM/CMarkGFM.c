#include "CMarkGFM.h"
