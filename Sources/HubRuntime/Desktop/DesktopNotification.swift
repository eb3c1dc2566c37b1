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
