import DAVServer
import HubKit
import Storage
import Sync

/// The calendars of other programs, which devices make and fill: what is in them is kept byte for byte, with history and undo.
struct KeptCalendars: DAVCalendars {
    private let store: Store

    init(_ database: Database) { store = database.store(for: "core") }

    /// The calendars as collections.
    func collections() async throws -> [DAVCollection] {
        try await store.read { try $0.keptCalendars() }.map { calendar in
            DAVCollection(
                .calendar(calendar.components), id: calendar.name, title: calendar.name,
                items: KeptCalendarItems(store: store, calendar: calendar))
        }
    }

    func make(
        _ name: String, components: [String], properties: [String: String], by author: ServedAuthor
    ) async throws -> Bool {
        try await store.write(Operation(author, of: "calendars")) { transaction in
            var calendar = KeptCalendar(id: Identifier.make(), name: name, components: components)
            calendar.properties = properties
            return try transaction.insert(calendar)
        }
    }

    func remove(_ name: String, by author: ServedAuthor) async throws {
        try await store.write(Operation(author, of: "calendars")) { transaction in
            guard let calendar = try transaction.keptCalendars().first(where: { $0.name == name }) else { return }
            try transaction.removeKeptCalendar(calendar.id)
        }
    }

    func properties(of name: String) async throws -> [String: String] {
        try await store.read { try $0.keptCalendars().first { $0.name == name }?.properties ?? [:] }
    }

    func setProperties(_ properties: [String: String?], of name: String, by author: ServedAuthor) async throws {
        try await store.write(Operation(author, of: "calendars")) { transaction in
            guard let calendar = try transaction.keptCalendars().first(where: { $0.name == name }) else { return }
            for (key, value) in properties { try transaction.setProperty(key, value, ofCalendar: calendar.id) }
        }
    }
}

/// The items of one of them.
struct KeptCalendarItems: ServedCollection {
    let store: Store
    let calendar: KeptCalendar

    func state() async throws -> ServedState {
        try await store.read { [calendar] transaction in
            // A calendar that is made again under the same name is another one.
            ServedState(
                epoch: String(try transaction.replica().prefix(16)) + calendar.id.prefix(8),
                number: try transaction.keptNumber(calendar.id))
        }
    }

    func count() async throws -> Int { try await store.read { [calendar] in try $0.keptCount(in: calendar.id) } }

    func entries(after name: String?, limit: Int) async throws -> [ServedEntry] {
        try await store.read { [calendar] in
            try $0.keptItems(in: calendar.id, after: name ?? "", limit: limit).map(ServedEntry.init)
        }
    }

    func changes(after number: Int, upTo last: Int, limit: Int) async throws -> [ServedChange] {
        try await store.read { [calendar] in
            try $0.keptChanges(in: calendar.id, after: number, upTo: last, limit: limit).map {
                ServedChange(number: $0.number, name: $0.name, isGone: $0.isGone)
            }
        }
    }

    func items(named names: [String]) async throws -> [ServedItem] {
        try await store.read { [calendar] transaction in
            try names.compactMap { name in
                try transaction.keptItem(name, in: calendar.id).map { ServedItem(ServedEntry($0), content: $0.content) }
            }
        }
    }

    func entries(named names: [String]) async throws -> [ServedEntry] {
        try await store.read { [calendar] transaction in
            try names.compactMap { name in
                try transaction.keptItem(name, in: calendar.id, withContent: false).map(ServedEntry.init)
            }
        }
    }

    func put(_ put: ServedPut) async throws -> ServedPutResult {
        let uid: String
        switch CalendarObject.read(put.content, allowing: calendar.components) {
        case .uid(let found): uid = found
        case .refused(let result): return result
        }
        let etag = String(try BlobStore.id(of: put.content).text.prefix(32))
        return try await store.write(Operation(put.author, of: "calendars")) { [calendar] transaction in
            let name = put.name ?? "\(Identifier.make()).ics"
            let old = try transaction.keptItem(name, in: calendar.id)
            guard put.condition.holds(for: old.map(ServedEntry.init)), !(put.keepsStored && old != nil) else {
                return .refused(old.map(ServedEntry.init))
            }
            if let old, old.uid != uid { return .otherUID }
            if old == nil, let other = try transaction.keptName(ofUID: uid, in: calendar.id) { return .sameUID(other) }
            if let old, old.content == put.content {
                return .stored(ServedPutReport(ServedEntry(old), content: old.content))
            }
            let item = KeptItem(
                id: old?.id ?? Identifier.make(), calendar: calendar.id, name: name, uid: uid, etag: etag)
            try transaction.save(item, content: put.content)
            guard let stored = try transaction.keptItem(name, in: calendar.id) else { return .refused(nil) }
            var report = ServedPutReport(ServedEntry(stored), content: stored.content)
            (report.isNew, report.isChanged) = (old == nil, true)
            return .stored(report)
        }
    }

    func remove(
        _ name: String, if condition: ServedCondition, by author: ServedAuthor
    ) async throws -> ServedRemoval {
        try await store.write(Operation(author, of: "calendars")) { [calendar] transaction in
            guard let item = try transaction.keptItem(name, in: calendar.id, withContent: false) else {
                return .missing
            }
            guard condition.holds(for: ServedEntry(item)) else { return .refused(ServedEntry(item)) }
            try transaction.removeKeptItem(item.id)
            return .removed
        }
    }

    func renumber(_ name: String) async throws {
        try await store.write(Operation("devices calendars", who: .service("devices"), kind: .cache)) {
            [calendar] transaction in
            guard let item = try transaction.keptItem(name, in: calendar.id, withContent: false) else { return }
            try transaction.renumberKeptItem(item.id)
        }
    }
}

extension ServedEntry {
    fileprivate init(_ item: KeptItem) {
        self.init(
            name: item.name, id: item.id, etag: item.etag, length: item.length,
            changedAt: item.changedAt.milliseconds)
    }
}
