package import DictofunDomain
import SQLite
package import Storage

/// The recorders, and the files of theirs that are here.
extension Transaction {
    /// Returns all recorders that were ever paired, the one that was heard last first.
    package func devices() throws -> [StoredDevice] {
        try rows(
            """
            SELECT address, name, alias, is_paired, battery, storage_free, storage_used, storage_files, firmware, seen_at,
                synced_at FROM dictofun_device ORDER BY seen_at DESC, address
            """
        ) { row in
            var storage: DeviceStorage?
            if let free = row.optionalInt(5), let used = row.optionalInt(6), let files = row.optionalInt(7) {
                storage = DeviceStorage(free: free, occupied: used, fileCount: files)
            }
            let device = Device(
                address: row.text(0), advertisedName: row.text(1), alias: row.optionalText(2), isPaired: row.bool(3),
                battery: row.optionalInt(4).flatMap(BatteryLevel.init(percent:)), storage: storage,
                firmware: row.optionalText(8).flatMap { FirmwareVersion($0) })
            return StoredDevice(
                device: device, seenAt: row.optionalInt(9).map { Instant(milliseconds: Int64($0)) },
                syncedAt: row.optionalInt(10).map { Instant(milliseconds: Int64($0)) })
        }
    }

    /// Stores what a recorder reported, or with `isHeard` false what the user entered; other values stay as they were.
    package func saveDevice(_ device: Device, isHeard: Bool = true, isSynced: Bool = false) throws {
        try run(
            """
            INSERT INTO dictofun_device (address, name, alias, is_paired, battery, storage_free, storage_used, storage_files,
                firmware, seen_at, synced_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            ON CONFLICT (address) DO UPDATE SET name = excluded.name, alias = coalesce(excluded.alias, alias),
                is_paired = excluded.is_paired, battery = coalesce(excluded.battery, battery),
                storage_free = coalesce(excluded.storage_free, storage_free),
                storage_used = coalesce(excluded.storage_used, storage_used),
                storage_files = coalesce(excluded.storage_files, storage_files),
                firmware = coalesce(excluded.firmware, firmware),
                seen_at = coalesce(excluded.seen_at, seen_at),
                synced_at = coalesce(excluded.synced_at, synced_at)
            """, device.address.uppercased(), device.advertisedName, device.alias, device.isPaired,
            device.battery?.percent,
            device.storage?.free, device.storage?.occupied, device.storage?.fileCount, device.firmware?.description,
            isHeard ? now.milliseconds : nil, isSynced ? now.milliseconds : nil)
    }

    /// Removes a recorder. Its records and the list of its files stay.
    package func removeDevice(_ address: String) throws {
        try run("DELETE FROM dictofun_device WHERE address = ?", address.uppercased())
    }

    /// Returns the files of a recorder that are not fetched again: those that are here, in the trash, or destroyed.
    package func inventory(of address: String) throws -> FTSEngine.Inventory {
        var inventory = FTSEngine.Inventory()
        try scan(
            """
            SELECT remote, size FROM dictofun_record WHERE device = ?1
            UNION ALL SELECT remote, size FROM dictofun_file WHERE device = ?1
            """, address.uppercased()
        ) { row in
            guard let id = FileID(text: row.text(0)) else { return true }
            if id.isFallback { inventory.fallbackSizes.insert(row.int(1)) } else { inventory.ids.insert(id) }
            return true
        }
        return inventory
    }
}
