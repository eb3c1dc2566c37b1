import Contacts
import Glibc
import HubRuntime
import Market
import Mintee

// The built-in plugins, one line each. An executable `hub-<name>` on PATH is found without a line here.
exit(
    await Program.run([
        ContactsPlugin.self,
        MarketPlugin.self,
        MinteePlugin.self,
    ]))
