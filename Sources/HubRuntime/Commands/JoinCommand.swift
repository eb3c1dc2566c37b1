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
        guard try await pairs.replica() != plan.replica else {
            throw HubError(
                .usage, code: "same-store", "the line is for another machine: this is the store that has printed it",
                hint:
                    "run it on \(line.name); where all of the disk was copied, hub backup FILE and hub restore FILE come first"
            )
        }
        let machines = try await pairs.machines()
        let known = machines.first { $0.replica == plan.replica } ?? machines.first { $0.name == plan.machine }
        var lines = plan.lines
        if let known {
            // One that was restored refuses the password; another one of its name does not answer there.
            let status = await pairs.status(of: known.name)
            guard known.replica == plan.replica ? status != 200 : [401, 403].contains(status) else {
                throw HubError(
                    .conflict, code: "joined", "this machine has joined \(known.name) already",
                    hint: "hub sync exchanges now; hub machines rm \(known.name) ends it")
            }
            lines.append("this machine has joined \(known.name) before, and goes on from there with a new password")
        }
        if input.dryRun { return .text(lines + ["Nothing was changed"]) }
        await input.console.show(lines)
        guard
            try await input.confirm(
                "Join \(plan.machine)?", consequence: "this machine would be joined with \(plan.machine)")
        else { return .cancelled }
        let start = hub.clock.monotonicNow
        let (access, name, replica) = try await pairs.pair(by: line)
        let machine = known?.name ?? name
        if known == nil {
            try await pairs.join(machine, access, replica: replica)
        } else {
            try await pairs.rejoin(machine, access)
        }
        let report: MachineReport
        do {
            report = try await pairs.sync(machine, report: { input.console.report($0) })
            input.console.report(nil)
        } catch {
            input.console.report(nil)
            throw error
        }
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
