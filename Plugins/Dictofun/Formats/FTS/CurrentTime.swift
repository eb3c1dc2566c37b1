import CivilDate
package import Time

/// The time that a recorder reads from the host: the characteristic Current Time (0x2A2B) of the Current Time Service.
///
/// The recorder sets its clock to local time as it is given, so it names records by the clock on the wall.
package enum CurrentTime {
    /// The UUID of the service, as BlueZ writes it.
    package static let service = "00001805-0000-1000-8000-00805f9b34fb"
    /// The UUID of the characteristic.
    package static let characteristic = "00002a2b-0000-1000-8000-00805f9b34fb"

    /// Returns the 10 bytes of the characteristic: year, month, day, time, weekday, 1/256 s and no reason for an adjustment.
    package static func bytes(_ time: LocalTime) -> [UInt8] {
        let (year, month, day) = time.day.components
        return [
            UInt8(truncatingIfNeeded: year), UInt8(truncatingIfNeeded: year >> 8), UInt8(month), UInt8(day),
            UInt8(time.hour), UInt8(time.minute), UInt8(time.second), UInt8(time.day.weekday.rawValue),
            UInt8(time.millisecond % 1000 * 256 / 1000), 0,
        ]
    }
}
