import Commands
import HubKit
import Storage

/// `hub join`: makes this hub the second machine of the same person.
enum JoinCommand {
    private static let line = Argument<String>(
        "LINE", help: "the line that hub devices add NAME --hub has printed there")

    static let command = Command(
        "join", summary: "keep this machine in step with another one of yours",
        discussion: [
            "On the other machine: hub devices add NAME --hub. It prints the line, for one machine and ten minutes. From then on "
                + "contacts, tasks, notes, records, trades, watchlists and alerts are the same on both; hub serve sends and fetches changes.",
            "What both have already is joined; nothing is removed. hub undo OPERATION on either machine takes the first exchange back.",
        ],
        examples: [
            Example("hub join LINE -n", "say what both machines have, and change nothing"),
            Example("hub join LINE", "join, and exchange for the first time"),
        ], prominence: .full, parameters: [line], fields: SyncResult.fields, changes: true
    ) { (hub: Hub, input: Input) in
        guard let line = JoinLine(input[line]) else {
            throw HubError(
                .invalid, code: "bad-line", "this is not a line of hub devices add",
                hint: "quote it: hub join 'https://desk.local:4843/#join=laptop.CODE'")
        }
        let pairs = MachinePairs(hub)
        let plan = try await pairs.look(by: line)
        if let known = try await pairs.machines().first(where: { $0.replica == plan.replica || $0.name == plan.machine }
        ) {
            throw HubError(
                .conflict, code: "joined", "this machine has joined \(known.name) already",
                hint: "hub sync exchanges now; hub machines rm \(known.name) ends it")
        }
        if input.dryRun { return .text(plan.lines + ["Nothing was changed"]) }
        await input.console.show(plan.lines)
        guard
            try await input.confirm(
                "Join \(plan.machine)?", consequence: "this machine would be joined with \(plan.machine)")
        else { return .cancelled }
        let start = hub.clock.monotonicNow
        let (access, machine, replica) = try await pairs.pair(by: line)
        try await pairs.join(machine, access, replica: replica)
        let report = try await pairs.sync(machine)
        let result = try await pairs.result(report, of: machine, hub.clock.monotonicNow - start)
        var output = try SyncResult.output([result], empty: Diagnostic("Nothing to exchange"))
        output.notes.append(Diagnostic("\(access.user) and \(machine) are in step"))
        if try Daemon.holder(hub) == nil {
            output = output.noting(
                .warning("hub serve is not running, so only hub sync exchanges", code: "not-served", hint: "hub serve"))
        }
        return output
    }
}
