package import HTTPClient

extension HTTPDeadlines {
    /// Time limits that a server of a test's own keeps on a busy machine too.
    package static let patient = HTTPDeadlines(connect: .seconds(3600), idle: .seconds(3600), total: .seconds(3600))

    /// The same time limits with another one for silence, for everything, or both.
    package func with(idle: Duration? = nil, total: Duration? = nil) -> HTTPDeadlines {
        HTTPDeadlines(connect: connect, idle: idle ?? self.idle, total: total ?? self.total)
    }
}

extension HTTPClient {
    /// Sends `request` with the time limits ``HTTPDeadlines/patient``.
    package func sendPatiently(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        var request = request
        request.deadlines = .patient
        return try await send(request)
    }
}
