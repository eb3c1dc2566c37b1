package import DBus
package import HubKit

/// Shows notifications through the desktop's own service (Desktop Notifications Specification 1.2).
///
/// A machine without a desktop is nothing unusual: what cannot be shown is said in the log, once until it works again.
package actor DesktopNotifier {
    private static let service = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    /// The longest text that is sent, in characters.
    private static let maximumLength = 1000

    private let address: @Sendable () throws(DBusError) -> DBusAddress
    private let timeout: Duration
    private let log: Log
    private var link: Link?
    private var isMissing = false

    private struct Link {
        let connection: DBusConnection
        /// Whether the body is read as markup, so that plain text has to be escaped.
        let readsMarkup: Bool
    }

    /// Notifies on the bus at `address`, which is asked for when there is something to show; a step may take `timeout`.
    package init(
        log: Log, timeout: Duration = .seconds(3),
        address: @escaping @Sendable () throws(DBusError) -> DBusAddress = { () throws(DBusError) in
            try DBusAddress.session()
        }
    ) {
        self.log = log
        self.timeout = timeout
        self.address = address
    }

    /// Shows `notification`; whether the desktop took it.
    @discardableResult
    package func show(_ notification: DesktopNotification) async -> Bool {
        do {
            try await send(notification)
            isMissing = false
            return true
        } catch {
            link = nil
            if !isMissing { log.notice("cannot show notifications: \(error)") }
            isMissing = true
            return false
        }
    }

    private func send(_ notification: DesktopNotification) async throws(DBusError) {
        let link = try await connected()
        let body = TerminalSanitizer.block(String(notification.body.prefix(DesktopNotifier.maximumLength)))
        let summary = TerminalSanitizer.line(String(notification.summary.prefix(DesktopNotifier.maximumLength)))
        let arguments: [DBusValue] = [
            .string("hub"), .uint32(0), .string(""), .string(summary),
            .string(link.readsMarkup ? DesktopNotifier.escaped(body) : body), .strings([]),
            .properties(["urgency": .byte(notification.urgency.rawValue), "desktop-entry": .string("hub")]),
            .int32(-1),
        ]
        _ = try await call("Notify", arguments, on: link.connection)
    }

    private func connected() async throws(DBusError) -> Link {
        if let link { return link }
        let connection = try await DBusConnection.open(try address(), timeout: timeout)
        let capabilities = try await call("GetCapabilities", [], on: connection).first?.elements ?? []
        let link = Link(connection: connection, readsMarkup: capabilities.contains(.string("body-markup")))
        self.link = link
        return link
    }

    private func call(
        _ member: String, _ arguments: [DBusValue], on connection: DBusConnection
    ) async throws(DBusError) -> [DBusValue] {
        try await connection.call(
            DesktopNotifier.service, path: DesktopNotifier.path, interface: DesktopNotifier.service, member: member,
            arguments, timeout: timeout)
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

/// A notification on the desktop.
package struct DesktopNotification: Sendable, Equatable {
    /// The urgency; the raw value is that of the Desktop Notifications Specification.
    package enum Urgency: UInt8, Sendable {
        case low = 0, normal = 1, critical = 2
    }

    /// One line.
    package var summary: String
    /// More, as plain text.
    package var body: String
    /// The urgency level of the Desktop Notifications Specification.
    package var urgency: Urgency

    package init(summary: String, body: String = "", urgency: Urgency = .normal) {
        self.summary = summary
        self.body = body
        self.urgency = urgency
    }
}
