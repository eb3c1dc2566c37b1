#include "include/CGMP.h"
