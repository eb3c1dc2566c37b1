import Commands
import ContactsDomain
package import HubKit
package import Sync

extension AddressBooks {
    /// Syncs the books of an account. A book that cannot be synced does not stop the others.
    package func sync(
        _ account: Account, over connection: any AccountClient, _ request: SyncRequest,
        into report: inout SyncReport<AccountSyncDetails>
    ) async throws {
        if request.isAwaited { connection.expectAnswersSoon() }
        let targets = try await books(account, connection, &report).map {
            SyncBooks.Target($0, over: connection.open($0.remote))
        }
        let options = SyncOptions(isDryRun: request.isDryRun, isForced: request.isForced) { question in
            try await request.confirm(question.words)
        }
        let tags = try registry.settings.current()[ContactsKeys.tags, account.name]
        let books = SyncBooks(contacts, clock: registry.clock, pictures: try pictures(for: account), tags: tags)
        let done = try await books.sync(targets, options: options, operation: request.operation) { progress in
            request.progress(
                progress.received + progress.sent + progress.listed, progress.toReceive.map { $0 + progress.sent })
        }
        var failures: [HubError] = []
        for (target, outcome) in zip(targets, done.outcomes) {
            report.add(outcome.report, notices: target.link.notices())
            if outcome.report.plannedTags > 0 {
                let tags = NumberFormat.counted(outcome.report.plannedTags, "tag or membership", "tags and memberships")
                report.notices.append("\(outcome.book.fullName): \(tags) of groups would change")
            }
            let failure = outcome.failure.map { bookFailure($0, outcome.book) }
            if let failure { failures.append(failure) }
            if !request.isDryRun { try await note(failure?.message, outcome.book) }
        }
        if let failure = done.failure { throw failure }
        // If a question could not be asked, the command fails like a wrong call, after the other books are done.
        if let unasked = failures.first(where: { $0.code == "confirmation-needed" }) { throw unasked }
        // If no book can be synced, the account has failed.
        if let first = failures.first, failures.count == targets.count { throw first }
        report.fail(failures)
    }

    /// The largest picture of a card in iCloud, in bytes (Apple's support page 103188).
    private static let largestPictureOfICloud = 224_000

    /// Returns how pictures are made smaller for an account.
    private func pictures(for account: Account) throws -> PictureFitting {
        let limit = try registry.settings.current()[ContactsKeys.pictureLimit, account.name].map { $0 * 1000 }
        let isICloud = account.isServer && account.place.lowercased().contains("icloud.com")
        return PictureFitting(limit: limit ?? (isICloud ? AddressBooks.largestPictureOfICloud : nil))
    }

    /// Returns the error of one book with the book's name.
    private func bookFailure(_ error: any Error, _ book: Book) -> HubError {
        if case .notFound(let reason)? = error as? RemoteError {
            var gone = HubError(
                .notFound, code: "book-gone", "the address book \(book.fullName) no longer exists",
                details: [reason, "its contacts are kept here"],
                hint:
                    "hub contacts books rm \(ShellWords.quote(book.fullName)) forgets it here; if the account has moved: "
                    + "hub contacts accounts edit \(book.account) --url URL")
            gone.cause = error
            return gone
        }
        guard let error = error as? RemoteError else {
            return error as? HubError ?? HubError(.internal, code: "book-failed", "\(book.fullName): \(error)")
        }
        var failure = HubError(error, account: book.account, Self.kind)
        failure.message = "\(book.fullName): \(failure.message)"
        return failure
    }

    private func note(_ problem: String?, _ book: Book) async throws {
        try await contacts.write(Self.kind.operation) { try $0.setSyncResult(of: book.id, problem: problem) }
    }

    /// Returns the books to sync. They are listed each time, since books are also created, renamed and removed in the
    /// account.
    private func books(
        _ account: Account, _ connection: any AccountClient, _ report: inout SyncReport<AccountSyncDetails>
    ) async throws -> [Book] {
        let known = try await contacts.read { try $0.books(of: account.name) }
        let seen: [RemoteBook]
        do throws(RemoteError) {
            seen = try await connection.books()
        } catch {
            // Some servers list nothing at the address of a single book.
            switch error {
            case .refused, .notFound, .malformed:
                if account.isServer, !known.isEmpty { return known.filter { account.wants($0.name) } }
            default: break
            }
            throw error
        }
        let account = try await followRenames(seen, known, account)
        let found = try await keep(seen, of: account)
        if !known.isEmpty {
            let ids = Set(known.map(\.id))
            for new in found where !ids.contains(new.id) {
                report.news.append("new book \(new.name) in \(account.name)")
            }
        }
        let lost = known.filter { book in
            account.wants(book.name) && !found.contains { $0.id == book.id }
                && !seen.contains { $0.href == book.remote.href }
        }
        guard account.isServer else {
            for lost in lost {
                report.notices.append(
                    "the book \(lost.name) of \(account.name) no longer exists; its contacts are kept here")
            }
            return found
        }
        // A server may list fewer books than it has; a missing book is reported by the request for it.
        return found + lost
    }

    /// Updates the settings when books were renamed, since a book is identified by its path. Returns the updated account.
    private func followRenames(_ seen: [RemoteBook], _ known: [Book], _ account: Account) async throws -> Account {
        var names = account.collections
        var changes: [SettingChange] = []
        let target = try registry.settings.current()[Self.defaultBook]
        for book in known {
            guard let now = seen.first(where: { $0.href == book.remote.href })?.name, now != book.name else { continue }
            if let index = names.firstIndex(of: book.name) { names[index] = now }
            let isOnlyOfName = known.count { $0.name == book.name } == 1
            if target == book.fullName || target == book.name && isOnlyOfName {
                changes.append(.set(ConfigPath(["default_book"]), .text("\(book.account)/\(now)")))
            }
        }
        if names != account.collections, let change = Self.kind.keys.change(names, of: account.name) {
            changes.append(change)
        }
        if !changes.isEmpty { try await registry.settings.apply(changes) }
        return Account(
            name: account.name, address: account.address, user: account.user, every: account.every, collections: names,
            trust: account.trust)
    }
}

extension SyncQuestion {
    /// `120 of 400 contacts would be removed here`.
    package var words: String {
        let sides = [(removedHere, "here"), (removedThere, "there")].filter { $0.0 > 0 }
        return sides.map {
            "\(NumberFormat.grouped($0.0)) of \(NumberFormat.grouped(total)) contacts would be removed \($0.1)"
        }
        .joined(separator: ", ")
    }
}
