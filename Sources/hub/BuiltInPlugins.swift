import Contacts
import Dictofun
package import HubKit
import Market
import Mintee
import Notes

/// The built-in plugins, one line each. An executable `hub-<name>` on PATH is found without a line here.
package let builtInPlugins: [any Plugin.Type] = [
    ContactsPlugin.self,
    NotesPlugin.self,
    DictofunPlugin.self,
    MarketPlugin.self,
    MinteePlugin.self,
]
