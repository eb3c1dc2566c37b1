package import CivilDate

/// The files that are imported together: a file, the files of a folder, or those of an archive.
package struct ImportBundle: Sendable {
    /// One file.
    package struct File: Sendable {
        /// The path below the folder or archive; the name of a single file.
        package let path: String
        /// The contents.
        package let bytes: [UInt8]

        package init(_ path: String, _ bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }

        /// The last part of the path.
        package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    }

    /// The maximum size of a file of another program, in bytes.
    package static let maximumLength = 64 << 20
    /// Whether a file that begins with `start` is an export of hub, which may be larger.
    package static func isOwnExport(startingWith start: some Sequence<UInt8>) -> Bool {
        start.starts(with: OwnExport.start)
    }

    /// The maximum total size of the files of a bundle, in bytes.
    package static let maximumTotal = 256 << 20

    /// The display name.
    package let name: String
    /// The files, in the order of their paths.
    package let files: [File]

    /// Creates a bundle with a display name; sorts the files by path.
    package init(_ name: String, _ files: [File]) {
        self.name = name
        self.files = files.sorted { $0.path < $1.path }
    }

    /// Returns the first file with this name, in any folder.
    func file(named name: String) -> File? { files.first { $0.name == name } }

    /// The only file; nil if there are several.
    var single: File? { files.count == 1 ? files[0] : nil }
}

/// The settings that a reader needs.
package struct ImportSetting: Sendable {
    /// The current day.
    package let today: CivilDate
    /// The end date for series that have none; nil for an open end, and for one year of dates.
    package let horizon: CivilDate?
    /// Returns the local day of a time in milliseconds since 1970-01-01T00:00:00Z.
    private let wallDay: @Sendable (_ milliseconds: Int64) -> CivilDate

    package init(
        today: CivilDate, horizon: CivilDate? = nil, day: @escaping @Sendable (_ milliseconds: Int64) -> CivilDate
    ) {
        self.today = today
        self.horizon = horizon
        wallDay = day
    }

    /// Returns the local day of a time; nil outside the range of the calendar.
    func day(at milliseconds: Double) -> CivilDate? {
        abs(milliseconds) < 8e12 ? wallDay(Int64(milliseconds)) : nil
    }
}
