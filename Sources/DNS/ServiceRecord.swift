/// The host and port at which a domain offers a service (RFC 2782).
package struct ServiceRecord: Hashable, Sendable {
    /// Lower is tried first.
    package var priority: Int
    /// Among equal priorities, how large a share of clients this server should get.
    package var weight: Int
    /// The TCP port of the service.
    package var port: Int
    /// The server's host name; empty when the domain says that it does not offer the service.
    package var target: String

    package init(priority: Int, weight: Int, port: Int, target: String) {
        self.priority = priority
        self.weight = weight
        self.port = port
        self.target = target
    }
}

extension ServiceRecord {
    /// Returns `records` in the order in which to try them: by priority, then by descending weight. RFC 2782 spreads
    /// load at random; a single user's client does not need that and is easier to debug when it is deterministic.
    package static func inOrder(_ records: [ServiceRecord]) -> [ServiceRecord] {
        records.sorted { ($0.priority, -$0.weight, $0.target) < ($1.priority, -$1.weight, $1.target) }
    }
}
