/// Where hub keeps files, after the XDG base directory specification.
package struct Directories: Sendable {
    /// The database and what cannot be made again.
    package let data: String
    /// Logs.
    package let state: String
    /// What can be made again at any time.
    package let cache: String
    /// The config file.
    package let config: String
    /// Sockets; gone with the login session. Nil when there is no folder that is the person's alone.
    package let runtime: String?

    package init(data: String, state: String, cache: String, config: String, runtime: String?) {
        self.data = data
        self.state = state
        self.cache = cache
        self.config = config
        self.runtime = runtime
    }
}
