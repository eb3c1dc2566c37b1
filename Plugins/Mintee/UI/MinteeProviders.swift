import HubKit
import MinteeDomain

/// The contributions of Mintee to the views that span all plugins.
enum MinteeProviders {
    static let all = Providers(
        search: SearchProvider { (mintee: MinteePlugin, words, limit) in
            let sought = words.flatMap(SearchWords.split)
            return try await mintee.search(words.joined(separator: " "), limit: limit).map { record in
                SearchHit(
                    id: record.id, title: record.draft.name, detail: record.draft.daysText,
                    match: .init(sought, in: SearchWords.split(record.draft.name)))
            }
        },
        today: TodayProvider { (mintee: MinteePlugin, day) in
            try await mintee.dueTasks(on: day).filter { !$0.isSettled }.map { item in
                let target = item.targetSet.map { $0.target == .done ? "" : " (\($0.target))" } ?? ""
                return TodayItem(id: item.task.id, text: "\(item.task.draft.name)\(target): \(item.state.name)")
            }
        },
        trash: TrashProvider(
            list: { (mintee: MinteePlugin) in
                var filter = TaskFilter()
                filter.isTrash = true
                let tasks = try await mintee.tasks(filter).map {
                    TrashedItem(
                        id: $0.id, title: $0.draft.name, deletedAt: Instant(milliseconds: $0.deletedAt ?? $0.changedAt))
                }
                let analyses = try await mintee.analyses(inTrash: true).map {
                    TrashedItem(
                        id: $0.id, title: $0.analysis.name, deletedAt: Instant(milliseconds: $0.deletedAt ?? 0))
                }
                return (tasks + analyses).sorted { $0.deletedAt > $1.deletedAt }
            },
            restore: { mintee, ids, operation in
                let analyses = Set(try await mintee.analyses(inTrash: true).map(\.id))
                for id in ids where analyses.contains(id) {
                    try await mintee.restoreAnalysis(id, operation: operation)
                }
                try await mintee.restore(ids.filter { !analyses.contains($0) }, operation: operation)
            },
            empty: { mintee, before, operation in try await mintee.emptyTrash(before: before, operation: operation) }),
        names: NameProvider(one: "task", many: "tasks") { (mintee: MinteePlugin, ids) in
            let wanted = Set(ids)
            let found = try await mintee.tasks().filter { wanted.contains($0.id) }
            return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.draft.name) })
        },
        resolve: ResolveProvider { (mintee: MinteePlugin, selector) in
            let found: [TaskRecord]
            do {
                found = try await mintee.resolve(selector)
            } catch let error as HubError where error.kind == .notFound {
                guard let trashed = try? await mintee.resolve(selector, inTrash: true) else { throw error }
                found = trashed
            }
            return found.map { Candidate(id: $0.id, name: $0.draft.name) }
        },
        sync: SyncProvider { (mintee: MinteePlugin, input) in
            try await CalendarSyncing(mintee, input).results(of: try mintee.calendarManager.register.accounts())
        },
        status: StatusProvider { (mintee: MinteePlugin) in
            try await mintee.getAccounts().map { CalendarState($0, now: mintee.clock.now).line }
        })
}
