/// A feature module of hub.
///
/// It has two phases. The static `descriptor` says all that can be said without running anything: help, completion, man
/// pages, config validation and docs come from it, with no database open. The value itself is built lazily from a
/// `Context` and is the list of the plugin's use cases: its commands, routes, services and flows call those and nothing
/// else. Nothing in a plugin is global.
package protocol Plugin: Sendable {
    /// The declaration of what the plugin is and offers.
    static var descriptor: PluginDescriptor { get }

    /// Builds the use cases over `context`; called at most once per process, when one of them is first needed.
    init(context: Context) throws
}
