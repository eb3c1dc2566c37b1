import Commands
import DictofunDomain
package import HubKit
import Storage

extension DictofunPlugin {
    /// The most records of one beginning of an id that are explained.
    private static let limit = 20

    /// Says of the records whose ids begin so where they came from: what is fetched once is never sent back, so nothing follows.
    package func explain(_ prefix: String) async throws -> [ItemExplanation] {
        let (records, devices) = try await store.read { transaction in
            (try transaction.records(beginning: prefix, limit: Self.limit), try transaction.devices())
        }
        return records.map { stored in
            let name = stored.name.isEmpty ? "record of \(stored.record.startTime)" : stored.name
            let here = stored.deletedAt == nil ? "there" : "in the trash"
            guard case .device(let address, let file) = stored.record.origin else {
                return ItemExplanation(
                    place: "the file it came from", item: name, base: "imported", here: here, there: "not looked at",
                    next: "nothing", why: "an imported file is copied once, and not looked at again")
            }
            let device = devices.first { $0.device.address == address.uppercased() }
            return ItemExplanation(
                place: "recorder \(device?.device.name ?? address)", item: name,
                base: "fetched from file \(file.text)", here: here,
                there: device == nil
                    ? "the recorder was removed here" : "told when the recorder is near: hub dictofun sync",
                next: "nothing", why: "a record is fetched once; changes of it are not sent to the recorder")
        }
    }
}
