package import JSON

/// A release of firmware for recorders.
package struct FirmwareRelease: Hashable, Sendable {
    /// Its version.
    package let version: FirmwareVersion
    /// Whether it is offered to testers only.
    package let isPrerelease: Bool
    /// The day on which it was published, as yyyy-MM-dd; empty if that is unknown.
    package let day: String
    /// The URL of the zip file to install; nil if the release has none.
    package let file: String?
}

/// A list of releases as GitHub's interface gives it.
package enum FirmwareReleases {
    /// The most entries that are read; GitHub sends 100 at a time.
    private static let limit = 1000

    /// Returns the releases in a list, the newest first. Drafts, and entries whose tag is not a version, are left out.
    package static func read(_ bytes: [UInt8]) throws(JSONReader.Problem) -> [FirmwareRelease] {
        let entries = try JSONReader.read(bytes).array ?? []
        return entries.prefix(limit).compactMap(release).sorted { $0.version > $1.version }
    }

    private static func release(_ entry: JSONValue) -> FirmwareRelease? {
        guard entry["draft"]?.bool != true, let tag = entry["tag_name"]?.string, let version = FirmwareVersion(tag)
        else { return nil }
        let day = entry["published_at"]?.string?.prefix(10) ?? ""
        let files = (entry["assets"]?.array ?? []).prefix(limit).compactMap { $0["browser_download_url"]?.string }
        return FirmwareRelease(
            version: version, isPrerelease: entry["prerelease"]?.bool == true, day: String(day),
            file: files.first { $0.hasPrefix("https://") && $0.hasSuffix(".zip") })
    }
}
