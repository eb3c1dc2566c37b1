/// The version of a recorder's firmware, such as `1.4.2`.
package struct FirmwareVersion: Hashable, Comparable, Sendable {
    private let numbers: [Int]
    /// What comes after a hyphen, such as `rc1`: an earlier version than the same without it.
    private let prerelease: String

    /// The version in a name of a release or file, such as `v1.4.2` or `1.5-rc1`; nil for other text.
    package init?(_ text: some StringProtocol) {
        var rest = text[...]
        if rest.first == "v" || rest.first == "V" { rest = rest.dropFirst() }
        let parts = rest.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first else { return nil }
        let numbers = first.split(separator: ".", omittingEmptySubsequences: false).map { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } && part.utf8.count <= 9 ? Int(part) ?? -1 : -1
        }
        guard (1...4).contains(numbers.count), !numbers.contains(-1), parts.count == 1 || Self.isWord(parts[1]) else {
            return nil
        }
        self.numbers = numbers
        prerelease = parts.count == 2 ? String(parts[1]) : ""
    }

    /// Whether the text after the hyphen is a short word: names of releases come from outside, and are shown.
    private static func isWord(_ text: some StringProtocol) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    /// Whether `left` came before; missing numbers are 0.
    package static func < (left: FirmwareVersion, right: FirmwareVersion) -> Bool {
        let (first, second) = (left.padded, right.padded)
        if first != second { return first.lexicographicallyPrecedes(second) }
        if left.prerelease.isEmpty || right.prerelease.isEmpty {
            return !left.prerelease.isEmpty && right.prerelease.isEmpty
        }
        return left.prerelease < right.prerelease
    }

    /// Whether both are the same version, however many zeros they end in.
    package static func == (left: FirmwareVersion, right: FirmwareVersion) -> Bool {
        left.padded == right.padded && left.prerelease == right.prerelease
    }

    /// Adds what equality compares.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(padded)
        hasher.combine(prerelease)
    }

    private var padded: [Int] { numbers + [Int](repeating: 0, count: 4 - numbers.count) }
}

extension FirmwareVersion: CustomStringConvertible {
    /// The numbers, and what came after a hyphen.
    package var description: String {
        numbers.map(String.init).joined(separator: ".") + (prerelease.isEmpty ? "" : "-" + prerelease)
    }
}

/// What is known about newer firmware. The recorder itself reports no version over the air; the user notes it.
package enum FirmwareCheck: Hashable, Sendable {
    case upToDate(FirmwareVersion)
    case updateAvailable(installed: FirmwareVersion, newest: FirmwareVersion)
    /// There is a release, and the version that the recorder runs is unknown.
    case installedUnknown(newest: FirmwareVersion)
    /// No release was found.
    case noRelease

    /// Compares the installed version with all releases; versions before a release, such as `1.5-rc1`, are offered only to
    /// those who run one.
    package init(installed: FirmwareVersion?, releases: [FirmwareVersion]) {
        let offered = releases.filter { !$0.description.contains("-") || installed?.description.contains("-") == true }
        guard let newest = offered.max() else {
            self = installed.map(FirmwareCheck.upToDate) ?? .noRelease
            return
        }
        guard let installed else {
            self = .installedUnknown(newest: newest)
            return
        }
        self = installed < newest ? .updateAvailable(installed: installed, newest: newest) : .upToDate(installed)
    }
}
