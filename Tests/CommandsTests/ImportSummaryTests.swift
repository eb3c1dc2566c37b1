import Commands
import Testing

struct ImportSummaryTests {
    private struct Leaf: ImportedItem {
        let outcome: ImportOutcome
        let id: String
        let name: String
        var words: [String] = []
    }

    private struct Stain: ImportIssue {
        var file: String?
        var line = 7
        var column = 3
        var subject: String?
        var message = "this leaf is wet"
        var excerptLines: [String] = []
    }

    private func report(_ leaves: [Leaf], _ stains: [Stain] = []) -> ImportReport<Leaf, Stain> {
        var report = ImportReport<Leaf, Stain>()
        leaves.forEach { report.add($0) }
        report.skip(stains)
        return report
    }

    @Test func `words stand beside the names`() {
        var report = report(
            [
                Leaf(outcome: .new, id: "7kta", name: "Oolong", words: ["a", "b"]),
                Leaf(outcome: .unchanged, id: "8", name: "Sencha"), Leaf(outcome: .updated, id: "9", name: "Assam"),
            ], [Stain(file: "a.tea", subject: "Mate", excerptLines: ["|"])])
        report.itemName = "leaf"
        let told = ImportSummary(
            report, file: "box", shortIDs: ["7kta": "7kt", "9": "9"], isDryRun: false)
        #expect(
            told.lines == [
                "new      7kt  Oolong           a; b", "updated  9    Assam",
                "skipped  box/a.tea:7:3  \"Mate\": this leaf is wet", "  |",
                "  hint: fix that leaf and import the file again; nothing is imported twice",
                "box: 1 new, 1 updated, 1 unchanged, 1 skipped. Undo: hub undo",
            ])
        #expect(told.rows.map(\.outcome) == ["new", "updated", "skipped"])
        #expect(told.rows.map(\.reason) == ["a; b", nil, "this leaf is wet"])
        #expect(told.rows.map(\.line) == [nil, nil, 7] && told.hasSkipped)
    }

    @Test func `words stand below where a figure stands beside the names`() {
        var report = report([Leaf(outcome: .new, id: "", name: "Oolong", words: ["kept"])])
        report.notes = ["colours are left out"]
        let told = ImportSummary(report, file: "box", shortIDs: [:], isDryRun: true) { "\($0.name.count) cups" }
        #expect(
            told.lines == [
                "new           Oolong  6 cups", "              kept", "  colours are left out",
                "box: 1 new, 0 updated, 0 unchanged, 0 skipped. Nothing was changed",
            ])
        #expect(Output(imports: [told], fields: []).exit == .done)
    }

    @Test func `of many without remarks only the first are listed, warnings and problems always`() {
        var leaves = (0..<1234).map { Leaf(outcome: .new, id: "\($0)", name: "x") }
        leaves.insert(Leaf(outcome: .new, id: "late", name: "late", words: ["damp"]), at: 1000)
        let told = ImportSummary(
            report(leaves, Array(repeating: Stain(), count: 102)), file: "box", shortIDs: [:], isDryRun: false)
        #expect(told.lines.count == 206 && told.lines[100].hasSuffix("damp"))
        #expect(told.lines[101] == "and 1,134 more without remarks")
        #expect(
            told.lines.suffix(3) == [
                "skipped  box:7:3  this leaf is wet",
                "  hint: fix those and import the file again; nothing is imported twice",
                "box: 1,235 new, 0 updated, 0 unchanged, 102 skipped, 1 with remarks. Undo: hub undo",
            ])
        #expect(Output(imports: [told], fields: []).exit == .partly)
    }

    @Test func `a file that cannot be read is named among the others, and costs only itself`() {
        let lost = ImportReport<Leaf, Stain>(failure: HubError(.notFound, code: "gone", "cannot open lost.tea"))
        let found = report([Leaf(outcome: .new, id: "7kta", name: "Oolong")], [Stain(line: 0, message: "it is wet")])
        let told = [lost, found].enumerated().map { place, report in
            ImportSummary(report, file: place == 0 ? "lost.tea" : "box", shortIDs: ["7kta": "7kt"], isDryRun: false)
        }
        let output = Output(imports: told, fields: [])
        #expect(output.exit == .partly)
        #expect(
            output.human == [
                "skipped  cannot open lost.tea", "new      7kt  Oolong", "skipped  box  it is wet",
                "box: 1 new, 0 updated, 0 unchanged, 1 skipped",
                "2 files: 1 new, 0 updated, 0 unchanged, 1 skipped, 1 file not read. Undo: hub undo",
            ])
        let quiet = Output(imports: told, fields: [], isQuiet: true)
        #expect(quiet.human == ["skipped  cannot open lost.tea", "skipped  box  it is wet"])
        #expect(HubError(unread: [lost, found]) == nil)
        #expect(HubError(unread: [lost])?.code == "gone")
        let none = HubError(unread: [lost, lost])
        #expect(none?.kind == .invalid && none?.details == ["cannot open lost.tea", "cannot open lost.tea"])
    }

    @Test func `unchanged items have rows where an import keeps them`() {
        var report = ImportReport<Leaf, Stain>(keepsAll: true, keepsUnchanged: true)
        report.add(Leaf(outcome: .unchanged, id: "z", name: "x"))
        report.add(Leaf(outcome: .new, id: "y", name: "x"))
        let told = ImportSummary(report, file: "box", shortIDs: [:], isDryRun: false)
        #expect(told.rows.map { $0.item?.id } == ["z", "y"] && told.rows[0].outcome == "unchanged")
        #expect(told.lines.last == "box: 1 new, 0 updated, 1 unchanged, 0 skipped. Undo: hub undo")
    }

    @Test func `a program gets every row, and the counts of each file`() {
        var report = ImportReport<Leaf, Stain>(keepsAll: true)
        for number in 0..<250 { report.add(Leaf(outcome: .new, id: "\(number)", name: "x")) }
        report.add(Leaf(outcome: .unchanged, id: "z", name: "x"))
        report.skip(Array(repeating: Stain(), count: 120))
        let told = ImportSummary(report, file: "box", shortIDs: [:], isDryRun: false)
        #expect(told.rows.count == 370 && told.lines.count == 372)
        let fields = ImportReportRow<Leaf>.fields(.init(id: "", name: "", line: "", reason: ""))
        guard case .rows(let rows) = Output(imports: [told], fields: fields, counts: true).body else {
            Issue.record("an import gives rows")
            return
        }
        #expect(rows.count == 371 && rows.value(370, 0) == .text("total"))
        let counts = [("new", 250), ("updated", 0), ("unchanged", 1), ("skipped", 120)]
        #expect(rows.value(370, fields.count - 1) == .object(counts.map { .init($0.0, .integer($0.1)) }))
    }
}
