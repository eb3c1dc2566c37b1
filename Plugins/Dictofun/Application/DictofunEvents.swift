import DictofunDomain
package import HubKit
package import Storage

/// The events that Dictofun publishes.
package enum DictofunEvents {
    /// A record was added from a recorder or a file, or restored from the trash.
    package static let recordAdded: Topic = "domain.dictofun/record-added"
    /// A record's text or tags were changed.
    package static let recordChanged: Topic = "domain.dictofun/record-changed"
    /// A record was moved to the trash.
    package static let recordRemoved: Topic = "domain.dictofun/record-removed"
    /// An engine has made a record's text.
    package static let recordTranscribed: Topic = "app.dictofun/record-transcribed"

    /// New records of a recorder are here.
    package static let recorderSynced: Topic = "app.dictofun/recorder-synced"
    /// The battery of a recorder is low; published once a day.
    package static let batteryLow: Topic = "app.dictofun/battery-low"

    /// A release of firmware is newer than that of a recorder; published once for each release.
    package static let firmwareReleased: Topic = "app.dictofun/firmware-released"

    /// The events of records as entities.
    package static let topics = EntityTopics(added: recordAdded, changed: recordChanged, removed: recordRemoved)

    /// The event declarations for the plugin descriptor.
    package static let declarations = [
        TopicDeclaration(
            recordAdded, "A record was added from a recorder or a file, or restored from the trash.",
            subject: "record id",
            fields: [name]),
        TopicDeclaration(
            recordChanged, "The text or the tags of a record were changed.", subject: "record id", fields: [name]),
        TopicDeclaration(recordRemoved, "A record was moved to the trash.", subject: "record id", fields: [name]),
        TopicDeclaration(
            recordTranscribed, "An engine has transcribed a record, for the first time or again.",
            subject: "record id",
            fields: [
                name, .init("started", .string, "The local time at which the record began, yyyy-MM-dd HH:mm:ss."),
                .init("length_ms", .integer, "The length in milliseconds."),
                .init("engine", .string, "The engine, with its model."),
                .init("language", .string, optional: true, "The language as the engine names it."),
                .init("is_rough", .boolean, "Whether the engine is known to miss many words."),
                .init("text", .string, "The beginning of the text, at most 500 bytes."),
                .init("is_whole", .boolean, "Whether that is all of the text."),
            ]),
        TopicDeclaration(
            recorderSynced, "New records were fetched from a recorder.", subject: "address of the recorder",
            fields: [
                recorder, .init("count", .integer, "The number of new records."),
                .init(
                    "notify", .object, optional: true,
                    "The title and body of a desktop notification; only if a service fetched them."),
            ]),
        TopicDeclaration(
            batteryLow, "The battery of a recorder is low. Published once a day.", subject: "address of the recorder",
            fields: [
                recorder, .init("percent", .integer, "The charge in percent."),
                .init("notify", .object, "The title and body of a desktop notification."),
            ]),
        TopicDeclaration(
            firmwareReleased,
            "A release of firmware is newer than that of a recorder. Published once for each release.",
            subject: "address of the recorder",
            fields: [
                recorder, .init("version", .string, "The version of the release."),
                .init("notify", .object, "The title and body of a desktop notification."),
            ]),
    ]

    private static let name = TopicDeclaration.Field(
        "name", .string, "The name of the record: its file, else its text.")

    private static let recorder = TopicDeclaration.Field("name", .string, "Your name for the recorder, else its own.")

    /// The event for `count` records that were fetched from a recorder.
    static func synced(_ device: Device, count: Int, isService: Bool) -> Event {
        Event(recorderSynced, subject: device.address) { body in
            body.name("name")
            body.value(String(device.name.prefix(200)))
            body.name("count")
            body.value(count)
            guard isService else { return }
            body.name("notify")
            body.object { notify in
                notify.name("title")
                notify.value("\(NumberFormat.counted(count, "new record"))")
                notify.name("body")
                notify.value("from \(device.name.prefix(200))")
            }
        }
    }

    /// The event for the low battery of a recorder, on a day.
    static func lowBattery(_ device: Device, _ level: BatteryLevel, on day: String) -> Event {
        Event(batteryLow, subject: device.address, uniqueKey: "\(device.address):\(day)") { body in
            body.name("name")
            body.value(String(device.name.prefix(200)))
            body.name("percent")
            body.value(level.percent)
            body.name("notify")
            body.object { notify in
                notify.name("title")
                notify.value("Battery low: \(device.name.prefix(200))")
                notify.name("body")
                notify.value("\(level.percent) %; nothing is fetched until it is charged")
            }
        }
    }

    /// The event for a release that is newer than the firmware of a recorder.
    static func firmwareReleased(_ version: FirmwareVersion, for device: Device) -> Event {
        let text = String(version.description.prefix(100))
        return Event(firmwareReleased, subject: device.address, uniqueKey: "\(device.address):\(text)") { body in
            body.name("name")
            body.value(String(device.name.prefix(200)))
            body.name("version")
            body.value(text)
            body.name("notify")
            body.object { notify in
                notify.name("title")
                notify.value("Firmware \(text) for \(device.name.prefix(200))")
                notify.name("body")
                notify.value("hub dictofun firmware releases shows where it is")
            }
        }
    }

    /// The longest text in an event, in bytes. The whole text is read by reference.
    private static let textLimit = 500

    /// The event for a record that was transcribed.
    static func transcribed(_ record: StoredRecord, at now: Instant) -> Event {
        let transcript = record.record.transcript
        let whole = transcript.machine?.text ?? ""
        var text = String.UnicodeScalarView()
        var size = 0
        for scalar in whole.unicodeScalars {
            size += scalar.value < 0x20 || scalar == "\"" || scalar == "\\" ? 6 : UTF8.width(scalar)
            if size > textLimit { break }
            text.append(scalar)
        }
        return Event(recordTranscribed, subject: record.id) { body in
            body.name("name")
            body.value(String(record.summary.name.prefix(500)))
            body.name("started")
            body.value(record.record.startTime.stored)
            body.name("length_ms")
            body.value(record.record.length.milliseconds)
            body.name("engine")
            body.value(String((transcript.engine ?? "").prefix(100)))
            if let language = transcript.machine?.language {
                body.name("language")
                body.value(String(language.prefix(40)))
            }
            body.name("is_rough")
            body.value(record.isRough)
            body.name("text")
            body.value(String(text))
            body.name("is_whole")
            body.value(text.count == whole.unicodeScalars.count)
        }
    }
}

extension Transaction {
    /// Emits events for records that undo or redo changed.
    package func announceRecords(_ ids: [String]) throws { try StoredRecord.kind.announce(ids, in: self) }
}
