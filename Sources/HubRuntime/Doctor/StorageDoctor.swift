import Glibc
import HubKit
import Storage

/// The part of ``Doctor`` that looks at the data folder, its disk and the database.
struct StorageDoctor: Sendable {
    private let hub: Hub
    private var path: String { hub.directories.data }

    init(_ hub: Hub) { self.hub = hub }

    /// Checks that only the user can read and write the data. With `fixing`, modes that are too open are restricted.
    func folder(fixing: Bool) -> CheckResult {
        CheckResult(part: "hub", title: "data folder", finding: folderFinding(fixing))
    }

    private func folderFinding(_ fixing: Bool) -> DoctorCheck.Finding {
        var status = stat()
        guard stat(path, &status) == 0 else { return missingFolder() }
        let open = ["", "/hub.db", "/hub.db-wal", "/hub.db-shm", "/backups"].filter { isOpen(path + $0) }
        if fixing { for name in open { chmod(path + name, name.isEmpty || name == "/backups" ? 0o700 : 0o600) } }
        if let first = open.map({ path + $0 }).first(where: isOpen) {
            return .warning(
                "\(first) is accessible to other users",
                remedy: "chmod go= \(ShellWords.join([first])), or hub doctor --fix")
        }
        let needed = ["", "/hub.db", "/locks"].map { path + $0 }
        if let first = needed.first(where: { access($0, F_OK) == 0 && access($0, W_OK) != 0 }) {
            let reason = errno == EROFS ? "is on a read-only file system" : "is not writable by you"
            return .failure(
                "\(first) \(reason)",
                remedy: errno == EROFS ? "mount it for writing" : "chmod u+w \(ShellWords.join([first])), as its owner")
        }
        return .fine(path)
    }

    private func isOpen(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    /// Returns the finding for a missing folder: whether it can be created.
    private func missingFolder() -> DoctorCheck.Finding {
        var parent = path
        while let slash = parent.lastIndex(of: "/"), access(parent, F_OK) != 0 {
            parent = slash == parent.startIndex ? "/" : String(parent[..<slash])
            if parent == "/" { break }
        }
        guard access(parent, W_OK) == 0 else {
            return .failure(
                "\(path) cannot be created: \(parent) is not writable by you",
                remedy: "chmod u+w \(ShellWords.join([parent])), or choose another folder: --data DIR")
        }
        return .fine("\(path), created with the first change")
    }

    /// Whether there is room for changes.
    func disk() -> CheckResult {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else {
            return CheckResult(part: "hub", title: "disk", finding: .fine("not in use yet"))
        }
        let free = (Int(status.f_bavail) * Int(status.f_frsize)) >> 20
        return CheckResult(
            part: "hub", title: "disk",
            finding: free < 200
                ? .warning("only \(free) MB free", remedy: "free some space: writes fail when the disk is full")
                : .fine("\(free) MB free"))
    }

    /// Whether all files that the store needs are there and unchanged. With `fixing`, those that nothing needs are deleted.
    func blobs(fixing: Bool) async throws -> DoctorCheck.Finding {
        guard access(path + "/blobs", F_OK) == 0 || access(path + "/hub.db", F_OK) == 0 else {
            return .fine("none yet")
        }
        let database = try hub.database()
        if fixing { try await database.collectBlobs() }
        let check: BlobCheck
        do { check = try await database.checkBlobs() } catch let error as HubError
            where HubError.unwritableStore.contains(error.code)
        {
            return .warning("not checked: \(error.message)", remedy: error.hint ?? "try again later")
        } catch let error as SystemError where [ENOSPC, EDQUOT, EROFS].contains(error.code) {
            return .warning("not checked: the disk of the store is full", remedy: "free some space and try again")
        }
        let remedy = "hub restore FILE restores them from a backup; hub trash empty removes items no longer needed"
        for (blobs, word) in [(check.missing, "missing"), (check.damaged, "damaged")] {
            guard let first = blobs.first else { continue }
            let place = await name(of: check.place) ?? "\(first)"
            return .failure(
                "\(NumberFormat.counted(blobs.count, "file")) \(word)\(blobs.count > 1 ? ", such as" : ":") \(place)",
                remedy: remedy)
        }
        let elsewhere = check.elsewhere == 0 ? "" : "; \(check.elsewhere) on another machine"
        let size = "\(NumberFormat.counted(check.needed, "file")), \(check.size >> 20) MB, all unchanged\(elsewhere)"
        guard check.unneeded > 0 else { return .fine(size) }
        let unused = NumberFormat.counted(check.unneeded, "unused file")
        return .warning(
            "\(size); \(unused) can be deleted", remedy: "hub doctor --fix, or hub trash empty")
    }

    /// Returns the item to which a file belongs, such as `that of memo (dictofun:6zq)`; nil when that is not known.
    private func name(of place: BlobCheck.Place?) async -> String? {
        guard let place, let first = place.ids.first else { return nil }
        let names = (try? await EntityNames(hub).names(of: [place.owner: place.ids]))?[place.owner] ?? [:]
        guard let id = place.ids.first(where: { names[$0] != nil }), let name = names[id] else {
            return "that of \(place.owner):\(first.prefix(8)), which may be in the trash"
        }
        return "that of \(TerminalSanitizer.line(name)) (\(place.owner):\(id.prefix(8)))"
    }

    /// Whether the database is sound and up to date. With `fixing`, migrations that failed are tried again.
    func database(fixing: Bool) async throws -> DoctorCheck.Finding {
        guard access(path + "/hub.db", F_OK) == 0 || access(path, F_OK) == 0 else {
            return .fine("none yet, created with the first change")
        }
        do {
            return try await openedDatabase(fixing: fixing)
        } catch let error as HubError where ["store-damaged", "store-failed"].contains(error.code) {
            return .failure(([error.message] + error.details).joined(separator: ": "), remedy: restoreRemedy)
        }
    }

    /// What helps a damaged store, with the newest copy that hub has made itself: before a migration, and checked. A store
    /// that a restore replaced may be the damaged one.
    private var restoreRemedy: String {
        let folder = path + "/backups"
        let names = (try? DirectoryHandle(folder).names())?.map { "\($0)" } ?? []
        let copies = names.filter { $0.hasPrefix("before-") && $0.hasSuffix(".db") }.map { name in
            var status = stat()
            return (name: name, time: stat(folder + "/" + name, &status) == 0 ? Int(status.st_mtim.tv_sec) : 0)
        }
        let newest = copies.max { ($0.time, $0.name) < ($1.time, $1.name) }.map { copy in
            "; the newest copy that hub made is " + ShellWords.quote(folder + "/" + copy.name)
        }
        return "hub restore FILE with your newest backup; the damaged store is kept" + (newest ?? "")
    }

    private func openedDatabase(fixing: Bool) async throws -> DoctorCheck.Finding {
        let database = try hub.database()
        var problems = try await database.prepare()
        if fixing, !problems.isEmpty {
            try await database.retryMigrations()
            problems = try await database.prepare()
        }
        if let (plugin, problem) = problems.sorted(by: { $0.key < $1.key }).first {
            let prefix = problem.message.hasPrefix(plugin) ? "" : "\(plugin): "
            return .failure(
                prefix + ([problem.message] + problem.details).joined(separator: "; "),
                remedy: problem.hint ?? "restore a backup with hub restore FILE")
        }
        let breaches = try await database.integrityProblems()
        if let first = breaches.first {
            return .failure(
                "\(first)\(breaches.count > 1 ? " and \(breaches.count - 1) more" : "")",
                remedy: restoreRemedy)
        }
        if let failure = try await database.rollbackFailure() {
            return .warning(
                "an interrupted command is not rolled back yet: \(failure.message)",
                remedy: failure.hint ?? "the next change retries it")
        }
        return .fine("no damage in any table or index")
    }
}
