package import Commands

/// The item that the path of a route names by `{id}`, as the conditions of requests need it (RFC 9110 §13).
package struct RouteItem: Sendable {
    /// What the conditions of a request are compared with.
    package struct State: Hashable, Sendable {
        /// The name, for messages.
        package let name: String
        /// The revision, which every change increases.
        package let revision: Int
        /// Whether it is in the trash.
        package let isTrashed: Bool
    }

    /// The path of the list of these items, such as `/api/tea`.
    package let path: String
    /// The singular noun, such as `tea`.
    package let one: String
    /// Returns the state of the item with an id; with `isPrefix` the beginning of one is enough. Throws `not-found`.
    package let state: @Sendable (_ host: any PluginHost, _ id: String, _ isPrefix: Bool) async throws -> State

    /// Whether a route with this pattern is about one item.
    func isNamed(in pattern: String) -> Bool { pattern == "\(path)/{id}" || pattern.hasPrefix("\(path)/{id}/") }
}
