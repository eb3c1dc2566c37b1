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
        RecordTranscribed.event.declaration, RecorderSynced.event.declaration, BatteryLow.event.declaration,
        FirmwareReleased.event.declaration,
    ]

    private static let name = TopicDeclaration.Field(
        "name", .string, "The name of the record: its file, else its text.")
}

/// The body of `app.dictofun/record-transcribed`.
struct RecordTranscribed: EventBody {
    var name: String
    var started: String
    var lengthMilliseconds: Int
    var engine: String
    var language: String?
    var isRough: Bool
    var text: String
    var isWhole: Bool

    static let example = RecordTranscribed(
        name: "memo", started: "2026-11-20 09:41:00", lengthMilliseconds: 130_000, engine: "whisper ggml-base.bin",
        language: "en", isRough: false, text: "Call the plumber about the boiler before Monday.", isWhole: true)

    static let event = EventType(
        "app.dictofun/record-transcribed", "An engine has transcribed a record, for the first time or again.",
        subject: "record id", like: "3re9d2m2qwz5v8rjh41x",
        fields: [
            EventField("name", \RecordTranscribed.name, upTo: 500, "The name of the record: its file, else its text."),
            EventField(
                "started", \RecordTranscribed.started, "The local time at which the record began, yyyy-MM-dd HH:mm:ss."),
            EventField("length_ms", \RecordTranscribed.lengthMilliseconds, "The length in milliseconds."),
            EventField("engine", \RecordTranscribed.engine, upTo: 100, "The engine, with its model."),
            EventField("language", \RecordTranscribed.language, upTo: 40, "The language as the engine names it."),
            EventField("is_rough", \RecordTranscribed.isRough, "Whether the engine is known to miss many words."),
            EventField("text", \RecordTranscribed.text, "The beginning of the text, at most 500 bytes."),
            EventField("is_whole", \RecordTranscribed.isWhole, "Whether that is all of the text."),
        ])

    /// The longest text in an event, in bytes. The whole text is read by reference.
    private static let textLimit = 500

    /// Returns the event for a record that was transcribed.
    static func make(_ record: StoredRecord) -> Event {
        let transcript = record.record.transcript
        let whole = transcript.machine?.text ?? ""
        var text = String.UnicodeScalarView()
        var size = 0
        for scalar in whole.unicodeScalars {
            size += scalar.value < 0x20 || scalar == "\"" || scalar == "\\" ? 6 : UTF8.width(scalar)
            if size > textLimit { break }
            text.append(scalar)
        }
        return event(
            RecordTranscribed(
                name: record.summary.name, started: record.record.startTime.stored,
                lengthMilliseconds: record.record.length.milliseconds, engine: transcript.engine ?? "",
                language: transcript.machine?.language, isRough: record.isRough, text: String(text),
                isWhole: text.count == whole.unicodeScalars.count), of: record.id)
    }
}

/// The body of `app.dictofun/recorder-synced`.
struct RecorderSynced: EventBody {
    var name: String
    var count: Int
    var notify: EventNotification?

    static let example = RecorderSynced(
        name: "desk", count: 2, notify: EventNotification("2 new records", "from desk"))

    static let event = EventType(
        "app.dictofun/recorder-synced", "New records were fetched from a recorder.", subject: "address of the recorder",
        like: "C0:DE:00:00:00:01",
        fields: [
            EventField("name", \RecorderSynced.name, upTo: 200, "Your name for the recorder, else its own."),
            EventField("count", \RecorderSynced.count, "The number of new records."),
            EventField(
                "notify", \RecorderSynced.notify,
                "The title and body of a desktop notification; only if a service fetched them."),
        ])

    /// Returns the event for `count` records that were fetched from a recorder.
    static func make(_ device: Device, count: Int, isService: Bool) -> Event {
        let notification = EventNotification(
            NumberFormat.counted(count, "new record"), "from \(device.name.prefix(200))")
        return event(
            RecorderSynced(name: device.name, count: count, notify: isService ? notification : nil), of: device.address)
    }
}

/// The body of `app.dictofun/battery-low`.
struct BatteryLow: EventBody {
    var name: String
    var percent: Int
    var notify: EventNotification

    static let example = BatteryLow(
        name: "desk", percent: 12,
        notify: EventNotification("Battery low: desk", "12 %; nothing is fetched until it is charged"))

    static let event = EventType(
        "app.dictofun/battery-low", "The battery of a recorder is low. Published once a day.",
        subject: "address of the recorder", like: "C0:DE:00:00:00:01",
        fields: [
            EventField("name", \BatteryLow.name, upTo: 200, "Your name for the recorder, else its own."),
            EventField("percent", \BatteryLow.percent, "The charge in percent."),
            EventField("notify", \BatteryLow.notify, "The title and body of a desktop notification."),
        ])

    /// Returns the event for the low battery of a recorder, on a day.
    static func make(_ device: Device, _ level: BatteryLevel, on day: String) -> Event {
        let notification = EventNotification(
            "Battery low: \(device.name.prefix(200))", "\(level.percent) %; nothing is fetched until it is charged")
        return event(
            BatteryLow(name: device.name, percent: level.percent, notify: notification), of: device.address,
            once: "\(device.address):\(day)")
    }
}

/// The body of `app.dictofun/firmware-released`.
struct FirmwareReleased: EventBody {
    var name: String
    var version: String
    var notify: EventNotification

    static let example = FirmwareReleased(
        name: "desk", version: "1.5",
        notify: EventNotification("Firmware 1.5 for desk", "hub dictofun firmware releases shows where it is"))

    static let event = EventType(
        "app.dictofun/firmware-released",
        "A release of firmware is newer than that of a recorder. Published once for each release.",
        subject: "address of the recorder", like: "C0:DE:00:00:00:01",
        fields: [
            EventField("name", \FirmwareReleased.name, upTo: 200, "Your name for the recorder, else its own."),
            EventField("version", \FirmwareReleased.version, upTo: 100, "The version of the release."),
            EventField("notify", \FirmwareReleased.notify, "The title and body of a desktop notification."),
        ])

    /// Returns the event for a release that is newer than the firmware of a recorder.
    static func make(_ version: FirmwareVersion, for device: Device) -> Event {
        let text = String(version.description.prefix(100))
        let notification = EventNotification(
            "Firmware \(text) for \(device.name.prefix(200))", "hub dictofun firmware releases shows where it is")
        return event(
            FirmwareReleased(name: device.name, version: text, notify: notification), of: device.address,
            once: "\(device.address):\(text)")
    }
}

extension Transaction {
    /// Emits events for records that undo or redo changed.
    package func announceRecords(_ ids: [String]) throws { try StoredRecord.kind.announce(ids, in: self) }
}
