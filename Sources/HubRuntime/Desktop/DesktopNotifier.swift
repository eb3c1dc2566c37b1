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
    /// The notifications whose buttons may still be pressed, by their numbers at the desktop, the oldest first.
    private var open: [(number: UInt32, perform: DesktopNotification.Perform)] = []
    /// Buttons that were pressed before the number of their notification was known here.
    private var early: [(number: UInt32, button: String)] = []

    /// The most notifications with buttons that are kept, and the most of ``early``.
    private static let maximumOpen = 100

    private struct Link {
        let connection: DBusConnection
        /// Whether the body is read as markup, so that plain text has to be escaped.
        let readsMarkup: Bool
        /// Takes in the buttons that are pressed; nil for a desktop without buttons.
        let listener: Task<Void, Never>?
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
            disconnect()
            if !isMissing { log.notice("cannot show notifications: \(error)") }
            isMissing = true
            return false
        }
    }

    private func send(_ notification: DesktopNotification) async throws(DBusError) {
        let link = try await connected()
        let hasButtons = link.listener != nil && notification.perform != nil
        let lines = [notification.body, hasButtons ? "" : notification.instruction].filter { !$0.isEmpty }
        let body = TerminalSanitizer.block(
            String(lines.joined(separator: "\n").prefix(DesktopNotifier.maximumLength)))
        let buttons = hasButtons ? notification.buttons.flatMap { [$0.id, $0.label] } : []
        let summary = TerminalSanitizer.line(String(notification.summary.prefix(DesktopNotifier.maximumLength)))
        let arguments: [DBusValue] = [
            .string("hub"), .uint32(0), .string(""), .string(summary),
            .string(link.readsMarkup ? DesktopNotifier.escaped(body) : body), .strings(buttons),
            .properties(["urgency": .byte(notification.urgency.rawValue), "desktop-entry": .string(DesktopIdentity.id)]
            ),
            .int32(-1),
        ]
        let answer = try await call("Notify", arguments, on: link.connection)
        guard hasButtons, let perform = notification.perform, case .uint32(let number)? = answer.first else { return }
        open = open.suffix(DesktopNotifier.maximumOpen - 1) + [(number, perform)]
        guard let pressed = early.first(where: { $0.number == number }) else { return }
        press(pressed.button, of: number)
    }

    // MARK: Buttons

    /// Listens for buttons until the connection ends.
    private func listen(on connection: DBusConnection) async throws(DBusError) -> Task<Void, Never> {
        let rule = {
            DBusMatchRule(
                sender: DesktopNotifier.service, path: DesktopNotifier.path, interface: DesktopNotifier.service,
                member: $0)
        }
        let signals = try await connection.signals(
            matching: [rule("ActionInvoked"), rule("NotificationClosed")], timeout: timeout)
        return Task { [weak self] in
            do {
                for try await signal in signals { await self?.receive(signal) }
            } catch {
                await self?.disconnect()
            }
        }
    }

    private func receive(_ signal: DBusSignal) {
        guard case .uint32(let number)? = signal.arguments.first else { return }
        if signal.member == "NotificationClosed" {
            open.removeAll { $0.number == number }
        } else if signal.arguments.count > 1, case .string(let button) = signal.arguments[1] {
            press(button, of: number)
        }
    }

    private func press(_ button: String, of number: UInt32) {
        early.removeAll { $0.number == number }
        guard let pressed = open.first(where: { $0.number == number }) else {
            early = early.suffix(DesktopNotifier.maximumOpen - 1) + [(number, button)]
            return
        }
        open.removeAll { $0.number == number }
        Task { [log] in
            do {
                try await pressed.perform(button)
            } catch {
                log.notice("the button \(TerminalSanitizer.line(button)) of a notification failed: \(error)")
            }
        }
    }

    private func disconnect() {
        link?.listener?.cancel()
        (link, open, early) = (nil, [], [])
    }

    // MARK: The desktop

    private func connected() async throws(DBusError) -> Link {
        if let link { return link }
        let connection = try await DBusConnection.open(try address(), timeout: timeout)
        let capabilities = try await call("GetCapabilities", [], on: connection).first?.elements ?? []
        let listener = capabilities.contains(.string("actions")) ? try await listen(on: connection) : nil
        let link = Link(
            connection: connection, readsMarkup: capabilities.contains(.string("body-markup")), listener: listener)
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
package struct DesktopNotification: Sendable {
    /// Carries out the button with an id.
    package typealias Perform = @Sendable (_ button: String) async throws -> Void

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
    /// The buttons, which only some desktops show.
    package var buttons: [NotificationActions.Button] = []
    /// Called for the first button that is pressed; nil for a notification without buttons.
    package var perform: Perform?
    /// The line below the body where there are no buttons; empty for none.
    package var instruction = ""

    package init(summary: String, body: String = "", urgency: Urgency = .normal) {
        self.summary = summary
        self.body = body
        self.urgency = urgency
    }
}
