import Glibc
import HubKit

/// One line of `hub doctor`.
struct Diagnosis: Sendable {
    /// `hub` or the plugin's word.
    let part: String
    /// What was checked.
    let title: String
    /// How it came out.
    let finding: DoctorCheck.Finding

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
struct Examination: Sendable {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// Looks at everything. With `fixing`, what can be mended safely is mended and looked at again.
    func run(fixing: Bool) async -> [Diagnosis] {
        var found = [configuration(), folder(), disk()]
        found += Library.all.map(library)
        found.append(await guarded("hub", "database") { try await database() })
        found.append(await guarded("hub", "daemon") { try daemon() })
        guard let descriptors = try? hub.enabledDescriptors() else { return found }
        for descriptor in descriptors {
            for check in descriptor.checks {
                found.append(
                    await guarded(descriptor.id, check.title) {
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

    private func guarded(
        _ part: String, _ title: String, _ check: () async throws -> DoctorCheck.Finding
    ) async -> Diagnosis {
        do {
            return Diagnosis(part: part, title: title, finding: try await check())
        } catch let error as HubError {
            let remedy = error.hint ?? "hub doctor -v tells more"
            return Diagnosis(part: part, title: title, finding: .failure(error.message, remedy: remedy))
        } catch {
            return Diagnosis(part: part, title: title, finding: .failure("\(error)", remedy: "hub logs tells more"))
        }
    }

    private func configuration() -> Diagnosis {
        let path = hub.configDesk.file.shownPath
        do {
            _ = try hub.configuration()
            let problems = try hub.configDesk.review().problems
            guard let first = problems.first else {
                return Diagnosis(part: "hub", title: "config", finding: .fine(path))
            }
            let others = problems.count > 1 ? " and \(problems.count - 1) more" : ""
            return Diagnosis(
                part: "hub", title: "config",
                finding: .warning("\(first.place)  \(first.message)\(others)", remedy: "hub config check"))
        } catch {
            return Diagnosis(
                part: "hub", title: "config", finding: .failure("\(path) has mistakes", remedy: "hub config check"))
        }
    }

    /// Whether only the person can read the data.
    private func folder() -> Diagnosis {
        let path = hub.directories.data
        var status = stat()
        guard stat(path, &status) == 0 else {
            return Diagnosis(part: "hub", title: "data folder", finding: .fine("\(path), made at the first change"))
        }
        let isOpen = status.st_mode & 0o077 != 0
        return Diagnosis(
            part: "hub", title: "data folder",
            finding: isOpen
                ? .warning("\(path) is open to other users", remedy: "chmod 700 \(ShellWords.join([path]))")
                : .fine(path))
    }

    private func disk() -> Diagnosis {
        var status = statvfs()
        guard statvfs(hub.directories.data, &status) == 0 else {
            return Diagnosis(part: "hub", title: "disk", finding: .fine("not in use yet"))
        }
        let free = (Int(status.f_bavail) * Int(status.f_frsize)) >> 20
        return Diagnosis(
            part: "hub", title: "disk",
            finding: free < 200
                ? .warning("only \(free) MB free", remedy: "make room: writes fail when the disk is full")
                : .fine("\(free) MB free"))
    }

    private func library(_ library: Library) -> Diagnosis {
        let remedy = "apt install \(library.package ?? library.name)"
        return Diagnosis(
            part: "hub", title: library.name,
            finding: library.isInstalled
                ? .fine(library.purpose) : .warning("missing; needed for \(library.purpose)", remedy: remedy))
    }

    private func database() async throws -> DoctorCheck.Finding {
        let problems = try await hub.database().prepare()
        if let (plugin, problem) = problems.sorted(by: { $0.key < $1.key }).first {
            return .failure("\(plugin): \(problem.message)", remedy: problem.hint ?? "hub doctor -v tells more")
        }
        let breaches = try await hub.database().integrityBreaches()
        guard let first = breaches.first else { return .fine("sound, every table and index") }
        return .failure(
            "\(first)\(breaches.count > 1 ? " and \(breaches.count - 1) more" : "")",
            remedy: "hub restore FILE brings back a backup; the broken store is kept")
    }

    private func daemon() throws -> DoctorCheck.Finding {
        guard let holder = try Daemon.holder(hub) else { return .fine("hub serve is not running; all commands work") }
        return .fine("hub serve runs as process \(holder.process)")
    }
}
