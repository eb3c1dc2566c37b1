import Glibc
import HTTPClient
import MinteeDomain
package import System

/// A file or an address with a calendar of holidays.
package struct HolidaySource: Sendable {
    /// The contents of a source.
    package enum Contents: Sendable {
        /// The source still has what it had, by its entity tag.
        case unchanged
        /// The bytes, and the entity tag of an answer that has one.
        case changed([UInt8], etag: String?)
    }

    /// The full path, or the address.
    package let location: String
    private let url: HTTPURL?

    private static let deadlines = HTTPDeadlines(connect: .seconds(10), idle: .seconds(20), total: .seconds(60))

    /// Creates a source as typed: a path, which may be relative, or an address with `http`, `https` or `webcal`.
    package init(_ typed: String) throws(HubError) {
        var text = typed
        // Calendars are offered with a scheme that lets a program subscribe; it means https.
        for scheme in ["webcal://", "webcals://"] where text.lowercased().hasPrefix(scheme) {
            text = "https://" + text.dropFirst(scheme.count)
        }
        if text.contains("://") {
            guard let url = HTTPURL(text) else {
                throw HubError(
                    .usage, code: "url-invalid", "\"\(TerminalSanitizer.line(typed))\" is not an address of a calendar",
                    hint: "write a file, or https://example.com/holidays.ics")
            }
            (self.url, location) = (url, text)
            return
        }
        guard let path = realpath(text, nil) else {
            throw HubError(
                errno == ENOENT ? .notFound : .denied, code: "cannot-read",
                "cannot read \(TerminalSanitizer.line(typed))", details: [String(cString: strerror(errno))])
        }
        defer { free(path) }
        (url, location) = (nil, String(cString: path))
    }

    /// Reads the contents; `etag` is that of the last answer.
    package func read(etag: String?) async throws -> Contents {
        guard let url else {
            let path = location
            return .changed(
                try await BackgroundThread.run {
                    try ChunkedFileReader.contents(of: path, limit: HolidayReader.maximumLength)
                }, etag: nil)
        }
        var headers = HTTPHeaders()
        headers["Accept"] = "text/calendar"
        if let etag { headers["If-None-Match"] = etag }
        let client = HTTPClient(HTTPConfiguration(userAgent: "hub"))
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await client.send(
                HTTPRequest(
                    .get, url, headers: headers, deadlines: Self.deadlines, maximumBody: HolidayReader.maximumLength))
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw unavailable("\(error)")
        }
        if response.status == 304, etag != nil { return .unchanged }
        guard response.isSuccess else { throw unavailable("status \(response.status)") }
        return .changed(response.body, etag: response.headers["ETag"])
    }

    private func unavailable(_ reason: String) -> HubError {
        HubError(
            .unavailable, code: "holidays-unavailable", "cannot read \(TerminalSanitizer.line(location))",
            details: [TerminalSanitizer.line(reason)])
    }
}
