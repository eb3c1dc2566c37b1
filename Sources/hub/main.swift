import Contacts
import Dictofun
import Glibc
import HubRuntime
import Market
import Mintee
import Notes

// The built-in plugins, one line each. An executable `hub-<name>` on PATH is found without a line here.
exit(
    await Program.run([
        ContactsPlugin.self,
        NotesPlugin.self,
        DictofunPlugin.self,
        MarketPlugin.self,
        MinteePlugin.self,
    ]))
