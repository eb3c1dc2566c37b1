import SQLite
import Storage
import Testing
import Text

/// Documents as bytes, and their merges.
struct DocumentTests {
    private let kind = DocumentKind(
        "pots", noun: ("pot", "pots"),
        tables: [
            DocumentTable(
                "tea_pot", subject: "id", rules: ["changed": .greatest, "deleted": .trash],
                groups: [["from", "to"]]),
            DocumentTable("tea_rule", subject: "pot", whole: "rules"), DocumentTable("tea_tag", subject: "pot"),
        ])

    /// A pot with a name, further values, rules and tags.
    private func pot(
        _ name: String, _ values: [String: Value] = [:], rules: [Int] = [], tags: [String] = []
    ) -> Document {
        var document = Document()
        var row: Document.Row = [
            "name": .init(.text(name)), "changed": .init(.integer(1)), "deleted": .init(.null),
            "from": .init(.integer(1)),
            "to": .init(.integer(9)),
        ]
        for (column, value) in values { row[column] = .init(value) }
        document.tables["tea_pot"] = [ByteString("[]"): row]
        for rule in rules { document.tables["tea_rule", default: [:]][ByteString("[\(rule)]")] = [:] }
        for tag in tags { document.tables["tea_tag", default: [:]][ByteString("[\"\(tag)\"]")] = [:] }
        return document
    }

    private func merge(_ base: Document?, _ ours: Document, _ theirs: Document) throws -> DocumentMerge {
        try DocumentMerge(kind, base: base, ours: ours, theirs: theirs)
    }

    @Test func `a document is the same after it was bytes, to the last bit`() throws {
        let document = pot(
            "Gda\u{301}n\u{0}\n",
            [
                "a": .real(0.1 + 0.2), "b": .real(-0.0), "c": .integer(.min), "d": .blob([0xFF, 0]),
                "e": .blob(Array("x".utf8)),
                "f": .real(1e300), "g": .text(""), "h": .null,
            ])
        let read = try Document(document.bytes)
        #expect(read == document)
        #expect(read.bytes == document.bytes)
        #expect(pot("\u{E1}") != pot("a\u{301}"), "texts are compared by their bytes")
        for bad in [
            "", "[]", "{}", #"{"rows":{},"v":2}"#, #"{"rows":{"a":1},"v":1}"#,
            #"{"rows":{"a":{"[]":{"b":1.5}}},"v":1}"#,
            #"{"rows":{"a":{"[]":{"b":{"r":"nan"}}}},"v":1}"#, #"{"rows":{"a":{"[]":{"b":true}}},"v":1}"#,
        ] {
            #expect(throws: DocumentProblem.self, "\(bad)") { try Document(Array(bad.utf8)) }
        }
    }

    @Test func `a value that only one machine has is in no document, and one that is gone is taken out`() throws {
        let kind = DocumentKind(
            "pots", tables: [DocumentTable("tea_pot", subject: "id", rules: ["shelf": .beginning("own:")])])
        func pot(_ shelf: String?, name: String = "A") -> Document {
            var document = Document()
            document.tables["tea_pot"] = [ByteString("[]"): ["name": .init(.text(name))]]
            document.tables["tea_pot"]?[ByteString("[]")]?["shelf"] = shelf.map { .init(.text($0)) }
            return document
        }
        func merge(_ base: String?, _ ours: Document, _ theirs: Document) throws -> DocumentMerge {
            try DocumentMerge(kind, base: pot(base), ours: ours, theirs: theirs)
        }
        #expect(try merge("own:a", pot(nil), pot("own:a", name: "B")).document == pot(nil, name: "B"))
        #expect(try merge("own:a", pot("own:a", name: "B"), pot(nil)).document == pot(nil, name: "B"))
        #expect(try merge(nil, pot("own:a"), pot(nil, name: "B")).document == pot("own:a", name: "B"))
        let conflict = try merge(nil, pot("own:a"), pot("own:b"))
        #expect(conflict.document == pot("own:b") && conflict.lost == ["shelf \"own:a\", now \"own:b\""])
        #expect(try merge("own:a", pot("own:b"), pot(nil)).lost == ["shelf \"own:b\", now nothing"])
        #expect(pot("own:a").differences(from: pot(nil), kind) == ["shelf"])
    }

    @Test func `what one side changed is taken from it, and of a conflict the home's`() throws {
        let base = pot("A", rules: [1, 2], tags: ["x", "y"])
        let ours = pot("B", ["changed": .integer(5)], rules: [1, 2], tags: ["y", "z"])
        let theirs = pot("A", ["changed": .integer(4), "from": .integer(2)], rules: [3], tags: ["x", "y", "w"])
        let merged = try merge(base, ours, theirs)
        #expect(
            merged.document
                == pot("B", ["changed": .integer(5), "from": .integer(2)], rules: [3], tags: ["y", "z", "w"]))
        #expect(merged.lost == [] && !merged.comesBack)
        let both = try merge(base, ours, pot("C", rules: [1, 2], tags: ["x", "y"]))
        #expect(both.lost == ["name \"B\", now \"C\""])
        // A range of which each side has moved one end is not one of two that somebody chose.
        let range = try merge(pot("A"), pot("A", ["from": .integer(3)]), pot("A", ["to": .integer(5)]))
        #expect(range.document == pot("A", ["to": .integer(5)]))
        #expect(range.lost == ["from 3, now 1", "to 9, now 5"])
        let rules = try merge(pot("A", rules: [1]), pot("A", rules: [1, 2]), pot("A", rules: [3]))
        #expect(rules.document == pot("A", rules: [3]) && rules.lost == ["rules of this machine"])
        // Without a base nothing is removed.
        let union = try merge(nil, pot("A", rules: [1], tags: ["x"]), pot("A", tags: ["y"]))
        #expect(union.document == pot("A", rules: [1], tags: ["x", "y"]))
    }

    @Test func `a change beats the trash, and the trash beats nothing else`() throws {
        let base = pot("A")
        let trashed = pot("A", ["deleted": .integer(7), "changed": .integer(7)])
        let edited = pot("B", ["changed": .integer(3)])
        for (ours, theirs) in [(trashed, edited), (edited, trashed)] {
            let merged = try merge(base, ours, theirs)
            #expect(merged.comesBack)
            #expect(merged.document == pot("B", ["changed": .integer(7)]))
        }
        #expect(try merge(base, trashed, pot("A", ["changed": .integer(2)])).document == trashed)
        // Deleted for good there: gone if it is in the trash here, else it comes back when it was changed.
        #expect(try merge(base, base, Document()).document.isEmpty)
        #expect(try merge(base, trashed, Document()).document.isEmpty)
        let back = try merge(base, edited, Document())
        #expect(back.document == edited && back.comesBack)
        #expect(try merge(base, Document(), edited).document == edited)
    }
}
