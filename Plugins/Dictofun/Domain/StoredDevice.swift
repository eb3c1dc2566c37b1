package import Time

/// A recorder that was found once, with its last report.
package struct StoredDevice: Sendable {
    /// The recorder.
    package let device: Device
    /// The time when it was last heard; nil for never.
    package let seenAt: Instant?
    /// The time when all its files were last here; nil for never.
    package let syncedAt: Instant?

    package init(device: Device, seenAt: Instant?, syncedAt: Instant?) {
        self.device = device
        self.seenAt = seenAt
        self.syncedAt = syncedAt
    }
}
