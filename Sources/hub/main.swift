import Glibc
import HubRuntime

let code = await Program.run(builtInPlugins)
// Without the handlers of libraries: they would free what a thread still uses that connects to a database, say, and end the process by a signal.
fflush(nil)
_exit(code)
