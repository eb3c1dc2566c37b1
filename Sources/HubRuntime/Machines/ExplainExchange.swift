import Commands
import HTTPClient
import HubKit
import Storage

extension ItemExplanation {
    /// Five lines for people.
    var lines: [String] {
        [
            "\(item) and \(place): \(next)", "  why    \(why)", "  base   \(base)", "  here   \(here)",
            "  there  \(there)",
        ].map { TerminalSanitizer.line($0) }
    }
}

extension MachinePairs {
    /// The most documents of one item that are explained.
    private static let limit = 50

    /// Explains an item, given as `plugin:id`, whose id may be a beginning. The other machines are asked what they have, and nothing is
    /// exchanged.
    func explain(
        _ reference: String, over open: ((_ machine: String) -> (any MachineLink)?)? = nil
    ) async throws -> [ItemExplanation] {
        let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw HubError(
                .usage, code: "no-reference", "\"\(TerminalSanitizer.line(reference))\" is not an item",
                hint: "use plugin:id, such as contacts:7kt; hub search shows ids")
        }
        let database = try hub.database()
        let plugin = try hub.descriptor(named: parts[0])
        let store = database.store(for: "core")
        try await MachineHome.refresh(store)
        var explanations: [ItemExplanation] = []
        let (documents, spokes) = try await store.read { transaction in
            (
                try transaction.documents(of: plugin.id, beginning: parts[1], limit: Self.limit),
                try transaction.spokes()
            )
        }
        for machine in try await machines() {
            let own = open == nil ? try? link(to: machine.name) : nil
            let link: (any MachineLink)? = open?(machine.name) ?? own
            for (kind, name) in documents.prefix(Self.limit) {
                explanations.append(try await explain(name, kind, machine.name, link, store))
            }
            await own?.client.close()
        }
        for spoke in spokes {
            explanations += documents.map { kind, name in
                ItemExplanation(
                    place: spoke.device, item: Self.item(name, kind), base: "known there", here: "the newest",
                    there: "known there", next: "\(spoke.device) takes what is new, and merges",
                    why: "it has joined this machine, and asks for changes")
            }
        }
        explanations += try await MachineExchanges(hub).explain(plugin.id, parts[1], machines())
        return explanations
    }

    private static func item(_ name: String, _ kind: DocumentKind) -> String { "\(kind.id)/\(name)" }

    private func explain(
        _ name: String, _ kind: DocumentKind, _ machine: String, _ link: (any MachineLink)?, _ store: Store
    ) async throws -> ItemExplanation {
        let (ours, item, held) = try await store.read { transaction in
            (
                try transaction.document(name, of: kind),
                try transaction.machineItem(kind.id, local: name, at: machine),
                try transaction.heldDocuments(of: machine).first { $0.isOpen && $0.kind == kind.id && $0.name == name }
            )
        }
        let base = try item.flatMap { $0.etag.isEmpty ? Document() : try $0.content.map { try Document($0) } }
        var theirs: Document?
        var failure: String?
        if let link {
            do {
                theirs = try await MachineMessage.document(
                    of: link.ask("document", MachineMessage.object([("kind", kind.id), ("name", item?.name ?? name)])))
            } catch let error as HubError {
                failure = error.message
            }
        } else {
            failure = "its password is not beside this store"
        }
        return ItemExplanation(
            place: machine, item: Self.item(name, kind),
            base: item.map { $0.etag.isEmpty ? "gone on both" : "version \($0.etag.prefix(8))" } ?? "never exchanged",
            here: Self.words(ours, base, kind), there: theirs.map { Self.words($0, base, kind) } ?? "not known",
            next: Self.next(kind, base, ours, theirs, held).next,
            why: failure.map { "\(machine) was not asked: \($0)" } ?? Self.next(kind, base, ours, theirs, held).why)
    }

    private static func words(_ document: Document, _ base: Document?, _ kind: DocumentKind) -> String {
        guard let base else { return document.isEmpty ? "not there" : "there" }
        let differences = document.differences(from: base, kind)
        return differences.isEmpty ? "as it was" : differences.joined(separator: ", ")
    }

    private static func next(
        _ kind: DocumentKind, _ base: Document?, _ ours: Document, _ theirs: Document?, _ held: HeldDocument?
    ) -> (next: String, why: String) {
        if let held { return ("waits", held.reason) }
        guard let theirs else {
            return ours == base ? ("nothing from here", "it is as it was") : ("is sent", "it was changed here")
        }
        if ours == theirs { return ("nothing", "both are the same") }
        if ours == base { return ("is taken from there", "only the other machine has changed it") }
        if theirs == base { return ("is sent", "only this machine has changed it") }
        guard let merge = try? DocumentMerge(kind, base: base, ours: ours, theirs: theirs) else {
            return ("waits", "the two versions cannot be merged")
        }
        if merge.comesBack { return ("comes back", "one side removed it, the other has changed it, which counts more") }
        if merge.lost.isEmpty { return ("both are merged", "they have changed different values") }
        return (
            "both are merged",
            "both have changed the same value; that of the other machine counts: \(merge.lost.joined(separator: "; "))"
        )
    }
}
