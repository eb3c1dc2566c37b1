import Testing

/// Waits until `condition` holds, as it must in the end; a test fails when it does not within `limit`.
///
/// Only for actions of another process without any notification.
func eventually(
    _ what: String, within limit: Duration = .seconds(900), location: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        try #require(ContinuousClock.now < deadline, "not within \(limit): \(what)", sourceLocation: location)
        try await Task.sleep(for: .milliseconds(20))
    }
}
