import HubKit
import Testing

struct ImportTellingTests {
    private struct Leaf: ImportedItem {
        let outcome: ImportOutcome
        let id: String
        let name: String
        var words: [String] = []
    }

    private struct Stain: ImportFault {
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
        let told = ImportTelling(
            report(
                [
                    Leaf(outcome: .new, id: "7kta", name: "Oolong", words: ["a", "b"]),
                    Leaf(outcome: .unchanged, id: "8", name: "Sencha"), Leaf(outcome: .updated, id: "9", name: "Assam"),
                ], [Stain(file: "a.tea", subject: "Mate", excerptLines: ["|"])]),
            file: "box", thing: "leaf", shortIDs: ["7kta": "7kt", "9": "9"], isDryRun: false)
        #expect(
            told.lines == [
                "new      7kt  Oolong           a; b", "updated  9    Assam",
                "skipped  box/a.tea:7:3  \"Mate\": this leaf is wet", "  |",
                "  hint: mend that leaf and import the file again; the others stay as they are",
                "box: 1 new, 1 updated, 1 unchanged, 1 skipped. Undo: hub undo",
            ])
        #expect(told.rows.map(\.outcome) == ["new", "updated", "skipped"])
        #expect(told.rows.map(\.reason) == ["a; b", nil, "this leaf is wet"])
        #expect(told.rows.map(\.line) == [nil, nil, 7] && told.hasSkipped)
    }

    @Test func `words stand below where a figure stands beside the names`() {
        var report = report([Leaf(outcome: .new, id: "", name: "Oolong", words: ["kept"])])
        report.notes = ["colours are left out"]
        let told = ImportTelling(report, file: "box", shortIDs: [:], isDryRun: true) { "\($0.name.count) cups" }
        #expect(
            told.lines == [
                "new           Oolong  6 cups", "              kept", "  colours are left out",
                "box: 1 new, 0 updated, 0 unchanged, 0 skipped. Nothing was changed",
            ])
        #expect(Output(imports: [told], fields: []).exit == .done)
    }

    @Test func `of many only the first are told`() {
        let leaves = (0..<1234).map { Leaf(outcome: .new, id: "\($0)", name: "x") }
        let told = ImportTelling(
            report(leaves, Array(repeating: Stain(), count: 102)), file: "box", shortIDs: [:], isDryRun: false)
        #expect(told.lines.count == 204 && told.lines[100] == "and 1,134 more")
        #expect(
            told.lines.suffix(3) == [
                "and 2 more that were skipped",
                "  hint: mend those and import the file again; the others stay as they are",
                "box: 1,234 new, 0 updated, 0 unchanged, 102 skipped. Undo: hub undo",
            ])
        #expect(Output(imports: [told], fields: []).exit == .partly)
    }
}
