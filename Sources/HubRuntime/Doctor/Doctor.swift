import Commands
import Glibc
import HubKit
import Storage

/// One line of `hub doctor`.
struct CheckResult: Sendable {
    /// `hub` or the plugin's word.
    let part: String
    /// The name of the check.
    let title: String
    /// The result.
    let finding: DoctorCheck.Finding
    /// Whether it follows from another check, which names the remedy.
    var isConsequence = false

    var state: String {
        switch finding {
        case .fine: "ok"
        case .warning: "warn"
        case .failure: "fail"
        }
    }

    var text: String {
        switch finding {
        case .fine(let text), .warning(let text, _), .failure(let text, _): text
        }
    }

    var remedy: String? {
        switch finding {
        case .fine: nil
        case .warning(_, let remedy), .failure(_, let remedy): remedy
        }
    }
}

/// All checks of hub and its plugins, in order.
struct Doctor: Sendable {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// Runs all checks. With `fixing`, problems that can be fixed safely are fixed and checked again.
    func run(fixing: Bool) async -> [CheckResult] {
        let storage = StorageDoctor(hub)
        var found = [configuration(), storage.folder(fixing: fixing), runtimeFolder(), storage.disk()]
        found += Library.all.map(library)
        let database = await guarded("hub", "database") { try await storage.database(fixing: fixing) }
        found.append(database)
        let isUnusable = database.state == "fail"
        found.append(await guarded("hub", "files", isUnusable: isUnusable) { try await storage.blobs(fixing: fixing) })
        found.append(await guarded("hub", "backups", isUnusable: isUnusable) { try await backups() })
        found.append(await guarded("hub", "daemon", isUnusable: isUnusable) { try daemon() })
        guard let descriptors = try? hub.enabledDescriptors() else { return found }
        for descriptor in descriptors {
            for check in descriptor.checks {
                found.append(
                    await guarded(descriptor.id, check.title, isUnusable: isUnusable) {
                        let first = try await check.check(hub)
                        if case .fine = first { return first }
                        guard fixing, let fix = check.fix else { return first }
                        try await fix(hub)
                        return try await check.check(hub)
                    })
            }
        }
        return found
    }

    /// Returns the result of a check. Of a store that cannot be used, only the check of the database says why.
    private func guarded(
        _ part: String, _ title: String, isUnusable: Bool = false, _ check: () async throws -> DoctorCheck.Finding
    ) async -> CheckResult {
        do {
            return CheckResult(part: part, title: title, finding: try await check())
        } catch let error as HubError {
            if isUnusable, HubError.unusableStore.contains(error.code) {
                return CheckResult(
                    part: part, title: title,
                    finding: .warning("not checked: \(error.message)", remedy: "see the check of the database"),
                    isConsequence: true)
            }
            return CheckResult(
                part: part, title: title,
                finding: .failure(
                    ([error.message] + error.details).joined(separator: ": "),
                    remedy: error.hint ?? "hub logs shows the log of hub serve"))
        } catch {
            return CheckResult(
                part: part, title: title,
                finding: .failure("\(error)", remedy: "hub logs shows the log of hub serve"))
        }
    }

    private func configuration() -> CheckResult {
        let path = hub.configManager.file.shownPath
        do {
            _ = try hub.configuration()
            let problems = try hub.configManager.review().problems
            guard let first = problems.first else {
                return CheckResult(part: "hub", title: "config", finding: .fine(path))
            }
            let others = problems.count > 1 ? " and \(problems.count - 1) more" : ""
            return CheckResult(
                part: "hub", title: "config",
                finding: .warning("\(first.place)  \(first.message)\(others)", remedy: "hub config check"))
        } catch {
            return CheckResult(
                part: "hub", title: "config", finding: .failure("\(path) is not valid", remedy: "hub config check"))
        }
    }

    private func runtimeFolder() -> CheckResult {
        CheckResult(
            part: "hub", title: "runtime folder",
            finding: hub.directories.runtime.map { .fine($0) }
                ?? .warning(
                    "none: hub-\(geteuid()) in the shared temporary folder is accessible to other users",
                    remedy: "set XDG_RUNTIME_DIR, or remove that folder"))
    }

    private func library(_ library: Library) -> CheckResult {
        let remedy = "apt install \(library.package ?? library.name)"
        return CheckResult(
            part: "hub", title: library.name,
            finding: library.isInstalled
                ? .fine("used for \(library.purpose)")
                : .warning("missing; needed for \(library.purpose)", remedy: remedy))
    }

    private func backups() async throws -> DoctorCheck.Finding {
        guard let backups = try ScheduledBackups(hub) else {
            return .fine("hub serve makes none; hub config set hub.backup.folder DIR lets it")
        }
        let shown = TerminalSanitizer.line(backups.path)
        guard let age = await backups.age() else {
            return .warning("\(shown) has no backup", remedy: "hub backup \(ShellWords.quote(backups.path))")
        }
        let days = Int(age / .seconds(86_400))
        let words = days <= 0 ? "today" : days == 1 ? "a day ago" : "\(days) days ago"
        guard age <= backups.oldAge else {
            return .warning(
                "the last backup in \(shown) was made \(words)",
                remedy: "hub backup \(ShellWords.quote(backups.path)); hub status shows why hub serve makes none")
        }
        return .fine("the last one was made \(words)")
    }

    private func daemon() throws -> DoctorCheck.Finding {
        if let program = ServiceInstaller(environment: hub.environment).program, !Subprocess.isFound(program) {
            return .warning(
                "the unit of hub serve starts \(TerminalSanitizer.line(program)), which is not there",
                remedy: "hub service install writes the unit for this program")
        }
        guard let holder = try Daemon.holder(hub) else { return .fine("hub serve is not running; all commands work") }
        if try DaemonState.isOutdated(hub) {
            return .warning(
                "hub serve does not use the current settings", remedy: "hub logs shows why; restart hub serve")
        }
        return .fine("hub serve is running as process \(holder.process)")
    }
}
