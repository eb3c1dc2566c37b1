import Commands

/// `hub doctor`: checks everything and says what to do.
enum DoctorCommand {
    private static let fix = Flag("fix", help: "fix what can be fixed safely")

    private static let fields = [
        Field<CheckResult>("part", "PART", help: "hub, or the name of a plugin") { .text($0.part) },
        Field<CheckResult>("check", "CHECK", help: "name of the check") { .text($0.title) },
        Field<CheckResult>("state", "STATE", help: "result: ok, warn or fail", tone: { tone($0.state) }) {
            .text($0.state)
        },
        Field<CheckResult>("finding", "FINDING", help: "details") { .text($0.text) },
        Field<CheckResult>("remedy", "REMEDY", help: "suggested fix", column: .onRequest) { FieldValue($0.remedy) },
    ]

    static let command = Command(
        "doctor", summary: "check for problems and suggest fixes",
        examples: [
            Example("hub doctor", "look"), Example("hub doctor --fix", "fix what can be fixed safely"),
        ], prominence: .more, parameters: [fix], fields: fields, changes: true
    ) { (hub: Hub, input: Input) in
        let found = await Doctor(hub).run(fixing: input[fix] && !input.dryRun)
        var output = Output.list(found, fields)
        for diagnosis in found where diagnosis.state != "ok" && !diagnosis.isConsequence {
            output.notes.append(.warning("\(diagnosis.title): \(diagnosis.text)", hint: diagnosis.remedy))
        }
        if found.contains(where: { $0.state == "fail" }) { output.exit = .no }
        return output
    }

    private static func tone(_ state: String) -> TextStyle {
        switch state {
        case "ok": .good
        case "warn": .warning
        default: .bad
        }
    }
}
