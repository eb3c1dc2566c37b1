import SQLite

/// The devices that may use hub with a password of their own. The tables belong to the owner `core`.
extension Transaction {
    /// Returns all devices by their names.
    package func registeredDevices() throws -> [RegisteredDevice] {
        try rows("\(RegisteredDevice.select) ORDER BY name", body: RegisteredDevice.init)
    }

    /// Returns the device `name`; nil if there is none.
    package func registeredDevice(_ name: String) throws -> RegisteredDevice? {
        try row("\(RegisteredDevice.select) WHERE name = ?", name, body: RegisteredDevice.init)
    }

    /// Stores a new device.
    package func addRegisteredDevice(_ name: String, hash: [UInt8], scopes: [String], isReadOnly: Bool) throws {
        try run(
            "INSERT INTO core_device (name, hash, scopes, read_only, created_at) VALUES (?, ?, ?, ?, ?)", name, hash,
            scopes.joined(separator: " "), isReadOnly, now.milliseconds)
    }

    /// Removes a device and what is known of it, except what was refused.
    /// - Returns: whether it existed.
    package func removeRegisteredDevice(_ name: String) throws -> Bool {
        try run("DELETE FROM core_device_item WHERE device = ?", name)
        try run("DELETE FROM core_device_program WHERE device = ?", name)
        try run("DELETE FROM core_device_property WHERE device = ?", name)
        try run("DELETE FROM core_device_code WHERE device = ?", name)
        try run("DELETE FROM core_machine_spoke WHERE device = ?", name)
        try run("DELETE FROM core_machine_code WHERE device = ?", name)
        try run("DELETE FROM core_device_version WHERE version NOT IN (SELECT version FROM core_device_item)")
        return try run("DELETE FROM core_device WHERE name = ?", name) > 0
    }

    /// Stores the hash of a new password of a device.
    package func setDevicePassword(_ name: String, hash: [UInt8]) throws {
        try run("UPDATE core_device SET hash = ? WHERE name = ?", hash, name)
    }

    /// Stores the hash of a code for a device, in place of an earlier one, and removes those that have ended.
    package func addDeviceCode(_ hash: [UInt8], for device: String, endingAt end: Instant) throws {
        try run("DELETE FROM core_device_code WHERE device = ? OR ends_at <= ?", device, now.milliseconds)
        try run(
            "INSERT INTO core_device_code (hash, device, ends_at) VALUES (?, ?, ?)", hash, device, end.milliseconds)
    }

    /// Returns the device of a code that has not ended at `moment`.
    package func device(ofCode hash: [UInt8], at moment: Instant) throws -> RegisteredDevice? {
        let name = try row(
            "SELECT device FROM core_device_code WHERE hash = ? AND ends_at > ?", hash, moment.milliseconds
        ) { $0.text(0) }
        return try name.flatMap { try registeredDevice($0) }
    }

    /// Notes that a device was here, with the program that it used.
    package func noteSeen(_ device: String, program: String) throws {
        try run("UPDATE core_device SET seen_at = ?, program = ? WHERE name = ?", now.milliseconds, program, device)
    }

    /// Keeps the address of the card of the person who has the device.
    package func setOwnCard(_ href: String?, of device: String) throws {
        try run("UPDATE core_device SET own_card = ? WHERE name = ?", href, device)
    }

    /// Returns the properties that a device has set of a collection.
    package func deviceProperties(of collection: String, on device: String) throws -> [String: String] {
        let found = try rows(
            "SELECT name, value FROM core_device_property WHERE device = ? AND collection = ?", device, collection
        ) { ($0.text(0), $0.text(1)) }
        return Dictionary(found) { $1 }
    }

    /// Sets a property of a collection for a device; nil removes it.
    package func setDeviceProperty(
        _ name: String, _ value: String?, of collection: String, on device: String
    ) throws {
        guard let value else {
            try run(
                "DELETE FROM core_device_property WHERE device = ? AND collection = ? AND name = ?", device, collection,
                name)
            return
        }
        guard try registeredDevice(device) != nil else { return }
        try run(
            """
            INSERT INTO core_device_property (device, collection, name, value) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET value = excluded.value
            """, device, collection, name, value)
    }

    /// Returns the names of the versions that a program on a device has of some items.
    package func servedVersions(
        _ names: [String], of collection: String, to device: String, _ program: String
    ) throws -> [String: String] {
        var versions: [String: String] = [:]
        for name in names {
            versions[name] = try row(
                """
                SELECT version FROM core_device_item WHERE device = ? AND program = ? AND collection = ? AND name = ?
                """, device, program, collection, name
            ) { $0.text(0) }
        }
        return versions
    }

    /// Notes the version that a program on a device has of an item. The version before is forgotten if no other device has it.
    package func noteServed(
        _ name: String, subject: String, version: String, content: [UInt8], of collection: String, to device: String,
        _ program: String
    ) throws {
        guard try registeredDevice(device) != nil else { return }
        let old = try servedVersions([name], of: collection, to: device, program)[name]
        try run(
            "INSERT INTO core_device_version (version, content) VALUES (?, ?) ON CONFLICT DO NOTHING", version, content)
        try run(
            """
            INSERT INTO core_device_item (device, program, collection, name, subject, version, given_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET subject = excluded.subject, version = excluded.version, given_at = excluded.given_at
            """, device, program, collection, name, subject, version, now.milliseconds)
        if let old, old != version { try dropVersionIfUnused(old) }
    }

    /// Returns the names of the items of a collection that a device was given before `moment`, and not since.
    package func servedNames(of collection: String, to device: String, before moment: Instant) throws -> [String] {
        try rows(
            """
            SELECT name FROM core_device_item WHERE device = ? AND collection = ? GROUP BY name HAVING max(given_at) < ?
            """, device, collection, moment.milliseconds
        ) { $0.text(0) }
    }

    /// Forgets the versions that a device has of some items.
    package func forgetServed(_ names: [String], of collection: String, to device: String) throws {
        for name in names {
            let versions = try rows(
                "SELECT version FROM core_device_item WHERE device = ? AND collection = ? AND name = ?", device,
                collection, name
            ) { $0.text(0) }
            try run(
                "DELETE FROM core_device_item WHERE device = ? AND collection = ? AND name = ?", device, collection,
                name)
            for version in versions { try dropVersionIfUnused(version) }
        }
    }

    private func dropVersionIfUnused(_ version: String) throws {
        try run(
            """
            DELETE FROM core_device_version
            WHERE version = ?1 AND NOT EXISTS (SELECT 1 FROM core_device_item WHERE version = ?1)
            """, version)
    }

    /// Deletes every copy of the content of `subjects` that is kept for devices.
    func forgetServed(of subjects: [String]) throws {
        let isUsed = try row(
            "SELECT EXISTS (SELECT 1 FROM core_device_item) OR EXISTS (SELECT 1 FROM core_device_refused)"
        ) { $0.bool(0) }
        guard isUsed ?? false else { return }
        for subject in subjects {
            let versions = try rows("SELECT DISTINCT version FROM core_device_item WHERE subject = ?", subject) {
                $0.text(0)
            }
            try run("DELETE FROM core_device_item WHERE subject = ?", subject)
            for version in versions { try dropVersionIfUnused(version) }
            try run("DELETE FROM core_device_refused WHERE subject = ?", subject)
        }
    }

    /// Returns the content of a version; nil if no device has it any more.
    package func servedContent(_ version: String) throws -> [UInt8]? {
        try row("SELECT content FROM core_device_version WHERE version = ?", version) { $0.blob(0) }
    }

    /// Returns the words that a program on a device has been seen to write.
    package func writtenWords(of device: String, _ program: String) throws -> Set<String> {
        let words = try row(
            "SELECT words FROM core_device_program WHERE device = ? AND program = ?", device, program
        ) { $0.text(0) }
        return Set((words ?? "").split(separator: " ").map(String.init))
    }

    /// Stores the words that a program on a device has been seen to write.
    package func setWrittenWords(_ words: Set<String>, of device: String, _ program: String) throws {
        try run(
            """
            INSERT INTO core_device_program (device, program, words) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET words = excluded.words
            """, device, program, words.sorted().joined(separator: " "))
    }

    /// Keeps what a device sent that was not stored as sent.
    package func keepRefused(
        _ content: [UInt8], as name: String, subject: String, of collection: String, from device: String, reason: String
    ) throws {
        try run(
            """
            INSERT INTO core_device_refused (device, collection, name, subject, at, reason, content)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, device, collection, name, subject, now.milliseconds, reason, content)
        // The newest are enough to see what happened, and a program that repeats itself fills no disk.
        try run(
            "DELETE FROM core_device_refused WHERE id <= (SELECT max(id) FROM core_device_refused) - ?",
            StoredRefusal.maximumCount)
    }

    /// Returns what was refused, the newest first.
    package func refusals() throws -> [StoredRefusal] {
        try rows(
            "SELECT id, device, collection, name, at, reason, content FROM core_device_refused ORDER BY id DESC"
        ) { row in
            StoredRefusal(
                id: row.int(0), device: row.text(1), collection: row.text(2), name: row.text(3),
                at: Instant(milliseconds: Int64(row.int(4))), reason: row.text(5), content: row.blob(6))
        }
    }
}

/// A device as it is stored.
package struct RegisteredDevice: Hashable, Sendable {
    /// The name, which is also its user name.
    package let name: String
    /// The SHA-256 of its password.
    package let hash: [UInt8]
    /// The kinds of collections that it may use.
    package let scopes: [String]
    /// Whether it may only read.
    package let isReadOnly: Bool
    /// The time when it was added.
    package let createdAt: Instant
    /// The time of its last request, to the minute; nil if there was none.
    package let seenAt: Instant?
    /// The program of that request.
    package let program: String
    /// The address of the card of the person who has it.
    package let ownCard: String?

    fileprivate static let select =
        "SELECT name, hash, scopes, read_only, created_at, seen_at, program, own_card FROM core_device"

    fileprivate init(_ row: borrowing Row) {
        name = row.text(0)
        hash = row.blob(1)
        scopes = row.text(2).split(separator: " ").map(String.init)
        isReadOnly = row.bool(3)
        createdAt = Instant(milliseconds: Int64(row.int(4)))
        seenAt = row.optionalInt(5).map { Instant(milliseconds: Int64($0)) }
        program = row.text(6)
        ownCard = row.optionalText(7)
    }
}

/// What a device sent that was not stored as sent.
package struct StoredRefusal: Hashable, Sendable {
    /// The most that are kept.
    package static let maximumCount = 1000

    /// The number.
    package let id: Int
    /// The device.
    package let device: String
    /// The address of the collection.
    package let collection: String
    /// The name of the item.
    package let name: String
    /// The time.
    package let at: Instant
    /// The reason, in words.
    package let reason: String
    /// The content as sent.
    package let content: [UInt8]
}
