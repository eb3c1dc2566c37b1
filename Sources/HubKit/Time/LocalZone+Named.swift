extension LocalZone {
    /// The zone of that name in the IANA database of this machine; nil when it has none. The file is read each time.
    package static func named(
        _ zone: TimeZoneID, database: String = "/usr/share/zoneinfo"
    ) -> LocalZone? {
        if zone == .local { return .system }
        let parts = zone.name.split(separator: "/", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty && part != "." && part != ".." && !part.utf8.contains(0)
        }
        guard isName, let bytes = try? SmallFile.read("\(database)/\(zone.name)", limit: 1 << 18),
            let rules = ZoneRules(bytes)
        else { return nil }
        return LocalZone { instant in
            let milliseconds = instant.milliseconds
            return rules.offset(at: milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000)
        }
    }
}
