package import Commands
package import ContactsDomain
package import HubKit
package import Sync

/// What accounts show in `accounts`, `sync` and `status`.
extension ContactsPlugin: AccountPlugin {
    /// The fields of an address book as the account reports it.
    package static let itemFields = [
        Field<RemoteBook>("name", "BOOK", help: "name of the book") { .text($0.name) },
        Field<RemoteBook>("read_only", "READ-ONLY", help: "whether the book is read-only") { .bool($0.isReadOnly) },
        Field<RemoteBook>(
            "versions", "VCARD", help: "accepted vCard versions", cell: { $0.versions.sorted().joined(separator: ", ") }
        ) { FieldValue($0.versions.sorted()) },
        Field<RemoteBook>("href", "PLACE", help: "path of the book in the account", column: .onRequest) {
            .text($0.href)
        },
    ]

    /// The columns about the books of an account.
    package static let accountColumns = [
        Field<AccountStatus<AddressBooks.State>>(
            "books", "BOOKS", help: "address books of the account", column: .ifRoom(1),
            cell: { $0.state.books.map(\.name).joined(separator: ", ") }
        ) { FieldValue($0.state.books.map(\.name)) },
        Field<AccountStatus<AddressBooks.State>>(
            "contacts", "CONTACTS", help: "number of contacts in its books", align: .trailing
        ) { .integer($0.state.contacts) },
        Field<AccountStatus<AddressBooks.State>>(
            "conflicts", "CONFLICTS", help: "number of open conflicts", align: .trailing, column: .onRequest
        ) { .integer($0.state.conflicts) },
        Field<AccountStatus<AddressBooks.State>>(
            "problems", "PROBLEMS", help: "contacts that are not synced, with the reason", column: .onRequest
        ) { status in
            .list(
                status.state.problems.map { problem in
                    .object([
                        .init("contact", FieldValue(problem.contact)), .init("code", .text(problem.code)),
                        .init("reason", .text(problem.reason)), .init("since", .instant(problem.since)),
                    ])
                })
        },
    ]

    /// Returns a book in one line.
    package static func line(_ book: RemoteBook) -> String { book.name + (book.isReadOnly ? " (read-only)" : "") }

    /// Returns the number of books and their names; a new user of a server has none.
    package static func summary(of books: [RemoteBook], in account: Account) -> AccountSummary {
        if books.isEmpty { return AccountSummary("no books yet", next: "books new \(account.name)/Contacts") }
        return AccountSummary(
            NumberFormat.counted(books.count, "book"), lines: books.map { "  " + line($0) })
    }

    /// Returns the warnings about items that are not synced.
    package func notes(on status: AccountStatus<AddressBooks.State>) async throws -> [Diagnostic] {
        var notes: [Diagnostic] = []
        let problems = status.state.problems
        let twins = problems.filter { $0.code == SyncProblem<String>.sameUIDCode }.map(\.item)
        if twins.count > 1 { notes.append(twinNote(twins, in: status.name)) }
        let others = twins.count > 1 ? problems.filter { $0.code != SyncProblem<String>.sameUIDCode } : problems
        for problem in others.prefix(20) {
            var who = status.name
            if let contact = problem.contact, let found = try? await entities.get(contact) {
                who = try await entities.label(of: found.summary)
            }
            notes.append(.warning("\(who): \(problem.reason)", code: problem.code))
        }
        if others.count > 20 {
            notes.append(.warning("\(status.name): and \(others.count - 20) more", code: "not-synced"))
        }
        return notes
    }

    /// Returns the messages about a sync: conflicts, skipped items, and changes of the books.
    package func notes(on report: SyncReport<AccountSyncDetails>) async throws -> [Diagnostic] {
        var notes: [Diagnostic] = []
        if let first = report.conflicts.first {
            var names: [String] = []
            for conflict in report.conflicts.prefix(5) {
                names.append(
                    "\(try await entities.label(of: conflict.contact)), \(conflict.fields.joined(separator: ", "))")
            }
            let count = report.conflicts.count
            if count > 5 { names.append("and \(count - 5) more") }
            let short = try await entities.shortID(of: first.contact.id)
            notes.append(
                .warning(
                    "\(NumberFormat.counted(count, "conflict")) kept, both versions are safe: "
                        + names.joined(separator: "; "), code: "conflict-kept",
                    hint: count == 1 ? "hub contacts conflicts resolve \(short)" : "hub contacts conflicts"))
        }
        for question in report.withheld {
            notes.append(
                .warning(
                    "\(report.run.account): \(question.words); nothing was removed", code: "removal-withheld",
                    hint: "to confirm: hub contacts sync \(report.run.account) --yes"))
        }
        let twins = report.problems.filter { $0.cause.reason == .sameUID }.map(\.cause.item)
        if twins.count > 1 { notes.append(twinNote(twins, in: report.run.account)) }
        let problems = twins.count > 1 ? report.problems.filter { $0.cause.reason != .sameUID } : report.problems
        for problem in problems.prefix(10) {
            let who = try await problem.contact.asyncMap { try await entities.label(of: $0) } ?? report.run.account
            notes.append(.warning("\(who): \(problem.text)", code: "not-synced"))
        }
        if problems.count > 10 {
            notes.append(.warning("\(report.run.account): and \(problems.count - 10) more", code: "not-synced"))
        }
        if report.standing > 0 {
            let text =
                NumberFormat.counted(report.standing, "item is still not synced", "items are still not synced")
            notes.append(
                .warning("\(report.run.account): \(text)", code: "still-not-synced", hint: "hub contacts status"))
        }
        for failure in report.bookFailures {
            let reason = failure.details.first.map { ": \($0)" } ?? ""
            notes.append(.warning(failure.message + reason, code: failure.code, hint: failure.hint))
        }
        for loss in report.losses.prefix(10) {
            notes.append(
                .warning(
                    "\(try await entities.label(of: loss.contact)): the server did not store \(loss.fields.joined(separator: ", "))"
                        + "; the contact here is complete", code: "not-kept"))
        }
        if report.losses.count > 10 {
            notes.append(
                .warning(
                    "\(report.run.account): \(report.losses.count - 10) more contacts were not stored completely",
                    code: "not-kept"))
        }
        notes += try await pictureNotes(report)
        for twin in report.twins.prefix(5) {
            notes.append(
                .warning(
                    "\(try await entities.label(of: twin)) exists only here and was not merged with the card from \(report.run.account)",
                    code: "twin", hint: "hub contacts duplicates"))
        }
        notes += report.news.map { Diagnostic($0, code: "book-new") }
        notes += report.notices.prefix(10).map { .warning($0, code: "book-notice") }
        return notes
    }
}

extension ContactsPlugin {
    /// The messages about pictures that are too large for an account.
    private func pictureNotes(_ report: SyncReport<AccountSyncDetails>) async throws -> [Diagnostic] {
        var notes: [Diagnostic] = []
        let account = report.run.account
        for picture in report.pictures.prefix(10) {
            let who = try await entities.label(of: picture.contact)
            if let size = picture.size {
                let kB = NumberFormat.grouped((size + 999) / 1000)
                notes.append(
                    Diagnostic(
                        "\(who): a smaller picture (\(kB) kB) was sent to \(account); the contact here keeps its own",
                        code: "picture-scaled"))
                continue
            }
            let isMissing = if case .notInstalled? = picture.reason { true } else { false }
            notes.append(
                .warning(
                    "\(who): the picture is larger than \(account) wants, and could not be made smaller",
                    code: "picture-large", hint: isMissing ? "apt install imagemagick" : nil))
        }
        let rest = report.pictures.count - 10
        if rest > 0 { notes.append(Diagnostic("\(account): and \(rest) more pictures", code: "picture-scaled")) }
        return notes
    }

    /// The cards of an account that have the `UID` of another one there, in one line.
    private func twinNote(_ paths: [String], in account: String) -> Diagnostic {
        let names = paths.map { String($0.split(separator: "/").last ?? "") }
        let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
        return .warning(
            "\(account): \(paths.count) cards there have the UID of another one (\(names.prefix(3).joined(separator: ", "))\(rest))",
            code: SyncProblem<String>.sameUIDCode, hint: "hub contacts books clean BOOK merges and removes them")
    }
}

extension Optional where Wrapped: Sendable {
    fileprivate func asyncMap<Result>(_ body: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let self else { return nil }
        return try await body(self)
    }
}
