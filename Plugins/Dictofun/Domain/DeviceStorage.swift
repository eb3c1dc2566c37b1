/// The state of a recorder's flash memory.
package struct DeviceStorage: Hashable, Sendable {
    /// The most files that the memory can name.
    package static let maximumFileCount = 255

    /// The bytes left.
    package let free: Int
    /// The bytes in use, those of the file system included.
    package let occupied: Int
    /// The number of files.
    package let fileCount: Int

    package init(free: Int, occupied: Int, fileCount: Int) {
        self.free = free
        self.occupied = occupied
        self.fileCount = fileCount
    }

    /// The share in use, 0...1.
    package var fraction: Double {
        free + occupied == 0 ? 0 : Double(occupied) / Double(free + occupied)
    }

    /// The state of the memory as its owner should know it.
    package enum Condition: String, Hashable, Sendable {
        case sufficient
        /// The device cleans up at its next shutdown: over 90 % in use, or over 254 files.
        case nearlyFull
        /// No record can be added.
        case full
    }

    /// The state of the memory.
    package var condition: Condition {
        if free == 0 || fileCount >= DeviceStorage.maximumFileCount { return .full }
        return occupied > (free + occupied) / 10 * 9 ? .nearlyFull : .sufficient
    }
}
