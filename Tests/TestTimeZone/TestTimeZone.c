#include "TestTimeZone.h"

#include <stdlib.h>
#include <time.h>

// Before main, while there is one thread: `setenv` is not safe later.
__attribute__((constructor)) static void use_utc(void) {
    setenv("TZ", "UTC", 1);
    tzset();
}
