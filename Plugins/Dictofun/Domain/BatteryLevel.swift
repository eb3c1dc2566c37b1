/// The charge of a recorder's battery. The device measures in steps of 12 %, and switches its radio off below the lowest.
package struct BatteryLevel: Hashable, Sendable {
    /// The highest charge that counts as low, in percent: one step above the end.
    package static let lowThreshold = 12

    /// The charge in percent, 0...100.
    package let percent: Int

    /// The charge that a device reported; nil for values above 100, which it gives before its first measurement.
    package init?(percent: Int) {
        guard (0...100).contains(percent) else { return nil }
        self.percent = percent
    }

    /// Whether the owner is notified, and nothing but the level is requested from the device.
    package var isLow: Bool { percent <= BatteryLevel.lowThreshold }
}
