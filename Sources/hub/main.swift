import Glibc
import HubRuntime

exit(await Program.run(builtInPlugins))
