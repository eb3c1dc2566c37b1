/// The folders of hub, after the XDG base directory specification.
package struct Directories: Sendable {
    /// The database and what cannot be made again.
    package let data: String
    /// Logs.
    package let state: String
    /// The folder for files that can be recreated at any time.
    package let cache: String
    /// The config file.
    package let config: String
    /// The folder for sockets, removed with the login session. Nil when there is no folder private to the user.
    package let runtime: String?

    package init(data: String, state: String, cache: String, config: String, runtime: String?) {
        self.data = data
        self.state = state
        self.cache = cache
        self.config = config
        self.runtime = runtime
    }
}
