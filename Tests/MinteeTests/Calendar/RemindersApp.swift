import DAVTestSupport
import FoundationEssentials
import HTTPClient
import NetworkTestSupport
import Testing

/// A reminders app on a phone: it knows a calendar by plain HTTP, and writes to-dos in its own way.
struct RemindersApp {
    /// Whose way it is.
    enum Style: CaseIterable {
        case tasksOrg, apple
    }

    let style: Style
    private let client = HTTPClient(HTTPConfiguration(proxy: .none))
    private let calendar: HTTPURL

    /// An app that shows the calendar at `path` of a server.
    init(_ style: Style, _ server: PeerServer, path: String = "/ann/mintee/") {
        self.style = style
        calendar = HTTPURL(scheme: .http, host: "127.0.0.1", port: server.port, path: path)
    }

    private func send(
        _ method: HTTPMethod, _ url: HTTPURL, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8]? = nil
    ) async throws -> HTTPResponse {
        try await client.sendPatiently(
            HTTPRequest(
                method, url, headers: headers, body: body,
                credentials: HTTPCredentials(user: "ann", password: "secret")))
    }

    /// The URLs of the to-dos.
    func places() async throws -> [HTTPURL] {
        let response = try await send(HTTPMethod(rawValue: "PROPFIND"), calendar, headers: ["Depth": "1"])
        let text = String(decoding: response.body, as: UTF8.self)
        return text.matches(of: /href>([^<]+\.ics)</).compactMap { calendar.resolving(String($0.1)) }
    }

    /// The place, the text and the tag of the to-do with this `UID`.
    func todo(_ uid: String) async throws -> (url: HTTPURL, text: String, tag: String)? {
        for url in try await places() {
            let response = try await send(.get, url)
            let text = String(decoding: response.body, as: UTF8.self)
            if text.contains("UID:\(uid)\r\n") { return (url, text, response.headers["ETag"] ?? "") }
        }
        return nil
    }

    /// The lines of the to-do with this `UID`.
    func lines(_ uid: String) async throws -> [String] {
        try await todo(uid)?.text.split(separator: "\r\n").map(String.init) ?? []
    }

    /// Ticks a to-do, or takes the tick back, at a time such as `20261120T130000Z`.
    func set(_ uid: String, done isDone: Bool, at stamp: String) async throws {
        let (url, text, tag) = try #require(try await todo(uid))
        var lines = text.split(separator: "\r\n").map(String.init)
        func put(_ name: String, _ value: String?) {
            lines.removeAll { $0.hasPrefix(name + ":") }
            guard let value, let end = lines.firstIndex(of: "END:VTODO") else { return }
            // Apps have their own order of properties.
            lines.insert("\(name):\(value)", at: style == .apple ? (lines.firstIndex(of: "BEGIN:VTODO") ?? 0) + 1 : end)
        }
        put("STATUS", isDone ? "COMPLETED" : "NEEDS-ACTION")
        put("PERCENT-COMPLETE", isDone ? "100" : style == .tasksOrg ? "0" : nil)
        put("COMPLETED", isDone ? stamp : nil)
        put("LAST-MODIFIED", stamp)
        put("DTSTAMP", stamp)
        lines.removeAll { $0.hasPrefix("PRODID:") }
        switch style {
        case .tasksOrg:
            lines.insert("PRODID:+//IDN tasks.org//android-131105//EN", at: 2)
            put("SEQUENCE", "3")
        case .apple:
            lines.insert("PRODID:-//Apple Inc.//iOS 18.1//EN", at: 2)
            put("X-APPLE-SORT-ORDER", "785412345")
            lines.removeAll { $0.hasPrefix("CREATED:") }
        }
        let body = Array(lines.map { $0 + "\r\n" }.joined().utf8)
        let response = try await send(
            .put, url, headers: ["If-Match": tag, "Content-Type": "text/calendar; charset=utf-8"], body: body)
        try #require(response.isSuccess, "status \(response.status): \(String(decoding: response.body, as: UTF8.self))")
    }

    /// Removes every to-do, one by one.
    func empty() async throws {
        for url in try await places() { _ = try await send(.delete, url) }
    }

    /// Removes the whole calendar.
    func removeCalendar() async throws { _ = try await send(.delete, calendar) }
}
