import HubKit

/// The files of another machine that come to this one before anything needs them: `hub.join.audio`.
package enum FetchedFiles: String, CaseIterable, Sendable {
    /// All, each before what it belongs to.
    case all
    /// Those of the last 30 days.
    case recent = "30d"
    /// None.
    case ask

    private static let recentTime = Duration.seconds(30 * 86_400)

    /// Whether a file of this time comes.
    func wants(_ time: Instant, at now: Instant) -> Bool {
        switch self {
        case .all: true
        case .recent: now - time < Self.recentTime
        case .ask: false
        }
    }
}
